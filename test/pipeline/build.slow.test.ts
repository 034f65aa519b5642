import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { type Log, SILENT } from "../../src/base/log.ts";
import { buildSnapshot } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { vitrine } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import {
  buildQuietly,
  CHINOOK,
  DEMO_CONFIG,
  demoInputs,
  readStamps,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  smallStore,
  temporaryFolder,
  withoutTime,
} from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
let store = "";

async function problemsOf(place: string): Promise<readonly string[]> {
  return (await verifySnapshot(layoutOf(place), () => {})).problems;
}

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

/** A product with a unique price whose place in every order stays when the price goes up by one cent. */
function lonelyPrice(file: string): { slug: string; price: number } {
  const db = new Database(file, { readonly: true });
  const row = db
    .prepare<[], { slug: string; price: number }>(
      `SELECT slug, ROUND(price + 0.01, 2) AS price FROM product AS own
       WHERE status = 'published' AND price > 10
         AND NOT EXISTS (SELECT 1 FROM product AS o WHERE o.id <> own.id AND ABS(o.price - own.price) < 0.02)
         AND (SELECT json ->> '$.sale_price' FROM product_list WHERE id = own.id) IS NULL
       ORDER BY id LIMIT 1`,
    )
    .get();
  db.close();
  if (row === undefined) throw new Error("The demo has no product with a unique price");
  return row;
}

function siteOf(place: string): Map<string, Buffer> {
  return readTree(join(place, "site"));
}

function withoutTimes(tree: Map<string, Buffer>): [string, string][] {
  return [...tree].map(([path, bytes]): [string, string] => [path, withoutTime(bytes)]).sort();
}

beforeAll(async () => {
  store = seedDemo(folder);
  await buildQuietly(demoInputs(store, out, { config: SMALL_CONFIG }));
});

describe("a build", () => {
  it("has a file for the plain answer of every endpoint but /product and /search, in the contract's envelope", () => {
    const site = siteOf(out);
    for (const { path, paginated, needs } of ENDPOINTS) {
      if (needs !== undefined || path === "openapi.json") continue;
      const bytes = site.get(`api/v1/${path || "index"}${paginated ? "/page=1" : ""}.json`);
      const answer = JSON.parse(bytes?.toString() ?? "null") as Record<string, unknown>;
      expect(Object.keys(answer)).toEqual(
        paginated ? ["success", "data", "pagination", "meta"] : ["success", "data", "meta"],
      );
      expect(answer["meta"]).toEqual({ api_version: "1.0", generated_at: "2026-11-20T12:00:00+00:00" });
    }
    expect(JSON.parse(site.get("api/v1/openapi.json")?.toString() ?? "")).toHaveProperty("openapi", "3.1.0");
  });

  it("writes nothing when nothing changed, whenever it runs", async () => {
    const here = join(folder, "unchanged");
    cpSync(out, here, { recursive: true, preserveTimestamps: true });
    const before = readStamps(here);
    const report = await buildQuietly(
      demoInputs(store, here, { config: SMALL_CONFIG, now: "2026-11-21 08:00:00" }),
    );
    expect(report).toMatchObject({ written: 0, deleted: 0, work: "none" });
    const after = readStamps(here);
    for (const path of [".readings.sqlite", ".lock", ".turn"]) {
      after.delete(path);
      before.delete(path);
    }
    expect(after).toEqual(before);
  });

  it("does not block writers of a store without a log once the store is read", async () => {
    const file = seedDemo(temporaryFolder());
    const [journal, moments] = [new Database(file, { timeout: 0 }), [] as string[]];
    const progress: Log["progress"] = (tell) => {
      const now = tell();
      const moment = typeof now === "string" ? now : now.what;
      if (moments.includes(moment)) return;
      journal.exec("UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE id = 1");
      moments.push(moment);
    };
    try {
      expect(journal.pragma("journal_mode", { simple: true })).toBe("delete");
      const inputs = demoInputs(file, join(temporaryFolder(), "out"), { config: SMALL_CONFIG });
      await buildSnapshot(inputs, { ...SILENT, progress });
      expect(moments).toEqual(["extracting", "rendering"]);
    } finally {
      journal.close();
    }
  });

  it("writes exactly the files that contain a price when that price changes, and equals a fresh build", async () => {
    const changed = join(folder, "price.sqlite");
    writeFileSync(changed, readFileSync(store));
    const here = join(folder, "incremental");
    cpSync(out, here, { recursive: true, preserveTimestamps: true });
    const stamps = readStamps(join(here, "site"));
    const { slug, price } = lonelyPrice(join(here, "catalog.sqlite"));
    change(
      changed,
      `UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE slug = '${slug}'`,
    );
    const report = await buildQuietly(
      demoInputs(changed, here, { config: SMALL_CONFIG, now: "2026-11-20 13:00:00" }),
    );
    expect(report.work).toBe("part");
    const after = siteOf(here);
    const touched = [...readStamps(join(here, "site"))].filter(([path, stamp]) => stamps.get(path) !== stamp);
    const holding = [...after].filter(([, bytes]) => bytes.includes(`"price":${price},`));
    expect(holding.length).toBeGreaterThan(20);
    expect(touched.map(([path]) => path).sort()).toEqual(holding.map(([path]) => path).sort());
    const fresh = join(folder, "fresh");
    await buildQuietly(demoInputs(changed, fresh, { config: SMALL_CONFIG, now: "2026-11-20 14:00:00" }));
    expect(withoutTimes(after)).toEqual(withoutTimes(siteOf(fresh)));
    expect(await problemsOf(here)).toEqual([]);
  });

  it("removes answers that no longer exist, and leaves no empty folder behind", async () => {
    const changed = join(folder, "gone.sqlite");
    writeFileSync(changed, readFileSync(store));
    const here = join(folder, "removal");
    cpSync(out, here, { recursive: true, preserveTimestamps: true });
    expect(existsSync(join(here, "site/api/v1/product/slug=invoice-kit.json"))).toBe(true);
    expect(existsSync(join(here, "site/api/v1/reviews/product_slug=invoice-kit"))).toBe(true);
    change(changed, "UPDATE products SET status = 'archived' WHERE slug = 'invoice-kit'");
    const report = await buildQuietly(
      demoInputs(changed, here, { config: SMALL_CONFIG, now: "2026-11-20 13:00:00" }),
    );
    expect(report.work).toBe("part");
    expect(report.deleted).toBeGreaterThan(0);
    // The peak of a process only grows, and Node alone takes some megabytes.
    const { extract, render, commit } = report.peakBytes;
    expect([extract, render, commit]).toEqual([extract, render, commit].sort((a, b) => a - b));
    expect(extract).toBeGreaterThan(1e7);
    expect(existsSync(join(here, "site/api/v1/product/slug=invoice-kit.json"))).toBe(false);
    expect(existsSync(join(here, "site/api/v1/reviews/product_slug=invoice-kit"))).toBe(false);
    expect(await problemsOf(here)).toEqual([]);
  });

  it("gives the same bytes in any place, time zone and locale, and for rows inserted in any order", async () => {
    const shuffled = join(folder, "shuffled.sqlite");
    writeFileSync(shuffled, readFileSync(store));
    // Moves rows to the end of their tables' files, and rewrites the whole file.
    change(
      shuffled,
      `PRAGMA foreign_keys = OFF;
       CREATE TABLE kept AS SELECT * FROM reviews ORDER BY id DESC;
       DELETE FROM reviews; INSERT INTO reviews SELECT * FROM kept; DROP TABLE kept; VACUUM;`,
    );
    const other = join(folder, "elsewhere/deep");
    const { baseUrl, siteUrl, pages, grid } = SMALL_CONFIG;
    const config = join(folder, "elsewhere.json");
    writeFileSync(
      config,
      JSON.stringify({ baseUrl, siteUrl, queries: resolve("templates/queries"), pages, grid }),
    );
    const flags = ["build", "--store", shuffled, "--out", other, "--as-of", "2026-11-20T12:00:00Z"];
    flags.push("--config", config);
    const env = { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" };
    expect(vitrine(flags, env).status).toBe(0);
    const [a, b] = [readTree(sharedSnapshot("small")), readTree(other)];
    // The path and state of the store are private.
    for (const tree of [a, b]) tree.delete(".readings.sqlite");
    expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
    expect([...a].filter(([path, bytes]) => !b.get(path)?.equals(bytes)).map(([path]) => path)).toEqual([]);
  });
});

describe("check", () => {
  const breakages: readonly (readonly [what: string, act: (site: string) => void, problem: RegExp])[] = [
    [
      "one byte changed",
      (site) => flipByte(join(site, "api/v1/products/page=2.json")),
      /products\/page=2.*digest/,
    ],
    [
      "one file removed",
      (site) => rmSync(join(site, "api/v1/store.json")),
      /store\.json: the file is missing/,
    ],
    [
      "one file added",
      (site) => writeFileSync(join(site, "api/v1/extra.json"), "{}"),
      /extra\.json: not in the manifest/,
    ],
    [
      "one file removed and another one added",
      (site) => renameSync(join(site, "api/v1/store.json"), join(site, "api/v1/shop.json")),
      /shop\.json: not in the manifest[\s\S]*store\.json: the file is missing/,
    ],
    [
      "a link in place of a file",
      (site) => {
        renameSync(join(site, "api/v1/store.json"), join(site, "../store.json"));
        symlinkSync(join(site, "../store.json"), join(site, "api/v1/store.json"));
      },
      /store\.json: is not a regular file/,
    ],
    ["a missing site", (site) => rmSync(site, { recursive: true }), /store\.json: the file is missing/],
    [
      "a byte of a record in the catalog changed",
      (site) => flipByte(join(site, "../catalog.sqlite"), '"public_url"'),
      /catalog\.sqlite: (its content differs|cannot be read)/,
    ],
  ];
  const sound = join(folder, "sound");
  beforeAll(async () => {
    const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
    await buildQuietly(demoInputs(smallStore(), sound, { config }));
  });
  it("passes before the snapshot is broken", async () => {
    expect(await problemsOf(sound)).toEqual([]);
  });

  it.each(breakages)("fails with %s", async (what, act, problem) => {
    const here = join(folder, `broken ${what}`);
    cpSync(sound, here, { recursive: true });
    act(join(here, "site"));
    expect((await problemsOf(here)).join("\n")).toMatch(problem);
  });

  it("passes on the demo store and on Chinook", async () => {
    expect(await problemsOf(out)).toEqual([]);
    const chinook = join(folder, "chinook");
    await buildQuietly({
      ...CHINOOK,
      out: chinook,
      config: { ...CHINOOK.config, grid: { depth: 1, maxFiles: 1000 } },
    });
    expect(await problemsOf(chinook)).toEqual([]);
  });

  it("finds a list whose pages do not belong together", async () => {
    const here = join(folder, "torn");
    cpSync(sound, here, { recursive: true });
    const db = new Database(join(here, "manifest.sqlite"));
    db.exec("DELETE FROM file WHERE key = 'api/v1/reviews/page=2.json'");
    db.close();
    renameSync(join(here, "site/api/v1/reviews/page=2.json"), join(folder, "page2"));
    expect((await problemsOf(here)).join("\n")).toContain(
      "reviews/page=2.json: this page of its list is missing",
    );
  });
});

/** Changes the first byte of a text; without a text, the one in the middle of the file. */
function flipByte(file: string, text?: string): void {
  const bytes = readFileSync(file);
  const at = text === undefined ? bytes.length >> 1 : bytes.indexOf(text);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}
