import { createHash, hash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SILENT } from "../../src/base/log.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { runBuild } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { dieBehind } from "../support/dying.ts";
import { readTree, withoutTime } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

let shop: TinyShop;
const former = () => join(shop.folder, "before");
const here = () => join(shop.folder, "here");
const CONFIG = { ...TINY_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
const SECRET = "quetzalcoatlus";

async function build(out: string, now: string, full = false): Promise<string> {
  const inputs = { store: shop.store, queries: "templates/queries", config: CONFIG, out, now };
  const rules = { maxLeftOut: 0.01, allowShrink: 1000, force: false, waitSeconds: 0, full };
  return (await runBuild({ ...inputs, ...rules }, SILENT)).work;
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

/** States after a death that the next build has already completed: the same state need not be tried twice. */
const repaired = new Set<string>();

/** What a build from scratch makes. */
async function expectedContents(): Promise<unknown> {
  const clean = join(shop.folder, "clean");
  await build(clean, "2026-11-20 13:00:00");
  return contents(clean);
}

/** Lets a build die behind its n-th write, and expects that the next one completes what it left. Returns how many writes it made. */
async function expectCompleted(last: number, expected: unknown, full = false): Promise<number> {
  restart();
  const dying = dieBehind(last);
  await build(here(), "2026-11-20 13:00:00", full).catch(() => undefined);
  dying.restore();
  const where = `write ${last}`;
  const state = stateOf(here());
  if (repaired.has(state)) return dying.writes;
  repaired.add(state);
  // The memory of the store is put in place with the snapshot, so no work is repeated.
  expect(await build(here(), "2026-11-20 13:01:00"), where).not.toBe("whole");
  expect(contents(here()), where).toEqual(expected);
  expect((await verifySnapshot(layoutOf(here()), () => undefined)).problems, where).toEqual([]);
  return dying.writes;
}

describe("a build that dies leaves what the next one completes", () => {
  it("at any of its writes, if it is incremental", async () => {
    const expected = await expectedContents();
    let last = 0;
    while ((await expectCompleted(last, expected)) >= last) last += 1;
    expect(last).toBeGreaterThan(40);
  });

  it("at any write of its commit, if it is a full build", async () => {
    const expected = await expectedContents();
    restart();
    const counting = dieBehind(Number.POSITIVE_INFINITY);
    await build(here(), "2026-11-20 13:00:00", true);
    counting.restore();
    for (let last = counting.writes - 45; last <= counting.writes; last += 2)
      await expectCompleted(last, expected, true);
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
