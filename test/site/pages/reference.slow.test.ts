/** The programs in the reference, each run against its shop: only the address is changed. */
import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../../src/catalog/catalog.ts";
import { answerAtEdge } from "../../../src/serve/edge.ts";
import { createHttpServer, listen, stop } from "../../../src/serve/http.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import { siteInputs } from "../../../src/site/made-file.ts";
import { LANGUAGES, type Language } from "../../../src/site/pages/programs.ts";
import { referenceBody } from "../../../src/site/pages/reference.ts";
import { hasCommand, RUNNERS, runProgram } from "../../support/programs.ts";
import { examplesIn } from "../../support/reference.ts";
import { sharedSnapshot } from "../../support/shared-demo.ts";
import { temporaryFolder } from "../../support/shop.ts";

const folder = temporaryFolder();
const { site, catalog: file } = layoutOf(sharedSnapshot("demo"));
let catalog: Catalog;
let server: Server;
let base: string;

beforeAll(async () => {
  catalog = openCatalog(file);
  server = createHttpServer({
    answer: (target) => answerAtEdge(catalog, site, target),
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

const RUNNER_OF = { curl: RUNNERS.sh, js: RUNNERS.js, php: RUNNERS.php, py: RUNNERS.python };
const COMMAND_OF: Readonly<Record<Language, string>> = {
  curl: "curl",
  js: "node",
  php: "php",
  py: "python3",
};

/** Of each request by language, what its program prints. */
async function printed(language: Language): Promise<Map<string, string>> {
  const examples = examplesIn(referenceBody(siteInputs(catalog)).text);
  const own = catalog.config.baseUrl;
  const said = examples.map(async ({ rest, programs }) => {
    const program = programs[language] ?? "";
    expect(program, rest).toContain(own);
    // Without curl's progress, which it writes where errors are.
    const asked = program.replaceAll(own, base).replace(/^curl /, "curl -sS ");
    return [rest, await runProgram(RUNNER_OF[language], asked, folder)] as const;
  });
  return new Map(await Promise.all(said));
}

/** Two fields of a record. */
const FIELDS = { products: ["title", "price"], reviews: ["rating", "title"], search: ["type", "title"] };

async function answerTo(rest: string): Promise<{ data: Readonly<Record<string, unknown>>[] }> {
  return (await (await fetch(rest === "" ? base : `${base}/${rest}`)).json()) as never;
}

describe.each(LANGUAGES.filter(([language]) => hasCommand(COMMAND_OF[language])))(
  "the reference's %s programs",
  (language) => {
    it("ask each endpoint, and print the shop's answer", async () => {
      const said = await printed(language);
      expect(said.size).toBe(16);
      for (const [rest, output] of said) {
        const answer = await answerTo(rest);
        const fields = FIELDS[rest.split("?", 1)[0] as keyof typeof FIELDS];
        if (language === "curl") expect(JSON.parse(output), rest).toEqual(answer);
        else if (fields === undefined) expect(output, rest).toMatch(/^(?!\d+: )\S.*\n$/s);
        else {
          const lines = answer.data.map((record) => fields.map((name) => record[name]).join(" "));
          expect(output, rest).toBe(`${lines.join("\n")}\n`);
        }
        if (language !== "curl") expect(output, rest).not.toMatch(/warning|notice|error:|undefined/i);
      }
    });
  },
);
