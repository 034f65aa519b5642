import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogCopy } from "../../src/serve/catalog-copy.ts";
import { followReleases } from "../../src/serve/catalog-source.ts";
import { LiveCatalog } from "../../src/serve/live-catalog.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Running, startServer, vitrine } from "../support/command.ts";
import { copiesIn, damageCopy, firstFailure, homeIn, PRODUCT_IDS } from "../support/damaged-copy.ts";
import { memorySource, releaseOf } from "../support/memory-source.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const place = `file://${join(folder, "place")}`;
const running: Running[] = [];
let store = "";

async function build(): Promise<void> {
  const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
  await buildQuietly(demoInputs(store, out, { config }));
}

beforeAll(async () => {
  store = seedDemo(folder);
  await build();
  expect(vitrine(["publish", "--out", out, "--to", place]).status).toBe(0);
});

afterAll(() => {
  for (const { child } of running) child.kill("SIGKILL");
});

async function startFollowing(name: string, ...flags: string[]) {
  const cache = join(folder, name);
  const server = await startServer(["fallback", "--to", place, "--cache", cache, ...flags]);
  running.push(server);
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
  const fetches = () => server.said().match(/ fetched"/g)?.length;
  return { ...server, damage: () => damageCopy(homeIn(cache)), readiness, fetches };
}

describe("a fallback whose copy is damaged on the disk", () => {
  it("answers 503, fetches the copy again and answers from it; at most once an hour", async () => {
    const { damage, url, readiness, said, fetches } = await startFollowing("cache");
    damage();
    const failure = await firstFailure(url);
    expect(failure?.status).toBe(503);
    expect(failure?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await failure?.json()).toMatchObject({ error: { code: "service_unavailable" } });
    await expect.poll(readiness).toBe(200);
    expect((await fetch(`${url}/api/v1/products?search=kit`)).status).toBe(200);
    await expect.poll(said).toMatch(/"level":40.*the copy of the catalog is damaged/);
    await expect.poll(fetches).toBe(2);

    damage();
    expect((await firstFailure(url))?.status).toBe(500);
    expect(said().match(/is damaged/g)).toHaveLength(1);
    expect(fetches()).toBe(2);
  });

  it("fetches it again also if an agent's request finds the damage", async () => {
    const { damage, url, readiness, said, fetches } = await startFollowing("agents-cache", "--mcp");
    const ask = async (id: number) => {
      const params = { name: "get_product", arguments: { id } };
      const response = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      return response.text();
    };
    damage();
    let answer = "";
    for (const id of PRODUCT_IDS) if (!answer.includes("The server failed")) answer = await ask(id);
    expect(JSON.parse(answer)).toMatchObject({ result: { isError: true } });
    await expect.poll(readiness).toBe(200);
    await expect.poll(said).toMatch(/"level":40.*the copy of the catalog is damaged/);
    await expect.poll(fetches).toBe(2);
    for (const id of PRODUCT_IDS) expect(await ask(id)).not.toContain("The server failed");
    // The damage is reported, and not a bug of the server.
    expect(said()).not.toContain('"level":50');
  });

  it("answers 503 until its source can be reached again", async () => {
    const { damage, url, readiness, said } = await startFollowing("second-cache");
    renameSync(join(folder, "place"), join(folder, "away"));
    damage();
    expect((await firstFailure(url))?.status).toBe(503);
    await expect.poll(said).toContain("there is no catalog yet: Nothing was published");
    expect((await fetch(`${url}/api/v1/products?search=kit`)).status).toBe(503);
    renameSync(join(folder, "away"), join(folder, "place"));
    await expect.poll(readiness).toBe(200);
    expect(await firstFailure(url)).toBeNull();
  });
});

it("a copy whose damage is found while a release is taken up is fetched again", async () => {
  const home = join(folder, "copy");
  mkdirSync(home);
  const { catalog: file } = layoutOf(out);
  const source = memorySource(releaseOf(file), 20);
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  await using copy = await CatalogCopy.open(followReleases(source), home, { log });
  using live = await LiveCatalog.open(copy.file, log);
  const [first] = copiesIn(home);
  let taken = 0;
  copy.follow({
    // The differences are in the copy by now, and the reader reads all lists.
    take(change) {
      taken += 1;
      if (taken === 1) damageCopy(home);
      return live.take(change);
    },
    refresh: () => live.refresh(),
    drop: () => live.drop(),
  });
  const db = new Database(store);
  db.exec("UPDATE products SET regular_price_minor = 1234 WHERE slug = 'invoice-kit'");
  db.close();
  await build();
  const next = releaseOf(file);
  source.reads = 0;
  source.release = next;
  await until("the new release", () => live.found?.digest === next.catalog.digest);
  expect(warnings).toEqual([
    expect.stringContaining("the copy of the catalog is damaged"),
    expect.stringContaining("there is no catalog yet"),
  ]);
  expect(taken).toBe(2);
  // One partition differed; then all were read.
  expect(source.reads).toBe(1 + next.objects.size);
  live.current.probe();
  await until("the damaged copy is deleted", () => copiesIn(home).length === 1);
  expect(copiesIn(home)).not.toEqual([first]);
});
