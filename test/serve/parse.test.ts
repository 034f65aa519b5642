/** A request's target is parsed once, whichever part answers it. */
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { answerAtOwnAddress } from "../../src/serve/own-address.ts";
import { createTinyShop, TINY_CONFIG } from "../support/tiny-shop.ts";

const shop = createTinyShop();
const engine = new Session();
let site: string;
let catalog: ReturnType<typeof openCatalog>;

beforeAll(async () => {
  const { layout, manifest } = await shop.build("parse", TINY_CONFIG);
  manifest.close();
  site = layout.site;
  catalog = openCatalog(layout.catalog);
  engine.connect();
  await engine.post("Profiler.enable");
});
afterAll(() => {
  engine.disconnect();
  catalog.close();
  shop.close();
});
beforeEach(async () => {
  await engine.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});

/** How often the engine has called each function of the parser since the test began. */
async function countParses(): Promise<Record<string, number>> {
  const { result } = await engine.post("Profiler.takePreciseCoverage");
  await engine.post("Profiler.stopPreciseCoverage");
  const functions = result
    .filter(({ url }) => url.endsWith("/src/key/query.ts"))
    .flatMap((each) => each.functions);
  const counts = functions.map(({ functionName, ranges }) => [functionName, ranges[0]?.count ?? 0] as const);
  return Object.fromEntries(counts.filter(([name]) => name === "splitTarget" || name === "readQuery"));
}

const CASES = [
  ["a file", "per_page=20", 200, "file"],
  ["a miss", "search=kit", 200, "fallback"],
  ["an error", "page=0", 400, "none"],
] as const;

it.each(CASES)("%s at the local edge", async (_, query, status, source) => {
  expect(answerAtEdge(catalog, site, `/api/v1/products?${query}`)).toMatchObject({ status, source });
  expect(await countParses()).toEqual({ splitTarget: 1, readQuery: 1 });
});

it.each(CASES)("%s at the server's own address", async (_, query, status, source) => {
  const target = `/api/v1/products?${query}`;
  const answer = answerAtOwnAddress(catalog, target, { site, origin: "http://localhost:1" });
  expect(answer).toMatchObject({ status, source });
  expect(await countParses()).toEqual({ splitTarget: 1, readQuery: 1 });
});
