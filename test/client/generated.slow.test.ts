/** Clients that others' generators make of /openapi.json, for TypeScript, Python and PHP: each compiles, and says what the API says. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { outsideFolder, requireOutside } from "../support/outside.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { olderOpenApi } from "./generated/older-openapi.ts";

interface Call {
  readonly path: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}
interface Document extends Readonly<Record<string, unknown>> {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly operationId: string; readonly parameters: { name: string }[] } }
    >
  >;
}

const GENERATOR = createRequire(import.meta.url).resolve(
  "@openapitools/openapi-generator-cli/bin/openapi-generator.jar",
);
const RUNNERS = "test/client/generated";
const run = promisify(execFile);
const folder = temporaryFolder();
let [catalog, server, base] = [undefined as Catalog | undefined, undefined as Server | undefined, ""];
let document: Document;

/** Every operation without parameters, and those that select, sort, filter, search and miss. */
function callsOf({ paths }: Document, slug: string): Call[] {
  const plain = Object.keys(paths).filter((path) => !["/product", "/search", "/openapi.json"].includes(path));
  const wanted: [string, Call["parameters"]][] = [
    ...plain.map((path): [string, Call["parameters"]] => [path, {}]),
    ["/products", { sort: "price_asc", per_page: 7, page: 2 }],
    ["/products", { category: "fonts", status: "published" }],
    ["/products", { category: "no-such-category" }],
    ["/product", { slug }],
    ["/product", { slug: "no-such-product" }],
    ["/reviews", { product_slug: slug, min_rating: 4 }],
    ["/search", { q: "free" }],
  ];
  return wanted.map(([path, parameters]) => {
    const operation = paths[path]?.get.operationId;
    if (operation === undefined) throw new Error(`The document has no ${path}`);
    return { path, operation, parameters };
  });
}

/** Clients leave out what is null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

async function askPlainly({ path, parameters }: Call): Promise<unknown> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(`${base}${path}?${query}`);
  const body = (await response.json()) as object;
  return response.ok ? body : { status: response.status, ...body };
}

async function generateOld(language: string): Promise<string> {
  const out = join(folder, language);
  const given = join(folder, `${language}.json`);
  writeFileSync(given, JSON.stringify(olderOpenApi(document)));
  // What runs for three seconds is not worth compiling well.
  const how = ["-XX:TieredStopAtLevel=1", "-jar", GENERATOR];
  await run("java", [...how, "generate", "-i", given, "-g", language, "-o", out]);
  return out;
}

async function answersOf(command: string, args: readonly string[], calls: readonly Call[]): Promise<unknown> {
  const running = run(command, args, { maxBuffer: 1 << 24 });
  running.child.stdin?.end(JSON.stringify(calls));
  return JSON.parse((await running).stdout);
}

let calls: Call[] = [];
let expected: unknown[] = [];

beforeAll(async () => {
  const opened = openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
  catalog = opened;
  server = createFallback(() => opened, {
    access: () => undefined,
    failed: (error) => {
      throw error;
    },
  });
  base = (await listen(server, "127.0.0.1", 0)) + API_PATH;
  document = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
  const { data } = (await (await fetch(`${base}/products?sort=rating`)).json()) as {
    data: { slug: string }[];
  };
  calls = callsOf(document, data[0]?.slug ?? "");
  expected = await Promise.all(calls.map(askPlainly));
});

afterAll(async () => {
  if (server !== undefined) await stop(server);
  catalog?.close();
});

describe("clients generated from /openapi.json", () => {
  it("are the ones that docs/api.md names, with their versions", () => {
    const versionOf = (folder: string, name: string) =>
      (
        JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as {
          version: string;
        }
      ).version;
    const typescript = versionOf(outsideFolder(), "openapi-typescript-codegen");
    const old = versionOf(".", "@openapitools/openapi-generator-cli").replace(/^.*-/, "");
    const docs = readFileSync("docs/api.md", "utf8");
    expect(docs).toContain(`| openapi-typescript-codegen ${typescript} | TypeScript |`);
    expect(docs).toContain(`| OpenAPI Generator ${old} | Python, PHP |`);
  });

  it("TypeScript compiles by the strictest rules, and prints the API's values", async () => {
    const out = join(folder, "typescript");
    mkdirSync(out);
    const { generate } = requireOutside("openapi-typescript-codegen") as {
      generate(options: object): Promise<void>;
    };
    await generate({ input: structuredClone(document) as object, output: out });
    writeFileSync(join(out, "package.json"), '{"type":"module"}');
    const rules = [
      "--ignoreConfig",
      "--strict",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom,dom.iterable",
      "--module",
      "esnext",
    ];
    const args = [
      ...rules,
      "--moduleResolution",
      "bundler",
      "--outDir",
      join(out, "js"),
      join(out, "index.ts"),
    ];
    await run("node_modules/.bin/tsc", args).catch(({ stdout }: { stdout: string }) => expect.fail(stdout));
    const { build } = await import("esbuild");
    const bundle = join(out, "client.mjs");
    await build({
      entryPoints: [join(out, "js/index.js")],
      bundle: true,
      format: "esm",
      outfile: bundle,
      logLevel: "error",
    });
    const client = (await import(bundle)) as Record<string, never>;
    const { OpenAPI } = client as unknown as { OpenAPI: { BASE: string } };
    OpenAPI.BASE = base;
    const services = Object.values(client) as unknown as Record<
      string,
      ((...given: unknown[]) => Promise<unknown>) | undefined
    >[];
    const answers = calls.map(async ({ path, operation, parameters }) => {
      const names = document.paths[path]?.get.parameters.map(({ name }) => name) ?? [];
      const method = services.map((service) => service[operation]).find((found) => found !== undefined);
      return method?.(...names.map((name) => parameters[name])).catch(
        ({ status, body }: { status: number; body: object }) => ({ status, ...body }),
      );
    });
    expect(await Promise.all(answers)).toEqual(expected);
  });

  it("Python runs, and prints the API's values", async () => {
    const out = await generateOld("python");
    const answers = await answersOf("/usr/bin/python3", [join(RUNNERS, "run.py"), out, base], calls);
    expect(answers).toEqual(withoutNulls(expected));
  });

  it("PHP runs, and prints the API's values", async () => {
    const out = await generateOld("php");
    const answers = await answersOf("php", [join(RUNNERS, "run.php"), out, base], calls);
    expect(answers).toEqual(withoutNulls(expected));
  });
});
