/** Generators of checks, as docs/api.md lists them: how each is run, and the check that it wrote for an answer. */

/** A value of any of the generated modules: they are all different. */
type Generated = Readonly<Record<string, never>>;
interface Check {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** What is asked of the document to find a check by its name. */
export interface Asked {
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  /** Name of the component that is the answer's data, or each entry of it; empty without one. */
  readonly record: string;
}

export interface Generator {
  readonly name: string;
  readonly package: string;
  /** A configuration file, beside openapi.json, where the command needs one. */
  readonly config?: readonly [file: string, text: string];
  /** Command and arguments. */
  readonly command: readonly string[];
  /** The module that it writes. */
  readonly module: string;
  /** The check of an answer, or null if the generator writes none for this status. */
  readonly checkOf: (module: Generated, asked: Asked) => Check | null;
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const camel = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const named = (module: Generated, name: string) => (module[name] as Check | undefined) ?? null;

interface Zodios {
  readonly api: { readonly api: readonly ZodiosEndpoint[] };
}
interface ZodiosEndpoint {
  readonly path: string;
  readonly response: Check;
  readonly errors?: readonly { readonly status: number; readonly schema: Check }[];
}
interface Typed {
  readonly EndpointByMethod: Readonly<Record<"get", Readonly<Record<string, TypedEndpoint>>>>;
}
interface TypedEndpoint {
  readonly responses: { readonly shape: Readonly<Record<string, Check>> };
}

export const GENERATORS: readonly Generator[] = [
  {
    name: "Kubb",
    package: "@kubb/plugin-zod",
    config: [
      "kubb.config.mjs",
      `import { defineConfig } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginZod } from "@kubb/plugin-zod";
export default defineConfig({
  root: ".",
  input: { path: "./openapi.json" },
  output: { path: "./kubb", format: false, lint: false },
  plugins: [pluginOas(), pluginZod({})],
});`,
    ],
    command: ["kubb", "generate"],
    module: "kubb/index.ts",
    checkOf: (module, { operation, status }) => named(module, `${operation}${status}Schema`),
  },
  {
    name: "Hey API",
    package: "@hey-api/openapi-ts",
    config: [
      "hey.config.mjs",
      `export default { input: "./openapi.json", output: "./hey", plugins: ["zod"], logs: { level: "error" } };`,
    ],
    command: ["openapi-ts", "-f", "hey.config.mjs"],
    module: "hey/zod.gen.ts",
    checkOf: (module, { operation, status }) =>
      named(module, status === 200 ? `z${pascal(operation)}Response` : "zError"),
  },
  {
    name: "Orval",
    package: "orval",
    config: [
      "orval.config.mjs",
      `export default { shop: { input: "./openapi.json", output: { client: "zod", target: "./orval.ts" } } };`,
    ],
    command: ["orval", "--config", "orval.config.mjs"],
    module: "orval.ts",
    checkOf: (module, { operation, status }) =>
      status === 200 ? named(module, `${pascal(operation)}Response`) : null,
  },
  {
    name: "openapi-zod-client",
    package: "openapi-zod-client",
    command: ["openapi-zod-client", "openapi.json", "-o", "zodios.ts"],
    module: "zodios.ts",
    checkOf: (module, { path, status }) => {
      const { api } = module as unknown as Zodios;
      const endpoint = api.api.find((each) => each.path === path);
      if (status === 200) return endpoint?.response ?? null;
      return endpoint?.errors?.find((error) => error.status === status)?.schema ?? null;
    },
  },
  {
    name: "typed-openapi",
    package: "typed-openapi",
    // Its client extends Error, which is the name of a schema here.
    command: ["typed-openapi", "openapi.json", "-o", "typed.ts", "-r", "zod", "--include-client", "false"],
    module: "typed.ts",
    checkOf: (module, { path, status }) =>
      (module as unknown as Typed).EndpointByMethod.get[path]?.responses.shape[status] ?? null,
  },
  {
    // Checks of records, not of the envelope around them.
    name: "openapi-to-zod",
    package: "@cerios/openapi-to-zod",
    config: [
      "openapi-to-zod.config.json",
      `{ "defaults": {}, "specs": [{ "input": "openapi.json", "outputTypes": "records.ts" }] }`,
    ],
    command: ["openapi-to-zod"],
    module: "records.ts",
    checkOf: (module, { record, status }) => {
      if (status !== 200) return named(module, "errorSchema");
      const [one, meta] = [named(module, `${camel(record)}Schema`), named(module, "metaSchema")];
      if (one === null || meta === null) return null;
      const refused = (body: { data: unknown; meta: unknown }) =>
        [[meta, body.meta] as const, ...[body.data].flat().map((data) => [one, data] as const)]
          .map(([check, value]) => check.safeParse(value))
          .find(({ success }) => !success);
      return { safeParse: (value) => refused(value as never) ?? { success: true } };
    },
  },
];
