import { randomBytes } from "node:crypto";
import { openSync, readdirSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Running, startServer, vitrine } from "../support/command.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const place = `file://${join(folder, "place")}`;
const running: Running[] = [];
const WAIT = { timeout: 60_000, interval: 20 };

beforeAll(async () => {
  const out = join(folder, "out");
  const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
  await buildQuietly(demoInputs(seedDemo(folder), out, { config }));
  expect(vitrine(["publish", "--out", out, "--to", place]).status).toBe(0);
});

afterAll(() => {
  for (const { child } of running) child.kill("SIGKILL");
});

/** Overwrites all of a cache's copy of the catalog but SQLite's header, as a failing disk would. */
function damage(cache: string): void {
  const [home = ""] = readdirSync(cache);
  const copy = readdirSync(join(cache, home)).find((name) => name.startsWith("copy-")) ?? "";
  const file = join(cache, home, copy, "catalog.sqlite");
  const size = statSync(file).size;
  writeSync(openSync(file, "r+"), randomBytes(size - 4096), 0, size - 4096, 4096);
}

const ids = Array.from({ length: 56 }, (_, at) => at + 1);

/** Asks for details until one is not answered, since SQLite keeps some pages in memory. */
async function firstFailure(url: string): Promise<Response | null> {
  for (const id of ids) {
    const response = await fetch(`${url}/api/v1/product?id=${id}`);
    if (response.status !== 200 && response.status !== 404) return response;
  }
  return null;
}

async function startFollowing(name: string) {
  const cache = join(folder, name);
  const server = await startServer(["fallback", "--to", place, "--cache", cache]);
  running.push(server);
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
  const fetches = () => server.said().match(/ fetched"/g)?.length;
  return { ...server, cache, readiness, fetches };
}

describe("a fallback whose copy is damaged on the disk", () => {
  it("answers 503, fetches the copy again and answers from it; at most once an hour", async () => {
    const { cache, url, readiness, said, fetches } = await startFollowing("cache");
    damage(cache);
    const failure = await firstFailure(url);
    expect(failure?.status).toBe(503);
    expect(failure?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await failure?.json()).toMatchObject({ error: { code: "service_unavailable" } });
    await expect.poll(readiness, WAIT).toBe(200);
    expect((await fetch(`${url}/api/v1/products?search=kit`)).status).toBe(200);
    await expect.poll(said, WAIT).toMatch(/"level":40.*the copy of the catalog is damaged/);
    await expect.poll(fetches, WAIT).toBe(2);

    damage(cache);
    expect((await firstFailure(url))?.status).toBe(500);
    expect(said().match(/is damaged/g)).toHaveLength(1);
    expect(fetches()).toBe(2);
  });

  it("answers 503 until its source can be reached again", async () => {
    const { cache, url, readiness, said } = await startFollowing("second-cache");
    renameSync(join(folder, "place"), join(folder, "away"));
    damage(cache);
    expect((await firstFailure(url))?.status).toBe(503);
    await expect.poll(said, WAIT).toContain("there is no catalog yet: Nothing was published");
    expect((await fetch(`${url}/api/v1/products?search=kit`)).status).toBe(503);
    renameSync(join(folder, "away"), join(folder, "place"));
    await expect.poll(readiness, WAIT).toBe(200);
    expect(await firstFailure(url)).toBeNull();
  });
});
