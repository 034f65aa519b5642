import { createHash, hash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { SILENT } from "../../src/base/log.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { loadConfig } from "../../src/config/load.ts";
import { buildSnapshot, runBuild } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { startVitrine } from "../support/command.ts";
import { dieAt } from "../support/dying.ts";
import { readTree, withoutTime } from "../support/shop.ts";
import { seededRandom } from "../support/shop-edits.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

let shop: TinyShop;
const former = () => join(shop.folder, "before");
const here = () => join(shop.folder, "here");
const CONFIG = { ...TINY_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
const configFile = () => join(shop.folder, "config.json");
/** As the command reads it. */
let config: PublicConfig;
const SECRET = "quetzalcoatlus";

async function build(out: string, now: string, build = buildSnapshot, full = false): Promise<string> {
  const inputs = { store: shop.store, queries: "templates/queries", config, out, now };
  const rules = { maxLeftOut: 0.01, allowShrink: 1000, force: false, waitSeconds: 0, full };
  return (await build({ ...inputs, ...rules }, SILENT)).work;
}

function contents(out: string): unknown {
  const manifest = openManifest(layoutOf(out).manifest);
  const { catalog_digest, content, next_change_at } = manifest.meta;
  manifest.close();
  const site = [...readTree(join(out, "site"))].map(([key, bytes]) => [key, withoutTime(bytes)]);
  return {
    catalog_digest,
    content,
    next_change_at,
    catalog: digestCatalog(layoutOf(out).catalog),
    site: site.sort(),
  };
}

beforeAll(async () => {
  shop = createTinyShop(3);
  writeFileSync(configFile(), JSON.stringify({ ...CONFIG, queries: resolve("templates/queries") }));
  config = loadConfig(configFile()).config;
  shop.sql(`UPDATE reviews SET status = 'approved', product_id = (SELECT MIN(id) FROM products) WHERE id < 5;
    UPDATE reviews SET body = 'The ${SECRET} flew' WHERE id = 2`);
  await build(former(), "2026-11-20 12:00:00");
  // A page is added, one changes, one is removed; words are removed; and two products exchange their addresses.
  const [a, b] = shop.slugs;
  shop.sql(`UPDATE products SET regular_price_minor = 4242 WHERE slug = '${shop.slugs[2]}';
    UPDATE reviews SET status = 'rejected' WHERE id = 2;
    UPDATE products SET slug = 'waiting' WHERE slug = '${a}';
    UPDATE products SET slug = '${a}' WHERE slug = '${b}';
    UPDATE products SET slug = '${b}' WHERE slug = 'waiting'`);
});
afterAll(() => shop.close());

function restart(): void {
  rmSync(here(), { recursive: true, force: true });
  cpSync(former(), here(), { recursive: true });
}

/** Digest of the names and bytes of everything below a folder. The list of lock holders, for messages only, differs in each run. */
function stateOf(folder: string): string {
  const state = createHash("sha256");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (path === ".holders") continue;
    const isFile = statSync(join(folder, path)).isFile();
    state.update(`${path}\0${isFile}\0`);
    if (isFile) state.update(hash("sha256", readFileSync(join(folder, path))));
  }
  return state.digest("hex");
}

/** If a write is done before the death: of two writes that follow each other, one is. */
const inTurn = (write: number) => [write % 2 === 0];

/** States after a death that the next build has already completed: the same state need not be tried twice. */
const repaired = new Set<string>();

describe("an incremental build that dies", { timeout: 300_000 }, () => {
  it.each([
    ["once", buildSnapshot, () => [false, true]],
    // The same writes: each is done or not in turn.
    ["again and again", runBuild, inTurn],
  ] as const)(
    "leaves what the next build completes, at any of its writes, done or not: %s",
    async (_, dies, ways) => {
      const clean = join(shop.folder, "clean");
      await build(clean, "2026-11-20 13:00:00");
      const expected = contents(clean);
      let works = 0;
      for (let last = 1, done = false; !done; last++) {
        for (const persists of ways(last)) {
          restart();
          const dying = dieAt(last, persists);
          const outcome = await build(here(), "2026-11-20 13:00:00", dies).catch((error: unknown) => error);
          dying.restore();
          done = dying.writes < last;
          if (done) {
            expect(outcome).toBe("part");
            break;
          }
          const where = `write ${last}, ${persists ? "done" : "not done"}`;
          const state = stateOf(here());
          if (repaired.has(state)) continue;
          repaired.add(state);
          const next = await build(here(), "2026-11-20 13:01:00");
          if (next === "whole") works += 1;
          expect(contents(here()), where).toEqual(expected);
          expect((await verifySnapshot(layoutOf(here()), () => undefined)).problems, where).toEqual([]);
        }
        expect(last).toBeLessThan(500);
      }
      // The memory of the store is put in place with the snapshot, so no work is repeated.
      expect(works).toBe(0);
    },
  );

  const kills = Number(process.env["KILLS"] ?? 4);
  it("leaves what the next build completes if it is killed at random moments", {
    timeout: 60_000 * (kills + 1),
  }, async () => {
    const clean = join(shop.folder, "clean");
    await build(clean, "2026-11-20 13:00:00");
    const expected = contents(clean);
    const start = () =>
      startVitrine([
        ...["build", "--store", shop.store, "--out", here(), "--config", configFile()],
        ...["--as-of", "2026-11-20T13:00:00Z", "--allow-shrink", "1000", "--json"],
      ]);
    restart();
    const started = performance.now();
    const { said, ended } = start();
    expect([await ended, said()]).toEqual([0, expect.stringContaining('"work":"part"')]);
    const whole = performance.now() - started;
    expect(contents(here())).toEqual(expected);
    const random = seededRandom(Number(process.env["KILL_SEED"] ?? 1));
    for (let kill = 1; kill <= kills; kill++) {
      restart();
      const { child, ended } = start();
      // Half of the time is the start of the process.
      await after(whole * (0.4 + random(600) / 1000));
      child.kill("SIGKILL");
      await ended;
      expect(await build(here(), "2026-11-20 13:01:00"), `kill ${kill}`).not.toBe("whole");
      expect(contents(here()), `kill ${kill}`).toEqual(expected);
      expect((await verifySnapshot(layoutOf(here()), () => undefined)).problems).toEqual([]);
    }
  });
});

describe("a full build that dies", { timeout: 300_000 }, () => {
  it("leaves what the next build completes, at any write of its commit, done or not", async () => {
    const clean = join(shop.folder, "clean");
    await build(clean, "2026-11-20 13:00:00");
    const expected = contents(clean);
    restart();
    const counting = dieAt(Number.POSITIVE_INFINITY, true);
    await build(here(), "2026-11-20 13:00:00", runBuild, true);
    counting.restore();
    const { writes } = counting;
    for (let last = writes - 45; last <= writes; last++) {
      for (const persists of inTurn(last)) {
        restart();
        const dying = dieAt(last, persists);
        await build(here(), "2026-11-20 13:00:00", runBuild, true).catch(() => undefined);
        dying.restore();
        const where = `write ${last} of ${writes}, ${persists ? "done" : "not done"}`;
        const state = stateOf(here());
        if (repaired.has(state)) continue;
        repaired.add(state);
        await build(here(), "2026-11-20 13:01:00");
        expect(contents(here()), where).toEqual(expected);
        expect((await verifySnapshot(layoutOf(here()), () => undefined)).problems, where).toEqual([]);
      }
    }
  });
});

describe("an incremental build", () => {
  it("removes a withdrawn review's words from the catalog's file", async () => {
    restart();
    expect(readFileSync(layoutOf(here()).catalog).includes(SECRET)).toBe(true);
    expect(await build(here(), "2026-11-20 13:00:00")).toBe("part");
    for (const name of readdirSync(here()).filter((each) => each.startsWith("catalog.sqlite")))
      expect(readFileSync(join(here(), name)).includes(SECRET), name).toBe(false);
    for (const [key, bytes] of readTree(join(here(), "site")))
      expect(bytes.includes(SECRET), key).toBe(false);
  });
});
