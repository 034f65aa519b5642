import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { encodeJson } from "../../src/base/json.ts";
import { SILENT } from "../../src/base/log.ts";
import { createCatalog } from "../../src/catalog/catalog-file.ts";
import { dataBody } from "../../src/catalog/envelope.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { madeFile } from "../../src/site/made-file.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { lockOut } from "../../src/site/out.ts";
import { verifySnapshot } from "../../src/site/verify.ts";
import { finishCommit, NextSnapshot } from "../../src/site/writer.ts";
import { vitrine } from "../support/command.ts";
import { copySnapshot } from "../support/shared-demo.ts";
import {
  buildQuietly,
  demoInputs,
  readStamps,
  readTree,
  SMALL_CONFIG,
  smallStore,
  temporaryFolder,
} from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const store = smallStore();

describe("a commit that stops halfway", () => {
  const NOW = "2026-11-20T12:00:00+00:00";
  const bodyOf = (text: string) => dataBody(encodeJson(text));

  /** A snapshot of these keys, each with its text, and a catalog; without `finish` it stops before the first move. */
  function write(out: string, texts: Readonly<Record<string, string>>, finish = true): void {
    const layout = layoutOf(out);
    mkdirSync(layout.nextFiles, { recursive: true });
    const catalog = createCatalog(layout.nextCatalog);
    const digest = catalog.finish({ config: JSON.stringify(texts), store: "{}" }, NOW);
    catalog.commit();
    const meta = { catalog_digest: digest };
    const previous = existsSync(layout.manifest) ? openManifest(layout.manifest) : null;
    const writer = new NextSnapshot(layout, previous, {
      now: NOW,
      remembers: true,
    });
    for (const [key, text] of Object.entries(texts)) writer.put(madeFile(key, bodyOf(text)));
    if (finish) {
      writer.commit(meta, null);
      return;
    }
    const aside = `${layout.site}.aside`;
    if (existsSync(layout.site)) renameSync(layout.site, aside);
    writeFileSync(layout.site, "in the way");
    expect(() => writer.commit(meta, null)).toThrow();
    rmSync(layout.site);
    if (existsSync(aside)) renameSync(aside, layout.site);
  }

  it("is completed from its list of moves: files, catalog, deletions and manifest", () => {
    const out = join(folder, "journal");
    write(out, { "api/a.json": "1", "api/b.json": "1", "api/gone/c.json": "1" });
    write(out, { "api/a.json": "2", "api/b.json": "1", "api/new/d.json": "1" }, false);
    const layout = layoutOf(out);
    expect(existsSync(layout.moves)).toBe(true);
    expect(readFileSync(join(layout.site, "api/a.json"), "utf8")).toContain('"1"');
    finishCommit(layout);
    finishCommit(layout);
    expect([...readTree(layout.site).keys()].sort()).toEqual(["api/a.json", "api/b.json", "api/new/d.json"]);
    expect(readFileSync(join(layout.site, "api/a.json"), "utf8")).toContain('"2"');
    expect(existsSync(join(layout.site, "api/gone"))).toBe(false);
    expect(existsSync(layout.next)).toBe(false);
    const manifest = openManifest(layout.manifest);
    expect([...manifest.entries()].map((entry) => entry.key)).toEqual([
      "api/a.json",
      "api/b.json",
      "api/new/d.json",
    ]);
    manifest.close();
  });

  it("is discarded if the catalog is not the one in its list", () => {
    const out = join(folder, "thrown-away");
    write(out, { "api/a.json": "1", "api/gone/c.json": "1" });
    const layout = layoutOf(out);
    const before = readTree(out);
    write(out, { "api/a.json": "2", "api/new/d.json": "1" }, false);
    // As if the process had ended before the commit: with the previous catalog.
    writeFileSync(layout.catalog, before.get("catalog.sqlite") ?? "");
    finishCommit(layout);
    expect(readTree(out)).toEqual(before);
    expect(existsSync(layout.next)).toBe(false);
  });

  it("is reported by check until it is completed", async () => {
    const out = join(folder, "reported");
    write(out, { "widgets/reviews.js": "1" });
    write(out, { "widgets/reviews.js": "2" }, false);
    const { problems } = await verifySnapshot(layoutOf(out), () => {});
    expect(problems.join()).toContain("a build was interrupted");
  });
});

describe("the lock of an output folder", () => {
  it("admits one build, refuses another, and is free again afterwards", async () => {
    const out = join(folder, "locked");
    mkdirSync(out);
    const lock = await lockOut(layoutOf(out), "exclusive", {});
    await expect(buildQuietly(demoInputs(store, out))).rejects.toThrow(VitrineError);
    await expect(buildQuietly(demoInputs(store, out))).rejects.toThrow(
      new RegExp(`is locked by another build, .*: process ${process.pid} on .*, since 20.*Z`),
    );
    lock[Symbol.dispose]();
    using _free = await lockOut(layoutOf(out), "exclusive", { waitSeconds: 0 });
  });

  it("admits any number of reading publishes but no build meanwhile, and no reader during a build", async () => {
    const out = join(folder, "shared");
    mkdirSync(out);
    const layout = layoutOf(out);
    const read = () => lockOut(layout, "shared", { waitSeconds: 0 });
    const readers = [await read(), await read()];
    const build = () => buildQuietly(demoInputs(store, out));
    await expect(build()).rejects.toThrow(expect.objectContaining({ code: "out_busy" }));
    readers.pop()?.[Symbol.dispose]();
    await expect(build()).rejects.toThrow(/or by a publish that reads the folder/);
    readers.pop()?.[Symbol.dispose]();
    const building = await lockOut(layout, "exclusive", { waitSeconds: 0 });
    await expect(read()).rejects.toThrow(/is locked by a build: process/);
    building[Symbol.dispose]();
    using _free = await read();
  });

  it("goes to waiting processes before one that takes it again and again", async () => {
    const out = join(folder, "turns");
    mkdirSync(out);
    const layout = layoutOf(out);
    let builds = 0;
    let isOver = false;
    const watch = (async () => {
      while (!isOver) {
        using _lock = await lockOut(layout, "exclusive", {});
        builds += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (const how of ["exclusive", "shared", "exclusive", "shared"] as const) {
      const before = builds;
      using _lock = await lockOut(layout, how, {});
      // The running one, one more that already had the turn, and what a busy machine does before this process asks for it.
      expect(builds - before).toBeLessThanOrEqual(5);
    }
    isOver = true;
    await watch;
  });

  it("is awaited as long as wanted, and no longer once the wait is aborted", async () => {
    const out = join(folder, "waits");
    mkdirSync(out);
    const layout = layoutOf(out);
    const holder = await lockOut(layout, "exclusive", {});
    await expect(lockOut(layout, "shared", { waitSeconds: 0.1 })).rejects.toThrow(/Gave up after 0.1 s/);
    const abort = new AbortController();
    const ended = lockOut(layout, "shared", { signal: abort.signal });
    abort.abort();
    await expect(ended).rejects.toMatchObject({ code: "out_busy" });
    const said: string[] = [];
    const log = { ...SILENT, info: (message: string) => said.push(message) };
    const waiting = lockOut(layout, "shared", { log });
    await until("a message that names the holder", () => said.length > 0);
    expect(said).toEqual([
      expect.stringMatching(/^waiting for up to 120 s: .* is locked by a build: process/),
    ]);
    holder[Symbol.dispose]();
    using _lock = await waiting;
  });
});

describe("a build of an emptied store", () => {
  it("is refused like its publish, and leaves the snapshot unchanged, unless the deletions are allowed by number", () => {
    const out = join(folder, "shrink");
    const config = join(folder, "shrink.json");
    writeFileSync(config, JSON.stringify({ ...SMALL_CONFIG, queries: resolve("templates/queries") }));
    const emptied = join(folder, "emptied.sqlite");
    cpSync(store, emptied);
    const db = new Database(emptied);
    // Nothing at all would be refused for another reason.
    db.exec(`UPDATE products SET status = 'archived'
      WHERE id <> (SELECT MIN(id) FROM products WHERE status = 'published')`);
    db.close();
    const build = (from: string, ...more: string[]) =>
      vitrine(["build", "--store", from, "--out", out, "--config", config, ...more]);
    copySnapshot("small", out);
    const before = [readTree(out), readStamps(out)];
    const refused = build(emptied);
    expect(refused.status).toBe(6);
    expect(refused.stderr).toMatch(/Building would delete [\d,]+ of [\d,]+ files/);
    expect([readTree(out), readStamps(out)]).toEqual(before);
    const [, allowed = ""] = /--allow-shrink (\d+)/.exec(refused.stderr) ?? [];
    expect(build(emptied, "--allow-shrink", allowed).status).toBe(0);
    expect(existsSync(join(out, "site/api/v1/index.json"))).toBe(true);
  });
});
