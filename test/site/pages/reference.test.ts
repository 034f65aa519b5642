/** The reference at /docs/: what it says of which shop. */
import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { parse } from "parse5";
import { afterAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { operationOf } from "../../../src/api/envelope.ts";
import { ERROR_STATUS } from "../../../src/api/errors.ts";
import { type Catalog, openCatalog } from "../../../src/catalog/catalog.ts";
import { extractTemporarily } from "../../../src/pipeline/plan.ts";
import { answerTarget } from "../../../src/serve/answer.ts";
import { siteInputs } from "../../../src/site/made-file.ts";
import { pageFiles, REFERENCE_KEY } from "../../../src/site/pages/pages.ts";
import { examplesIn, rowsIn, sectionOf, textOf } from "../../support/reference.ts";
import { demoInputs, seedDemo, sharedStore, temporaryFolder } from "../../support/shop.ts";

const folder = temporaryFolder();
const open: Catalog[] = [];

async function catalogOf(name: string, store: string): Promise<Catalog> {
  const file = `${folder}/${name}.sqlite`;
  await extractTemporarily(demoInputs(store, ""), file);
  const catalog = openCatalog(file);
  open.push(catalog);
  return catalog;
}

/** A store that a statement has changed. */
function changed(sql: string): string {
  const store = seedDemo(temporaryFolder());
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.close();
  return store;
}

function pageOf(catalog: Catalog, change: Partial<PublicConfig> = {}): string {
  const shop = { ...catalog, config: { ...catalog.config, ...change } };
  const [file] = [...pageFiles("dist/public", [], siteInputs(shop))].filter(
    ({ key }) => key === REFERENCE_KEY,
  );
  return file?.make(undefined as never).bytes.toString() ?? "";
}

const demo = await catalogOf("demo", sharedStore(150));
const page = pageOf(demo);

afterAll(() => {
  for (const catalog of open) catalog.close();
});

/** True where a shown value is the answer's, but for what is cut at the end of lists and texts. */
function isCutOf(shown: unknown, whole: unknown): boolean {
  if (typeof shown === "string" && typeof whole === "string")
    return shown === whole || (shown.endsWith("…") && whole.startsWith(shown.slice(0, -1)));
  if (typeof shown !== "object" || shown === null || typeof whole !== "object" || whole === null)
    return shown === whole;
  const values = whole as Readonly<Record<string, unknown>>;
  return Object.entries(shown).every(([name, value]) => isCutOf(value, values[name]));
}

describe("the reference", () => {
  it("has each endpoint with its path, its purpose and its parameters", () => {
    for (const endpoint of ENDPOINTS) {
      const { path, params } = endpoint;
      const id = path || "status";
      const section = sectionOf(page, id);
      expect(section).toContain(`<code>/${path}</code>`);
      expect(section).toContain(operationOf(endpoint).purpose);
      const rows = rowsIn(section).filter((row) => row.id.startsWith(`${id}?`));
      expect(rows.map((row) => row.name)).toEqual(params.map(({ name }) => name));
      for (const [at, { name, default: standard }] of params.entries()) {
        const row = rows[at];
        expect(row?.id).toBe(`${id}?${name}`);
        expect(row?.words, `${path} ${name}`).toMatch(/^\w.+\.$/);
        if (standard !== undefined) expect(row?.kind, `${path} ${name}`).toContain(`default ${standard}`);
      }
    }
    const kindOf = (id: string) => rowsIn(page).find((row) => row.id === id)?.kind;
    expect(kindOf("products?sort")).toContain(
      "newest, oldest, updated, price_asc, price_desc, title_asc, title_desc, rating or relevance",
    );
    expect(kindOf("reviews?min_rating")).toBe("whole number, 1 to 5 default 1");
    expect(kindOf("search?q")).toContain("required");
    expect(sectionOf(page, "product")).toContain("Needs slug or id.");
  });

  it("has every field of every record once, each with an anchor, nested ones, too", () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const endpoint of ENDPOINTS) {
      const { list, one } = operationOf(endpoint) as Readonly<
        Record<"list" | "one", { properties?: object } | undefined>
      >;
      for (const name of Object.keys({ ...list?.properties, ...one?.properties })) {
        const own = [`${endpoint.path || "status"}.${name}`, `products.${name}`];
        expect(own.filter((id) => ids.has(id)).length, `${endpoint.path} ${name}`).toBeGreaterThan(0);
      }
    }
    expect(ids).toContain("products.pricing.current");
    expect(ids).toContain("forum.replies.is_solution");
    expect(ids).toContain("answers.pagination.total_pages");
    const product = sectionOf(page, "product");
    expect(product).toContain("Fields in addition to those of");
    expect(product).not.toContain('id="product.excerpt"');
    expect(rowsIn(page).find(({ id }) => id === "products.sale_price")?.kind).toBe("number or null");
  });

  it("has each anchor once, and no link to a missing anchor", () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("shows the shop's own answers as valid JSON, cut only at marked places", () => {
    const examples = examplesIn(page).filter(({ answer }) => answer !== null);
    expect(examples.map(({ rest }) => rest.split("?", 1)[0]).sort()).toEqual(
      [...ENDPOINTS.map(({ path }) => path), "blog", "forum"].sort(),
    );
    for (const { rest, answer, note } of examples) {
      const { status, body } = answerTarget(demo, `/api/v1${rest === "" ? "" : `/${rest}`}`);
      expect(status, rest).toBe(200);
      const whole = JSON.parse(body.toString()) as { meta?: { generated_at: string } };
      if (whole.meta !== undefined) whole.meta.generated_at = "2026-01-01T00:00:00+00:00";
      const shown = JSON.parse(answer ?? "") as unknown;
      expect(isCutOf(shown, whole), rest).toBe(true);
      expect(note === "", rest).toBe(JSON.stringify(shown) === JSON.stringify(whole));
    }
    expect(examples.find(({ rest }) => rest === "products")?.note).toContain("1 of 20 in data");
  });

  it("shows an error as the API answers it, and every code with its status", () => {
    const section = sectionOf(page, "errors");
    const { status, body } = answerTarget(demo, "/api/v1/no-such-endpoint");
    expect(section).toContain(`${status} Not Found`);
    const [, shown = ""] = /404 Not Found.*?<pre>(.*?)<\/pre>/s.exec(section) ?? [];
    expect(JSON.parse(textOf(shown))).toEqual(JSON.parse(body.toString()));
    const codes = rowsIn(section).filter(({ id }) => /^errors\.(?!error)/.test(id));
    expect(Object.fromEntries(codes.map(({ name, kind }) => [name, Number(kind)]))).toEqual(ERROR_STATUS);
    for (const { name, words } of codes) expect(words, name).not.toBe("");
  });

  it("omits endpoints that the shop does not offer", () => {
    const endpoints: PublicConfig["endpoints"] = ["store", "product", "reviews"];
    const small = pageOf(demo, { endpoints });
    const ids = [...small.matchAll(/<section id="([^"]+)">/g)].map(([, id]) => id);
    const basics = ["start", "requests", "answers", "errors"];
    expect(ids).toEqual([...basics, "store", "product", "reviews", "status"]);
    for (const path of ["products", "forum", "search", "widgets", "openapi.json"])
      expect(small.replace(/<pre.*?<\/pre>/gs, "")).not.toMatch(new RegExp(`[/#]${path}["<]`));
    // Without a section, a record's fields are where it is.
    expect(small).toContain('id="product.excerpt"');
    expect(small).toContain('id="product.latest_release.version"');
    expect(small).toContain('id="store.available_widgets.script"');
  });

  it("has the explorer's search in its header where the shop has products", () => {
    const without = demo.config.endpoints.filter((path) => path !== "products");
    expect(page).toContain(
      '<form class="find" role="search" aria-label="Search products" action="../explore/">',
    );
    expect(pageOf(demo, { endpoints: without })).not.toContain("<form");
  });

  it("says which lists of an empty shop have no record", async () => {
    const tables = ["products", "product_categories", "categories", "reviews", "releases", "faqs"];
    const rows = [...tables, "blog_posts", "threads", "posts"].map((table) => `DELETE FROM ${table}`);
    const empty = pageOf(await catalogOf("empty", changed(rows.join(";"))));
    for (const path of ["products", "categories", "faqs", "reviews", "releases", "blog", "forum", "search"]) {
      const [first, ...others] = examplesIn(sectionOf(empty, path));
      expect(JSON.parse(first?.answer ?? ""), path).toMatchObject({ success: true, data: [] });
      expect(first?.note).toBe("// empty: this shop has none yet");
      expect(others).toEqual([]);
    }
    expect(sectionOf(empty, "product")).toContain("This shop has no products yet.");
    expect(examplesIn(sectionOf(empty, "product"))).toEqual([]);
  });

  it("escapes the shop's texts and its configuration", async () => {
    const text = `{{BODY}}</script><script>alert(1)</script><img src=x onerror=alert(1)>"''`;
    const quoted = `'${text.replaceAll("'", "''")}'`;
    const catalog = await catalogOf(
      "hostile",
      changed(
        `UPDATE products SET name = ${quoted} || char(8238); UPDATE store_settings SET name = ${quoted}`,
      ),
    );
    const hostile = pageOf(catalog, {
      siteUrl: `https://shop.example/"><script>alert(1)</script>`,
      baseUrl: `https://shop.example/'"<img src=x onerror=alert(1)>$(id)\`id\`/api/v1`,
    });
    const [, , ...rest] = hostile.split("<script>");
    expect(rest).toEqual([]);
    expect(hostile).not.toContain("<img");
    expect(hostile).toContain("{{BODY}}&lt;/script&gt;");
    expect(hostile).toContain("\\u202e");
    for (const { programs } of examplesIn(hostile))
      for (const program of Object.values(programs))
        expect(program.match(/https:[^'"]*/)?.[0]).toMatch(
          /^https:\/\/shop\.example\/%27%22%3Cimg%20[\w%()=/.?~&-]*$/,
        );
  });

  it("is one HTML page of at most 60 kB, with its style and its script of 3 kB named by digest", () => {
    const problems: string[] = [];
    parse(page, { onParseError: ({ code }) => problems.push(code) });
    expect(problems).toEqual([]);
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const digest = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;
    expect(policy).toBe(
      `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; img-src data:; base-uri 'none'; ` +
        "form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(script.length).toBeLessThan(3000);
    expect(gzipSync(page).length).toBeLessThan(60_000);
    expect(page.replace(/<pre.*?<\/pre>|<style>.*?<\/style>|<script>.*?<\/script>/gs, "")).not.toMatch(
      /<script|<link (?!rel="icon")| style=| on[a-z]+=|\{\{/,
    );
    expect(page).toContain("<title>Northlight Digital: API reference</title>");
  });
});
