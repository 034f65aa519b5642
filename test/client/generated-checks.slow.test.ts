/** Checks that others' generators make of /openapi.json: each takes every answer, also one with fields that are not there yet. */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type Asked, GENERATORS } from "./checks/generators.ts";

const FIXTURE = "test/client/checks";
const SHOPS = ["demo", "chinook", "example"] as const;
const run = promisify(execFile);
const folder = temporaryFolder();

interface Parameter {
  readonly name: string;
  readonly example?: string | number;
  readonly schema: { readonly enum?: readonly string[] };
}
type Json = Readonly<Record<string, unknown>>;
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const catalogs = new Map<string, Catalog>();
const modules = new Map<string, never>();
let document: Document;

function documentOf(catalog: Catalog): Document {
  return JSON.parse(answerTarget(catalog, `${API_PATH}/openapi.json`).body.toString()) as Document;
}

/** All are installed as their lock says, each writes its module, and esbuild makes one file of it with what it imports. */
async function generate(): Promise<void> {
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(FIXTURE, file), join(folder, file));
  const flags = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts", "--prefer-offline"];
  await run("npm", ["ci", ...flags], { cwd: folder });
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  const { build } = await import("esbuild");
  for (const { config, command, module, name, package: from } of GENERATORS) {
    if (config !== undefined) writeFileSync(join(folder, config[0]), config[1]);
    const [program = "", ...args] = command;
    await run(join(folder, "node_modules/.bin", program), args, { cwd: folder });
    const outfile = join(folder, `${module.replaceAll("/", "-")}.mjs`);
    // Clients of openapi-zod-client have Zod 3, which Zod 4 brings.
    const alias = from === "openapi-zod-client" ? { zod: "zod/v3" } : {};
    await build({
      entryPoints: [join(folder, module)],
      bundle: true,
      format: "esm",
      outfile,
      alias,
      logLevel: "error",
    });
    modules.set(name, (await import(outfile)) as never);
  }
}

/** The component that is an operation's data: `{ $ref }` of `data`, or of its entries. */
function recordOf(response: unknown, isList: boolean): string {
  const schema = (response as { content?: Json }).content?.["application/json"] as
    | { schema: Json }
    | undefined;
  const forms = ((schema?.schema["anyOf"] as Json[] | undefined) ?? [schema?.schema ?? {}]) as Json[];
  const data = forms.map((form) => (form["properties"] as Json | undefined)?.["data"] as Json | undefined);
  const found = data.find((each) => (each?.["type"] === "array") === isList);
  const { $ref = "" } = ((isList ? found?.["items"] : found) ?? {}) as { $ref?: string };
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** What each generator has against an answer. */
function complaints(path: string, status: number, body: Json): unknown[] {
  const { operationId: operation, responses } = (document.paths[path] as { get: Operation }).get;
  const asked: Asked = {
    path,
    operation,
    status,
    record: recordOf(responses["200"], Array.isArray(body["data"])),
  };
  return GENERATORS.flatMap(({ name, checkOf }) => {
    const check = checkOf(modules.get(name) as never, asked);
    if (check === null) return [];
    checked.set(name, (checked.get(name) ?? 0) + 1);
    const { success, error } = check.safeParse(body);
    return success ? [] : [[name, path, error]];
  });
}

/** How many answers each has checked. */
const checked = new Map<string, number>();

/** Each object with one more field. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== "object" || value === null) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withMore(each)])),
    added_later: 1,
  };
}

beforeAll(async () => {
  for (const shop of SHOPS) catalogs.set(shop, openCatalog(layoutOf(sharedSnapshot(shop)).catalog));
  document = documentOf(catalogs.get("demo") as Catalog);
  await generate();
});
afterAll(() => {
  for (const catalog of catalogs.values()) catalog.close();
});

describe("checks made of /openapi.json", () => {
  it("are by the generators that docs/api.md names, with their versions", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(FIXTURE, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const docs = readFileSync("docs/api.md", "utf8");
    for (const { name, package: from } of GENERATORS)
      expect(docs).toContain(`| ${name} ${devDependencies[from]} |`);
  });

  it("take a thousand answers of three shops, and those with fields of a later version", () => {
    const shopped = SHOPS.map((shop) => {
      const catalog = catalogs.get(shop) as Catalog;
      const slugs = catalog.db.prepare<[], string>("SELECT slug FROM product").pluck().all();
      const requests = Object.entries(documentOf(catalog).paths).map(([path, { get }]) => {
        const parameters = get.parameters.map(({ name, example = "", schema }) => {
          const own = name === "slug" && path === "/product" ? slugs : [];
          return [
            name,
            fc.constantFrom(...[example, ...(schema.enum ?? []), ...own, "1", "2", "x"]),
          ] as const;
        });
        const query = fc.record(Object.fromEntries(parameters), {
          requiredKeys: path === "/product" ? ["slug"] : path === "/search" ? ["q"] : [],
        });
        return query.map((values) => ({
          shop,
          path,
          query: String(new URLSearchParams(values as Record<string, string>)),
        }));
      });
      return fc.oneof(...requests);
    });
    fc.assert(
      fc.property(fc.oneof(...shopped), ({ shop, path, query }) => {
        const answer = answerTarget(catalogs.get(shop) as Catalog, `${API_PATH}${path}?${query}`);
        const body = JSON.parse(answer.body.toString()) as Json;
        expect([shop, path, query, complaints(path, answer.status, body)]).toEqual([shop, path, query, []]);
        if (path !== "/openapi.json")
          expect(complaints(path, answer.status, withMore(body) as Json)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    for (const { name } of GENERATORS) expect([name, checked.get(name)]).toEqual([name, expect.any(Number)]);
  });

  it("refuse an answer without one of its fields, each of them", () => {
    const { body } = answerTarget(catalogs.get("demo") as Catalog, `${API_PATH}/products`);
    const answer = JSON.parse(body.toString()) as { data: Json[] };
    const [{ title: _, ...first } = {}, ...others] = answer.data;
    const refused = complaints("/products", 200, { ...answer, data: [first, ...others] }) as [string][];
    expect(refused.map(([name]) => name)).toEqual(GENERATORS.map(({ name }) => name));
  });
});
