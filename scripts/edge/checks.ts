/**
 * Ajv's own code for each schema that an object checks, as modules in the place of Ajv: inside Cloudflare nothing can be compiled.
 * A schema is found by its text, so whoever compiles it is the same code as in Node.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import type { Plugin } from "esbuild";
import type { TSchema } from "typebox";
import { schemaOptions } from "../../src/base/schema.ts";
import { lineSchemas } from "../../src/catalog/record-reader.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { STORED_CONFIG } from "../../src/catalog/verify.ts";
import { POINTER_FORMAT } from "../../src/publish/documents.ts";
import { INDEX_FORMAT, NEWER_INDEX_FORMAT } from "../../src/release/release-index.ts";

const SCHEMAS: readonly TSchema[] = [
  POINTER_FORMAT,
  INDEX_FORMAT,
  NEWER_INDEX_FORMAT,
  STORED_CONFIG,
  ...RESOURCES.flatMap(({ name }) => lineSchemas(name)),
];

function nameOf(schema: TSchema): string {
  return `check_${createHash("sha256").update(JSON.stringify(schema)).digest("hex").slice(0, 16)}`;
}

/** `export const check_3f… = validate10; …` */
function compiledChecks(): string {
  const ajv = new Ajv2020({ ...schemaOptions(false), code: { source: true, esm: true, lines: true } });
  addFormats.default(ajv);
  const names = [...new Set(SCHEMAS.map(nameOf))];
  for (const name of names) {
    const schema = SCHEMAS.find((one) => nameOf(one) === name);
    // The text's own copy: an instance takes each object once.
    ajv.addSchema(JSON.parse(JSON.stringify(schema)), name);
  }
  return standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
}

const INSTEAD_OF_AJV = `
import { createHash } from "node:crypto";
import * as checks from "compiled checks";
export class Ajv2020 {
  compile(schema) {
    const name = "check_" + createHash("sha256").update(JSON.stringify(schema)).digest("hex").slice(0, 16);
    const check = checks[name];
    if (check === undefined) throw new Error("a schema was not compiled when this was built: " + JSON.stringify(schema).slice(0, 200));
    return check;
  }
}
`;

const root = fileURLToPath(new URL("../..", import.meta.url));

export const COMPILED_CHECKS: Plugin = {
  name: "compiled checks",
  setup(build) {
    const modules: Readonly<Record<string, () => string>> = {
      "ajv/dist/2020.js": () => INSTEAD_OF_AJV,
      "ajv-formats": () => "export default { default() {} };",
      "compiled checks": compiledChecks,
    };
    build.onResolve({ filter: /^(ajv\/dist\/2020\.js|ajv-formats|compiled checks)$/ }, ({ path }) => ({
      path,
      namespace: "checks",
    }));
    build.onLoad({ filter: /.*/, namespace: "checks" }, ({ path }) => ({
      contents: modules[path]?.() ?? "",
      resolveDir: root,
    }));
  },
};
