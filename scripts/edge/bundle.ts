/** The edge bundles that the package ships: esbuild makes them here, so that users do not need it. */
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { contentTypeOf } from "../../src/base/content-type.ts";
import { TOOL_VERSION } from "../../src/package.ts";
import { COMPILED_CHECKS } from "./checks.ts";

export interface Bundle {
  /** Absolute path below templates. */
  readonly file: string;
  readonly text: string;
}

/** Syntax that njs 0.7 and CloudFront Functions 2.0 cannot read: esbuild lowers it or stops. */
const NOT_IN_NJS = [
  "array-spread",
  "async-await",
  "bigint",
  "class",
  "default-argument",
  "destructuring",
  "for-of",
  "generator",
  "logical-assignment",
  "new-target",
  "nullish-coalescing",
  "object-rest-spread",
  "optional-catch-binding",
  "optional-chain",
  "regexp-dot-all-flag",
  "regexp-lookbehind-assertions",
  "regexp-named-capture-groups",
  "regexp-sticky-and-unicode-flags",
  "regexp-unicode-property-escapes",
];

const NJS: BuildOptions = {
  target: "es2017",
  supported: Object.fromEntries(NOT_IN_NJS.map((feature) => [feature, false])),
  logOverride: { bigint: "error" },
};

/** Names of our own properties to shorten: CloudFront allows 10,240 bytes. */
const OURS =
  /^(?:aliasOf|answerCache|baseUrl|clamp|clientErrorCache|endpoint|needs|paginated|params|problems|repeated|selects|textDefault|texts)$/;

/** Media types for the Worker, which cannot use packages: those of a snapshot's files that are not answers. */
const TYPES = Object.fromEntries(
  ["js", "css", "html", "txt", "xml", "atom", "tsv", "gz", "jsonld"].map((extension) => [
    extension,
    contentTypeOf(`x.${extension}`),
  ]),
);
const WORKER: BuildOptions = { target: "es2022", define: { TYPES: JSON.stringify(TYPES) } };

/** Modules that the runtime has, or that only code of Node uses: what is not needed of them leaves no import. */
const OUTSIDE: Plugin = {
  name: "outside",
  setup(build) {
    build.onResolve({ filter: /^(node:.*|better-sqlite3)$/ }, ({ path }) => ({
      path,
      external: true,
      sideEffects: false,
    }));
  },
};
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Programs for workerd, which allows no `new Function`: some libraries have a form without it for this condition. */
const SMALL: BuildOptions = {
  ...WORKER,
  conditions: ["workerd"],
  // Class fields that are only declared must not be set.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, target: "ES2022" } },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
};

/**
 * The code that answers agents, as one function that is called when the first agent asks. It takes more time to start than all else
 * together, and esbuild's own form of `import()` would put every module that it shares with the rest into a function, too.
 */
const WHEN_ASKED: Plugin = {
  name: "when asked",
  setup(within) {
    within.onResolve({ filter: /\/mcp\/server\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, namespace: "when asked" } : undefined,
    );
    within.onLoad({ filter: /.*/, namespace: "when asked" }, async () => {
      const { outputFiles } = await build({
        ...SMALL,
        stdin: { contents: 'export { createMcpFetch } from "./src/mcp/server.ts";', resolveDir: root },
        bundle: true,
        write: false,
        format: "iife",
        globalName: "agents",
        charset: "ascii",
        minifyIdentifiers: true,
        plugins: [OUTSIDE],
      });
      const text = outputFiles[0]?.text ?? "";
      return { contents: `export const { createMcpFetch } = (() => { ${text}; return agents; })();` };
    });
  },
};
const OBJECT: BuildOptions = {
  ...SMALL,
  define: { ...WORKER.define, VERSION: JSON.stringify(TOOL_VERSION) },
  plugins: [COMPILED_CHECKS, WHEN_ASKED, OUTSIDE],
};

function heading(entry: string): string {
  return `// Made from src/${entry}.ts by scripts/bundle-edge.ts. Do not edit.\n`;
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [`src/${entry}.ts`],
    bundle: true,
    write: false,
    format: "esm",
    charset: "ascii",
    logLevel: "silent",
    ...options,
  });
  return result.outputFiles?.[0]?.text ?? "";
}

/** njs and CloudFront do not know export lists, with which esbuild ends a module: `export { a as b };`. */
function replaceExport(text: string, name: string, ending: (local: string) => string): string {
  const list = new RegExp(`export\\s*\\{\\s*(\\w+)(?: as ${name})?\\s*\\};?\\s*$`);
  const local = list.exec(text)?.[1];
  if (local === undefined) throw new Error(`the bundle does not end by exporting ${name}`);
  return text.replace(list, ending(local));
}

/** The Worker with its object. It is part of `dist`: it changes with every file of the catalog. */
export async function bundleObject(): Promise<string> {
  return `// Made from src/object/entry.ts by Vitrine.\n${await bundle("object/entry", OBJECT)}`;
}

/** All bundles, as templates/edge must have them. */
export async function bundleEdges(): Promise<Bundle[]> {
  const nginx = await bundle("edge/nginx/entry", NJS);
  const cloudFront = await bundle("edge/cloudfront/entry", { ...NJS, minify: true, mangleProps: OURS });
  const worker = await bundle("edge/cloudflare/entry", WORKER);
  const pages = await bundle("edge/cloudflare/pages", WORKER);
  return [
    {
      file: `${root}templates/edge/nginx/vitrine-key.js`,
      text:
        heading("edge/nginx/entry") +
        replaceExport(nginx, "default", (local) => `export default ${local};\n`),
    },
    {
      file: `${root}templates/edge/aws/function.js`,
      text:
        heading("edge/cloudfront/entry") +
        replaceExport(cloudFront, "handler", (local) => `function handler(e){return ${local}(e)}\n`),
    },
    { file: `${root}templates/edge/cloudflare/worker.js`, text: heading("edge/cloudflare/entry") + worker },
    {
      file: `${root}templates/edge/cloudflare-pages/_worker.js`,
      text: heading("edge/cloudflare/pages") + pages,
    },
  ];
}
