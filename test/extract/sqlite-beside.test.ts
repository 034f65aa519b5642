/** What a thread reads beside: of the very picture, or not at all. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { holdFile } from "../../src/extract/stores/held-file.ts";
import { SqliteBeside } from "../../src/extract/stores/sqlite-beside.ts";
import { changesSince } from "../../src/extract/stores/sqlite-changes.ts";
import { sqliteFilesOf } from "../../src/extract/stores/sqlite-files.ts";
import { digestAhead } from "../../src/extract/stores/sqlite-pages.ts";
import { beginPicture, type Picture } from "../../src/extract/stores/sqlite-picture.ts";
import type { Plan } from "../../src/extract/stores/sqlite-plan.ts";
import { connect, type Reading } from "../../src/extract/stores/sqlite-rows.ts";

const READING: Reading = {
  ...{ ctes: "", source: "(SELECT id, name FROM item WHERE id <= :last) AS file", where: "" },
  ...{ bound: [{ last: 3 }], columns: ["id", "name"], beside: ["name"] },
};

const PLAN: Plan = {
  ...{ name: "items", query: "SELECT id, name FROM item", owner: null },
  ...{ sql: "EXPLAIN SELECT id, name FROM item", bound: [] },
};

const ROWS = [1, 2, 3].map((id) => ({ id, text: `[${id},"n${id}"]`, beside: [`n${id}`] }));

describe.each(["delete", "wal"])("in a store with journal_mode = %s", (mode) => {
  let folder: string;
  let file: string;
  let shop: Database.Database;
  let reader: Database.Database;
  const opened: SqliteBeside[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-beside-"));
    file = join(folder, "store.sqlite");
    shop = new Database(file, { timeout: 50 });
    shop.pragma(`journal_mode = ${mode}`);
    shop.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
    for (let id = 1; id <= 900; id++) shop.prepare("INSERT INTO item VALUES (?, ?)").run(id, `n${id}`);
    reader = connect(file, 0);
  });

  afterEach(async () => {
    for (const beside of opened.splice(0)) await beside.close();
    reader.close();
    shop.close();
    rmSync(folder, { recursive: true });
  });

  function pictureOf(): Picture {
    const files = sqliteFilesOf(file);
    const picture = beginPicture(reader, files, holdFile(files.main));
    if (picture === null) throw new Error("there is no picture");
    return picture;
  }

  function besideOf(picture: Picture, fromBytes = 0): SqliteBeside {
    const beside = new SqliteBeside(file, picture, fromBytes);
    opened.push(beside);
    return beside;
  }

  const rename = () => shop.prepare("UPDATE item SET name = 'other' WHERE id = 2").run();

  it("they are those that the transaction sees", async () => {
    const beside = besideOf(pictureOf());
    expect(await beside.read(READING)).toEqual(ROWS);
    expect(await beside.read({ ...READING, bound: [{ last: 1 }] })).toEqual(ROWS.slice(0, 1));
    expect(await beside.read({ ...READING, bound: [{ last: 0 }] })).toEqual([]);
  });

  it("there are none where another commit came between", async () => {
    const picture = pictureOf();
    // Without a log, the transaction keeps writers out.
    if (mode === "wal") rename();
    else expect(rename).toThrow("locked");
    expect(await besideOf(picture).read(READING)).toEqual(mode === "wal" ? null : ROWS);
  });

  it("there are none where another file took the store's place", async () => {
    const picture = pictureOf();
    const other = join(folder, "other.sqlite");
    const db = new Database(other);
    db.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
    db.close();
    rmSync(file);
    renameSync(other, file);
    expect(await besideOf(picture).read(READING)).toBeNull();
  });

  it("there are none where the SQL fails, or gives more than a batch", async () => {
    const beside = besideOf(pictureOf());
    expect(await beside.read({ ...READING, source: "(SELECT nothing) AS file" })).toBeNull();
    expect(await beside.read({ ...READING, bound: [{ last: 501 }] })).toBeNull();
    expect(await beside.read({ ...READING, bound: [{ last: 500 }] })).toHaveLength(500);
  });

  it("a fingerprint is of the very picture, and leaves it locked", async () => {
    const picture = pictureOf();
    const beside = besideOf(picture);
    const made = await beside.fingerprint([PLAN]);
    await beside.close();
    const write = `const db = new (require("better-sqlite3"))(${JSON.stringify(file)}, { timeout: 0 });
      try { db.exec("UPDATE item SET name = 'other'"); console.log("written"); } catch (error) { console.log(error.code); }`;
    const outcome = execFileSync(process.execPath, ["-e", write], { encoding: "utf8" }).trim();
    expect(outcome).toBe(mode === "wal" ? "written" : "SQLITE_BUSY");
    if (mode === "delete") await vi.waitUntil(() => digestAhead(file, 0));
    expect(changesSince(reader, picture, made, [PLAN])).toEqual({ fingerprint: made, changed: new Set() });
  });

  it("there is no fingerprint where a commit came between, or somebody writes over the file", async () => {
    const picture = pictureOf();
    const beside = besideOf(picture);
    if (mode === "wal") rename();
    else utimesSync(file, 1, 1);
    expect(await beside.fingerprint([PLAN])).toBeNull();
  });

  it("there are none of a small store", async () => {
    expect(await besideOf(pictureOf(), 64_000_000).read(READING)).toBeNull();
  });

  it("a writer that waits for the transaction to end does not hold it up for long", async () => {
    if (mode === "wal") return;
    const picture = pictureOf();
    shop.pragma("locking_mode = EXCLUSIVE");
    shop.exec("BEGIN IMMEDIATE");
    shop.prepare("UPDATE item SET name = 'other' WHERE id = 2").run();
    expect(() => shop.exec("COMMIT")).toThrow("locked");
    // The commit that was refused keeps others from beginning to read.
    expect(await besideOf(picture).read(READING)).toBeNull();
    shop.exec("ROLLBACK");
  });
});
