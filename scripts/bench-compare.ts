/**
 * Makes the same products' JSON files with other tools, and measures the first build and the build after one price; then asks for them
 * from these files and from a server: `npm run bench:compare [-- --products N] [--live]`, which does the second part alone. Needs
 * nginx with njs, wrk, GNU time and Hugo (Debian: `apt-get install time hugo wrk`); the other tools are
 * installed with pinned versions into a temporary folder. Every tool makes a file for each product and for each page of the list;
 * Vitrine makes its usual files of the same shop.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { compareLive } from "./bench/live.ts";
import { benchFolder } from "./bench/measure.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: { products: { type: "string", default: "2000" }, live: { type: "boolean", default: false } },
});
const PACKAGES = ["@11ty/eleventy@3.1.8", "astro@7.3.5", "next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
const PER_PAGE = 20;
/** How many pages of a list a large shop has as files. */
const LIST_PAGES = 10;
const folder = benchFolder();
const store = join(folder, "store.sqlite");

interface Product {
  readonly id: number;
  readonly slug: string;
  readonly price: number;
}

function readProducts(): Product[] {
  using db = {
    store: new Database(store, { readonly: true }),
    [Symbol.dispose]() {
      this.store.close();
    },
  };
  const sql = `SELECT id, slug, name AS title, description_html, regular_price_minor / 100.0 AS price, currency, featured, created_at
               FROM products WHERE status = 'published' ORDER BY id`;
  return db.store.prepare<[], Product>(sql).all();
}

/** A tool: the files that it needs, its command, and where it puts what it makes. */
interface Tool {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]];
  readonly made: string;
  /** Before each build, in the tool's folder: the products as the tool reads them. Not measured. */
  readonly prepare?: (at: string, products: readonly Product[]) => void;
}

const writeData = (file: string) => (at: string, products: readonly Product[]) => {
  mkdirSync(join(at, file, ".."), { recursive: true });
  writeFileSync(join(at, file), JSON.stringify(products));
};

/** `{ page, total_pages, data }` of each page, as an expression over `products`. */
const CUT = `Array.from({ length: Math.ceil(products.length / ${PER_PAGE}) }, (_, at) => (
  { page: at + 1, data: products.slice(at * ${PER_PAGE}, (at + 1) * ${PER_PAGE}) }))`;

const SCRIPT = `import Database from "${resolve("node_modules/better-sqlite3/lib/index.js")}";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
const sql = \`SELECT id, slug, name AS title, description_html, regular_price_minor / 100.0 AS price, currency, featured, created_at
             FROM products WHERE status = 'published' ORDER BY id\`;
const products = new Database("${store}", { readonly: true }).prepare(sql).all();
mkdirSync("made/product", { recursive: true });
mkdirSync("made/products", { recursive: true });
for (const product of products) writeFileSync(\`made/product/\${product.slug}.json\`, JSON.stringify({ data: product }));
for (const list of ${CUT}) writeFileSync(\`made/products/\${list.page}.json\`, JSON.stringify(list));
`;

const TOOLS: readonly Tool[] = [
  {
    name: "a script of ten lines",
    files: { "make.mjs": SCRIPT },
    command: ["node", "make.mjs"],
    made: "made",
  },
  {
    name: "Hugo",
    files: {
      "hugo.toml": `baseURL = "/"\ndisableKinds = ["home", "taxonomy", "term", "RSS", "sitemap", "section"]\n[outputs]\npage = ["json"]\n`,
      "layouts/product/single.json": `{{ with index .Site.Data.bySlug .Params.key }}{{ dict "data" . | jsonify }}{{ end }}`,
      "layouts/products/single.json": `{{ $at := mul (sub .Params.number 1) ${PER_PAGE} }}{{ dict "page" .Params.number "data" (first ${PER_PAGE} (after $at .Site.Data.products)) | jsonify }}`,
    },
    command: ["hugo", "--quiet"],
    made: "public",
    prepare: (at, products) => {
      writeData("data/products.json")(at, products);
      writeFileSync(
        join(at, "data/bySlug.json"),
        JSON.stringify(Object.fromEntries(products.map((product) => [`p${product.id}`, product]))),
      );
      for (const name of ["product", "products"]) mkdirSync(join(at, "content", name), { recursive: true });
      for (const { id, slug } of products)
        writeFileSync(join(at, `content/product/${slug}.md`), `---\nkey: p${id}\n---\n`);
      for (let page = 1; page <= Math.ceil(products.length / PER_PAGE); page++)
        writeFileSync(join(at, `content/products/${page}.md`), `---\nnumber: ${page}\n---\n`);
    },
  },
  {
    name: "Eleventy 3.1.8",
    files: {
      "one.njk": `---\npagination:\n  data: products\n  size: 1\n  alias: product\npermalink: "product/{{ product.slug }}.json"\n---\n{{ { data: product } | dump | safe }}`,
      "list.njk": `---\npagination:\n  data: products\n  size: ${PER_PAGE}\npermalink: "products/{{ pagination.pageNumber + 1 }}.json"\n---\n{{ { page: pagination.pageNumber + 1, data: pagination.items } | dump | safe }}`,
      "package.json": `{"type":"module"}`,
    },
    command: ["node", join(folder, "node_modules/@11ty/eleventy/cmd.cjs"), "--quiet"],
    made: "_site",
    prepare: writeData("_data/products.json"),
  },
  {
    name: "Astro 7.3.5",
    files: {
      "package.json": `{"type":"module"}`,
      "src/pages/product/[slug].json.js": `import products from "../../products.json";
export const getStaticPaths = () => products.map((product) => ({ params: { slug: product.slug }, props: { product } }));
export const GET = ({ props }) => new Response(JSON.stringify({ data: props.product }));`,
      "src/pages/products/[page].json.js": `import products from "../../products.json";
export const getStaticPaths = () => ${CUT}.map((list) => ({ params: { page: String(list.page) }, props: { list } }));
export const GET = ({ props }) => new Response(JSON.stringify(props.list));`,
    },
    command: ["node", join(folder, "node_modules/astro/bin/astro.mjs"), "build", "--silent"],
    made: "dist",
    prepare: writeData("src/products.json"),
  },
  {
    name: "Next 16.4.6",
    files: {
      "package.json": `{"type":"module","dependencies":{"next":"16.4.6"}}`,
      "next.config.js": `export default { output: "export" };`,
      "app/layout.js": `export default ({ children }) => <html><body>{children}</body></html>;`,
      "app/page.js": `export default () => null;`,
      "app/product/[slug]/route.js": `import products from "../../../products.json";
export const dynamic = "force-static";
const bySlug = new Map(products.map((product) => [product.slug + ".json", product]));
export const generateStaticParams = () => products.map(({ slug }) => ({ slug: slug + ".json" }));
export const GET = async (_, { params }) => Response.json({ data: bySlug.get((await params).slug) });`,
      "app/products/[page]/route.js": `import products from "../../../products.json";
export const dynamic = "force-static";
const lists = ${CUT};
export const generateStaticParams = () => lists.map(({ page }) => ({ page: page + ".json" }));
export const GET = async (_, { params }) => Response.json(lists[parseInt((await params).page) - 1]);`,
    },
    command: ["node", join(folder, "node_modules/next/dist/bin/next"), "build"],
    made: "out",
    prepare: writeData("products.json"),
  },
  {
    name: "Vitrine",
    files: {
      "vitrine.config.json": JSON.stringify({
        store,
        queries: resolve("templates/queries"),
        baseUrl: "https://api.shop.example/api/v1",
        siteUrl: "https://shop.example",
        pages: false,
      }),
    },
    command: ["node", resolve("dist/cli/main.js"), "build", "--quiet"],
    made: "out/site",
  },
];

interface Cost {
  readonly seconds: number;
  /** With all children. */
  readonly cpuSeconds: number;
  /** Of the largest process. */
  readonly peakMebibytes: number;
}

function measure(at: string, [program, ...args]: Tool["command"]): Cost {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1" };
  const note = join(folder, "time.txt");
  execFileSync("/usr/bin/time", ["-o", note, "-f", "%e %U %S %M", program, ...args], {
    cwd: at,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [seconds = 0, user = 0, system = 0, peak = 0] = readFileSync(note, "utf8").split(" ").map(Number);
  return { seconds, cpuSeconds: user + system, peakMebibytes: peak / 1024 };
}

/** The JSON files below a folder: when each was last written, and its digest would not matter. */
function filesOf(at: string): Map<string, number> {
  const found = readdirSync(at, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  return new Map(found.map((name) => [name, statSync(join(at, name)).mtimeMs]));
}

function setPrice(sql: string): void {
  const db = new Database(store);
  db.exec(
    `UPDATE products SET ${sql} WHERE id = (SELECT id FROM products WHERE status = 'published' ORDER BY id LIMIT 1 OFFSET 700)`,
  );
  db.close();
}

function compare(tool: Tool, sql: string): string {
  const at = join(folder, tool.name.replaceAll(" ", "-"));
  rmSync(at, { recursive: true, force: true });
  for (const [name, text] of Object.entries(tool.files)) {
    mkdirSync(join(at, name, ".."), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  setPrice("regular_price_minor = 4900");
  tool.prepare?.(at, readProducts());
  const first = measure(at, tool.command);
  const before = filesOf(join(at, tool.made));
  execFileSync("sleep", ["2.5"]);
  setPrice(sql);
  tool.prepare?.(at, readProducts());
  const next = measure(at, tool.command);
  const after = filesOf(join(at, tool.made));
  const written = [...after].filter(([name, time]) => before.get(name) !== time).length;
  const perFile = ((1000 * first.cpuSeconds) / after.size).toFixed(2);
  const cells = [
    tool.name,
    after.size.toLocaleString("en"),
    `${first.seconds.toFixed(1)} s`,
    `${first.cpuSeconds.toFixed(1)} s`,
    `${perFile} ms`,
    `${Math.round(first.peakMebibytes)} MiB`,
    `${next.seconds.toFixed(1)} s`,
    `${next.cpuSeconds.toFixed(1)} s`,
    written.toLocaleString("en"),
  ];
  return `| ${cells.join(" | ")} |`;
}

async function compareServers(): Promise<void> {
  const at = join(folder, "live");
  mkdirSync(at);
  const vitrine = TOOLS.find(({ name }) => name === "Vitrine");
  if (vitrine === undefined) throw new Error("There is no Vitrine among the tools.");
  for (const [name, text] of Object.entries(vitrine.files)) writeFileSync(join(at, name), text);
  measure(at, vitrine.command);
  const slugs = readProducts()
    .map(({ slug }) => slug)
    .filter((slug) => existsSync(join(at, `out/site/api/v1/product/slug=${slug}.json`)));
  const shop = {
    store,
    out: join(at, "out"),
    slugs,
    pages: LIST_PAGES,
    perPage: PER_PAGE,
  };
  process.stdout.write(
    "\n| | requests a second | half within | processor a request | an answer |\n|---|---|---|---|---|\n",
  );
  for await (const row of compareLive(at, shop)) process.stdout.write(`${row}\n`);
}

function compareBuilds(): void {
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, ...PACKAGES], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const hugo = /v[\d.]+\d/.exec(execFileSync("hugo", ["version"], { encoding: "utf8" }))?.[0];
  process.stdout.write(
    [
      `${readProducts().length.toLocaleString("en")} published products; Node ${process.versions.node}, Hugo ${hugo}; load ${loadavg()[0]?.toFixed(0)}`,
      "",
      "| | files | first build | processor | a file | memory | one price | processor | files rewritten |",
      "|---|---|---|---|---|---|---|---|---|",
      "",
    ].join("\n"),
  );
  for (const tool of TOOLS) process.stdout.write(`${compare(tool, "regular_price_minor = 4200")}\n`);
  const [vitrine] = TOOLS.slice(-1);
  if (vitrine !== undefined) {
    const dated = { ...vitrine, name: "Vitrine, if `updated_at` changes too" };
    process.stdout.write(
      `${compare(dated, "regular_price_minor = 4200, updated_at = '2026-11-20 10:00:00'")}\n`,
    );
  }
}

try {
  seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, store);
  if (!values.live) compareBuilds();
  await compareServers();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
