/**
 * Part of `npm run build`: bundles the command, the library and what they start into `dist` (docs/decisions/bundle.md). Modules that the code
 * imports only when needed stay separate files, loaded then.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { type OutputOptions, type Plugin, type RolldownOutput, rolldown } from "rolldown";
import { schemaOptions } from "../src/base/schema.ts";
import { configSchema } from "../src/config/check.ts";
import { STARTED_MODULES } from "../src/package.ts";

/**
 * Libraries that stay where npm puts them: native code, code that starts threads from separate files, drivers that users install if they
 * need them, and large ones that are rarely used. The used parts of all others become part of `dist`.
 */
const IMPORTED = /^(better-sqlite3|pino|mysql2|pg|@aws-sdk|@smithy)(\/|$)/;
const ENTRIES = ["cli/main", "cli/program", "index", "api/types", ...STARTED_MODULES];

/** Replaces the module that compiles the configuration's schema by the code that Ajv makes from it. */
const COMPILED_CHECK: Plugin = {
  name: "compiled check",
  load: {
    filter: { id: /\/src\/config\/check\.ts$/ },
    handler() {
      const ajv = new Ajv2020({ ...schemaOptions(true), code: { source: true, esm: true } });
      const code = standalone.default(ajv, ajv.compile(configSchema));
      const schema = JSON.stringify(configSchema);
      return `${code}\nexport { validate as checkConfig };\nexport const configSchema = ${schema};`;
    },
  },
};

const OUTPUT: OutputOptions = {
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: true,
  sourcemapExcludeSources: true,
  comments: { jsdoc: false },
};

/** The module that finds files relative to itself must be as deep as in `src`. */
function checkPlace({ output }: RolldownOutput): void {
  const chunks = output.filter((file) => file.type === "chunk");
  const place = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith("/src/package.ts")));
  if (place === undefined || place.fileName.includes("/"))
    throw new Error(`src/package.ts is in ${place?.fileName}`);
}

/** Builds into `folder`, which has none of it yet. */
export async function buildDist(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
    platform: "node",
    external: IMPORTED,
    // Node 22 has no `using` yet.
    transform: { target: "node22" },
    plugins: [COMPILED_CHECK],
  });
  checkPlace(await bundle.write({ ...OUTPUT, dir: folder }));
  await bundle.close();
}

// Tests have a package of their own.
const [, script, folder] = process.argv;
if (import.meta.filename === script && folder !== undefined) await buildDist(folder);
