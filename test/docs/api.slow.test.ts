/** The examples of docs/api.md, run against the demo shop: only the address is changed. */
import { readFile } from "node:fs/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { ERROR_STATUS } from "../../src/api/errors.ts";
import { rateLimitedResponse } from "../../src/api/responses.ts";
import type { ListResponse, Product } from "../../src/api/types.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { withoutSource } from "../../src/serve/answer.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { createHttpServer, listen, stop } from "../../src/serve/http.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { hasNode20, NODE_20 } from "../support/node-20.ts";
import { hasCommand, RUNNERS, runProgram } from "../support/programs.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { PAGES } from "./markdown.ts";

const ADDRESS = "https://api.shop.example/api/v1";
const { sh, ...languages } = RUNNERS;
const PROGRAMS: readonly (readonly [language: string, runner: readonly [string, ...string[]]])[] = [
  ...Object.entries(languages),
  ...(hasNode20() ? [["js", [NODE_20, "--input-type=module"]] as const] : []),
];

const page = PAGES.find(({ file }) => file === "docs/api.md");
const blocks = (language: string) => page?.blocks.filter((block) => block.language === language) ?? [];
const folder = temporaryFolder();
let server: Server;
let catalog: Catalog;
let base: string;
/** How often the second page is refused before it is answered. */
let refusals = 0;

beforeAll(async () => {
  const { site, catalog: file } = layoutOf(sharedSnapshot("example"));
  catalog = openCatalog(file);
  server = createHttpServer({
    answer: (target) =>
      target.includes("&page=2") && refusals-- > 0
        ? withoutSource(rateLimitedResponse("120", "0"))
        : answerAtEdge(catalog, site, target),
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => undefined,
    failed: () => undefined,
  });
  base = `${await listen(server, "127.0.0.1", 0)}/api/v1`;
});

afterAll(async () => {
  await stop(server);
  catalog.close();
});

/** The output of a program that asks this server. */
function run(runner: Parameters<typeof runProgram>[0], program: string): Promise<string> {
  return runProgram(runner, program.replaceAll(ADDRESS, base), folder);
}

async function answerTo(path: string): Promise<ListResponse<Product>> {
  return (await (await fetch(base + path)).json()) as ListResponse<Product>;
}

describe.each([...PROGRAMS.filter(([, [command]]) => hasCommand(command))])(
  "the %s examples, by %j",
  (language, runner) => {
    const [list, changed] = blocks(language);

    it("read all pages of a list, and repeat a refused request", async () => {
      const products = "/products?sort=price_asc";
      const { total_pages: pages } = (await answerTo(products)).pagination;
      expect(pages).toBeGreaterThan(2);
      const lines: string[] = [];
      for (let page = 1; page <= pages; page++)
        for (const { title, pricing } of (await answerTo(`${products}&page=${page}`)).data)
          lines.push(`${title}: ${pricing.current.toFixed(2)} ${pricing.currency}\n`);
      refusals = 3;
      expect(await run(runner, list?.text ?? "")).toBe(lines.join(""));
      expect(refusals).toBe(-1);
    });

    it("print the API's message for a wrong request", async () => {
      const wrong = (list?.text ?? "").replace("sort=price_asc", "sort=price_asc&categry=scripts");
      expect(await run(runner, wrong)).toContain(
        "invalid_parameter: Unknown parameter categry. Did you mean category?",
      );
    });

    it("do not fetch an unchanged answer again", async () => {
      const { length } = (await answerTo("/categories")).data;
      expect(await run(runner, changed?.text ?? "")).toBe(`${length} categories, unchanged\n`);
    });
  },
);

describe("docs/api.md", () => {
  it("shows how curl skips an unchanged answer, and never keeps half of one", async () => {
    expect(blocks("bash")).toHaveLength(1);
    const read = async () => [
      await run(sh, blocks("bash")[0]?.text ?? ""),
      await readFile(`${folder}/categories.json`, "utf8").catch(() => "no file"),
    ];
    const whole = await (await fetch(`${base}/categories`)).text();
    const breakOff = (_: IncomingMessage, response: ServerResponse) => {
      response.end = ((body: Buffer) =>
        response.write(body.subarray(0, 20), () => response.destroy())) as never;
    };
    server.prependOnceListener("request", breakOff);
    expect(await read()).toEqual([expect.stringContaining("200"), "no file"]);
    expect(await read()).toEqual(["200\n", whole]);
    expect(await read()).toEqual(["304\n", whole]);
  });

  it("names every endpoint with its parameters, and every error with its status", () => {
    const rows = [...(page?.prose ?? "").matchAll(/^\| `\/(.*?)` .*\|(.*?)\|$/gm)];
    const named = rows.map(([, path = "", words = ""]) => [
      path,
      [...words.matchAll(/`(\w+)`/g)].map((one) => one[1]),
    ]);
    expect(named).toEqual(ENDPOINTS.map(({ path, params }) => [path, params.map(({ name }) => name)]));
    const errors = [...(page?.prose ?? "").matchAll(/^\| (\d{3}) +\|(.*?)\|/gm)].flatMap(
      ([, status, words = ""]) =>
        [...words.matchAll(/`(\w+)`/g)].map(([, code = ""]) => [code, Number(status)]),
    );
    expect(Object.fromEntries(errors)).toEqual(ERROR_STATUS);
  });
});
