/** Which files of the allow-list must be read again: never too few, whatever is done to the store. */
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Random } from "../../scripts/bench/random.ts";
import { type AllowListQuery, OWNER_COLUMNS, usesNow } from "../../src/extract/allow-list.ts";
import type { RowsBy } from "../../src/extract/id-ranges.ts";
import type { StoreReader } from "../../src/extract/store.ts";
import { parseFingerprint } from "../../src/extract/stores/sqlite-fingerprint.ts";
import { stampOf } from "../../src/extract/stores/sqlite-stamp.ts";
import {
  askChanges,
  changesOf,
  createShop,
  fingerprintOf,
  QUERIES,
  withReader,
} from "./support/changing-store.ts";
import { editAtRandom, editColumn } from "./support/random-edits.ts";

const STEPS = 160;
/** Tables of which some file reads few columns. */
const TABLES = ["products", "releases", "blog_posts", "users"];
const NAMES = QUERIES.map(({ name }) => name);

/** A row: its id, its owner where it has one, its text. */
type Row = readonly [id: unknown, owner: unknown, text: string];

function createTest({ column, ranges }: RowsBy): (row: Row) => boolean {
  return ([id, owner]) => {
    const number = column === "id" ? id : owner;
    return ranges.some(([first, last]) => typeof number === "number" && first <= number && number <= last);
  };
}

async function rowsOf(reader: StoreReader, query: AllowListQuery, wanted?: RowsBy) {
  const rows = new Map<unknown, Row>();
  const owner = OWNER_COLUMNS[query.name];
  for await (const batch of reader.batches(query, owner === undefined ? [] : [owner], wanted))
    for (const { id, text, beside } of batch) rows.set(id, [id, beside[0], text]);
  return rows;
}

function isSame(some: ReadonlyMap<unknown, Row> = new Map(), others: ReadonlyMap<unknown, Row> = new Map()) {
  return some.size === others.size && [...some].every(([id, row]) => others.get(id)?.[2] === row[2]);
}

/** Whose each page is, by name. */
function ownersIn(fingerprint: Buffer | null): string[] {
  const { owners } = parseFingerprint(fingerprint ?? Buffer.alloc(0)) ?? {};
  return [...(owners?.numbers ?? [])].map((number) => owners?.names[number - 1] ?? "");
}

describe.each(["delete", "wal"])("a random walk (%s)", (journal) => {
  it("names every file whose rows differ, and spares most of the others", async () => {
    const { file, shop } = createShop(journal);
    const random = new Random("walk", journal);
    let before: Buffer | null = null;
    let rows = new Map<string, Map<unknown, Row>>();
    const seen = { differ: 0, spared: 0, all: 0, untold: 0, narrow: 0, ofOwners: 0 };
    for (let step = 0; step < STEPS; step++) {
      editAtRandom(shop, random, step);
      if (random.chance(50)) editColumn(shop, random, random.pick(TABLES));
      if (random.chance(10)) shop.pragma("wal_checkpoint(PASSIVE)");
      await withReader(file, async (reader) => {
        // The shop goes on while the store is read: what it commits now is for the next step to tell.
        if (journal === "wal" && random.chance(50)) editAtRandom(shop, random, STEPS + step, 0);
        if (journal === "wal" && random.chance(20)) shop.pragma("wal_checkpoint(PASSIVE)");
        const { fingerprint, changed, within } = await askChanges(reader, before, QUERIES);
        if (step % 8 === 0) {
          const { fingerprint: anew } = await askChanges(reader, null, QUERIES);
          // A page that a b-tree gave away is taken for its own until another one has it.
          const free = ownersIn(anew).map((owner) => owner === "");
          const [kept, made] = [ownersIn(fingerprint), ownersIn(anew)];
          expect(
            kept.filter((_, at) => !free[at]),
            `step ${step}`,
          ).toEqual(made.filter((_, at) => !free[at]));
        }
        const now = new Map<string, Map<unknown, Row>>();
        for (const query of QUERIES) now.set(query.name, await rowsOf(reader, query));
        const differ = NAMES.filter((name) => step > 0 && !isSame(now.get(name), rows.get(name)));
        for (const [name, [wanted]] of within ?? []) {
          if (wanted === undefined) throw new Error(name);
          const query = QUERIES.find((each) => each.name === name) as AllowListQuery;
          const isMeant = createTest(wanted);
          const others = (all = new Map<unknown, Row>()) => [...all.values()].filter((row) => !isMeant(row));
          expect(others(now.get(name)), `${name}, step ${step}`).toEqual(others(rows.get(name)));
          const few = [...(await rowsOf(reader, query, wanted)).values()].filter(isMeant);
          expect(few, `${name}, step ${step}`).toEqual([...(now.get(name)?.values() ?? [])].filter(isMeant));
          seen.narrow += Number(now.get(name)?.size !== few.length);
          seen.ofOwners += Number(wanted.column !== "id" && now.get(name)?.size !== few.length);
        }
        const named = changed === "all" ? NAMES : [...changed];
        expect(named, `step ${step}`).toEqual(expect.arrayContaining(differ));
        seen.differ += differ.length;
        seen.spared += NAMES.length - named.length;
        seen.all += Number(changed === "all");
        seen.untold += Number(fingerprint === null);
        before = fingerprint;
        rows = now;
      });
    }
    // The walk is worth something: rows differed, and most files were spared.
    expect(seen.differ).toBeGreaterThan(50);
    expect(seen.spared).toBeGreaterThan((STEPS * NAMES.length) / 2);
    expect(seen.untold).toBe(0);
    expect(seen.narrow).toBeGreaterThan(20);
    expect(seen.ofOwners).toBeGreaterThan(0);
  });
});

describe("rows that are stored in order of a key WITHOUT ROWID", () => {
  const QUERY: AllowListQuery = {
    name: "reviews",
    file: "shelves.sql",
    sql: `SELECT s.product_id AS id, s.product_id AS product_id, 5 AS rating, '' AS title,
        group_concat(s.shelf || s.note, ',' ORDER BY s.shelf) AS body, '' AS customer_display_name,
        NULL AS customer_avatar, 1 AS verified_purchase, '2026-11-20 12:00:00' AS created_at
      FROM shelves AS s GROUP BY s.product_id`,
  };
  const OWNERS = [0, 1, 2, 127, 128, 40_000, 9_000_000, -1, -300, 2 ** 33, 2 ** 50, -(2 ** 44)];
  const OWNER_EDGES = OWNERS.flatMap((owner) => [owner - 1, owner, owner + 1]);

  it("are told by its first column, whatever comes and goes", async () => {
    const { file, shop } = createShop("delete");
    shop.exec(
      "CREATE TABLE shelves (product_id INTEGER, shelf INTEGER, note TEXT, PRIMARY KEY (product_id, shelf)) WITHOUT ROWID",
    );
    const put = shop.prepare("INSERT OR REPLACE INTO shelves VALUES (?, ?, ?)");
    const random = new Random("walk", "shelves");
    const owner = () => (random.chance(30) ? random.pick(OWNER_EDGES) : random.below(4000) - 2000);
    // Of one product as many as fill pages; of some a text that needs pages of its own.
    const fill = shop.transaction((rows: number) => {
      for (let row = 0; row < rows; row++)
        put.run(
          random.chance(10) ? 77 : owner(),
          random.below(400),
          "n".repeat(random.chance(1) ? 9000 : 90),
        );
    });
    fill(12_000);
    let before: Buffer | null = null;
    let rows = new Map<unknown, Row>();
    let narrow = 0;
    for (let step = 0; step < 60; step++) {
      const id = owner();
      if (step > 0 && random.chance(50)) fill(1 + random.below(6));
      else if (random.chance(50))
        shop.prepare("DELETE FROM shelves WHERE product_id BETWEEN ? AND ? + 3").run(id, id);
      else shop.prepare("UPDATE shelves SET note = note || 'x' WHERE product_id = ?").run(id);
      await withReader(file, async (reader) => {
        const { fingerprint, changed, within } = await askChanges(reader, before, [QUERY]);
        const now = await rowsOf(reader, QUERY);
        const wanted = within?.get(QUERY.name)?.[0];
        const differing = [...new Map([...rows, ...now]).values()].filter(
          ([key, , text]) => rows.get(key)?.[2] !== text || now.get(key)?.[2] !== text,
        );
        if (step > 0 && changed !== "all" && !changed.has(QUERY.name)) expect(differing).toEqual([]);
        if (step > 0 && wanted !== undefined) {
          expect(
            differing.filter((row) => !createTest(wanted)(row)),
            `step ${step}`,
          ).toEqual([]);
          const few = await rowsOf(reader, QUERY, wanted);
          for (const row of few.values()) expect(row[2]).toBe(now.get(row[0])?.[2]);
          narrow += Number(few.size < now.size / 4);
        }
        before = fingerprint;
        rows = now;
      });
    }
    expect(narrow).toBeGreaterThan(20);
  });

  it.each(["product_id DESC, shelf", "note, product_id"])("are all read where the key is %s", async (key) => {
    const { file, shop } = createShop("delete");
    shop.exec(
      `CREATE TABLE shelves (product_id INTEGER, shelf INTEGER, note TEXT, PRIMARY KEY (${key})) WITHOUT ROWID`,
    );
    const put = shop.prepare("INSERT INTO shelves VALUES (?, ?, ?)");
    shop.transaction(() => {
      for (let row = 0; row < 4000; row++) put.run(row, 1, `n${row}`.padEnd(90));
    })();
    const before = await fingerprintOf(file);
    shop.exec("UPDATE shelves SET shelf = 2 WHERE product_id = 2000");
    const { changed, within } = await changesOf(file, before, [QUERY]);
    expect([changed, within?.has(QUERY.name)]).toEqual([new Set([QUERY.name]), false]);
  });
});

describe.each(["delete", "truncate", "wal"])("what changed in a store (%s)", (journal) => {
  it("is nothing where nothing did, or only what is private", async () => {
    const { file, shop } = createShop(journal);
    const before = await fingerprintOf(file);
    expect(await changesOf(file, before)).toEqual({ fingerprint: before, changed: new Set() });
    shop.exec(`UPDATE orders SET status = 'refunded'; DELETE FROM sessions;
      INSERT INTO audit_log (id) SELECT MAX(id) + 1 FROM audit_log`);
    const { fingerprint, changed } = await changesOf(file, before);
    expect(changed).toEqual(new Set());
    expect(fingerprint).not.toEqual(before);
  });

  it("is the files that read a changed table, by whatever view or index", async () => {
    const { file, shop } = createShop(journal);
    shop.exec("CREATE VIEW answers AS SELECT * FROM faqs; CREATE VIEW more AS SELECT * FROM answers");
    const views = QUERIES.map((query) => ({ ...query, sql: query.sql.replace(/\bfaqs\b/g, "more") }));
    const before = await fingerprintOf(file);
    shop.exec("UPDATE faqs SET question = question || '?'");
    expect((await changesOf(file, before, views)).changed).toEqual(new Set(["faqs"]));
    shop.exec("DELETE FROM faqs; DELETE FROM blog_posts");
    expect((await changesOf(file, before, views)).changed).toEqual(new Set(["faqs", "blog", "next_change"]));
  });

  it("is nothing where the same was written again", async () => {
    const { file, shop } = createShop(journal);
    const before = await fingerprintOf(file);
    shop.exec("UPDATE faqs SET question = question");
    expect((await changesOf(file, before)).changed).toEqual(new Set());
  });

  it("is everything after a change of the schema, a VACUUM or an ANALYZE", async () => {
    const { file, shop } = createShop(journal);
    for (const sql of [
      "ALTER TABLE users ADD COLUMN extra",
      "VACUUM",
      "ANALYZE",
      "DELETE FROM sessions; ANALYZE",
      "DROP TABLE sessions",
    ]) {
      const before = await fingerprintOf(file);
      shop.exec(sql);
      expect((await changesOf(file, before)).changed, sql).toBe("all");
    }
  });

  it("counts pages that a large text needs beside its row", async () => {
    const { file, shop } = createShop(journal);
    shop.exec(
      "UPDATE faqs SET answer_html = printf('%.*c', 50000, 'a') WHERE id = (SELECT MIN(id) FROM faqs)",
    );
    const before = await fingerprintOf(file);
    // The last of its pages alone: nothing in the table's own pages differs.
    shop.exec(
      `UPDATE faqs SET answer_html = substr(answer_html, 1, 49999) || 'b' WHERE length(answer_html) = 50000`,
    );
    expect((await changesOf(file, before)).changed).toEqual(new Set(["faqs"]));
  });
});

describe("everything may have changed", () => {
  it("where the schema differs by no more than its text", async () => {
    const { file, shop } = createShop("delete");
    shop.exec("CREATE VIEW shown AS SELECT 1 AS a");
    const before = await fingerprintOf(file);
    const cookie = Number(shop.pragma("schema_version", { simple: true }));
    shop.exec("DROP VIEW shown; CREATE VIEW shown AS SELECT 2 AS a");
    // A fork that had as many changes of its own has the same number.
    shop.pragma(`schema_version = ${cookie}`);
    expect((await changesOf(file, before)).changed).toBe("all");
  });

  it("where the fingerprint is no longer whole, or of another store", async () => {
    const { file, shop } = createShop("delete");
    const before = await fingerprintOf(file);
    const spoilt = Buffer.from(before);
    spoilt.fill(255, before.length - 3);
    const other = createShop("delete");
    other.shop.exec("CREATE TABLE another (id)");
    const foreign = await fingerprintOf(other.file);
    shop.exec("UPDATE faqs SET position = position + 1");
    for (const bytes of [spoilt, before.subarray(0, -20), Buffer.alloc(0), Buffer.from("{}"), foreign]) {
      expect((await changesOf(file, bytes)).changed).toBe("all");
    }
  });

  it("where the store's journal is of another kind", async () => {
    const { file, shop } = createShop("delete");
    const before = await fingerprintOf(file);
    shop.pragma("journal_mode = WAL");
    expect((await changesOf(file, before)).changed).toBe("all");
  });

  it("in a file that reads a virtual table, and in one whose SQL fails", async () => {
    const { file, shop } = createShop("delete");
    const list = (name: string, sql: string): AllowListQuery => ({ name, file: `${name}.sql`, sql });
    const queries = [
      list("next_change", "SELECT value AS next_change_at FROM json_each('[1]')"),
      list("store", "SELECT nothing"),
      ...QUERIES.filter(({ name }) => name === "faqs"),
    ];
    const before = await fingerprintOf(file);
    shop.exec("DELETE FROM sessions");
    expect((await changesOf(file, before, queries)).changed).toEqual(new Set(["next_change", "store"]));
  });

  it("where another store was copied over this one beside the reader", async () => {
    const { file } = createShop("delete");
    const other = createShop("delete");
    const changes = await withReader(file, (reader) => {
      copyFileSync(other.file, file);
      return askChanges(reader, null, QUERIES);
    });
    expect(changes).toEqual({ fingerprint: null, changed: "all" });
  });
});

/** More rows than one batch has. */
const MANY: AllowListQuery = {
  ...{ name: "reviews", file: "reviews.sql", columns: ["id"] },
  sql: "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 2000) SELECT id FROM n",
};

describe("a store that is read", () => {
  it("has the fingerprint of what its reader sees, also where the log is begun anew beside it", async () => {
    const { file, shop } = createShop("wal");
    shop.exec("UPDATE faqs SET position = position + 1");
    const before = await fingerprintOf(file);
    shop.pragma("wal_checkpoint(PASSIVE)");
    const beside = await withReader(file, (reader) => {
      shop.exec("DELETE FROM blog_posts");
      return askChanges(reader, before, QUERIES);
    });
    expect(beside).toEqual({ fingerprint: before, changed: new Set() });
    expect((await changesOf(file, before)).changed).toEqual(new Set(["blog", "next_change"]));
  });

  it.each([
    ["by a thread", false],
    ["here, where the thread would see another picture", true],
  ])("has its fingerprint made beside its rows where it is large: %s", async (_where, isWritten) => {
    const { file, shop } = createShop("wal");
    shop.exec("CREATE TABLE filler AS SELECT zeroblob(70000000) AS bytes");
    await withReader(file, async (reader) => {
      if (isWritten) shop.exec("DELETE FROM sessions");
      const { fingerprint, changed } = await reader.changesSince(null, QUERIES);
      expect(changed).toBe("all");
      for (const query of QUERIES)
        for await (const rows of reader.batches(query)) expect(rows).not.toEqual([]);
      // The thread is done while rows are still read here: then this connection takes no other statement.
      for await (const [first] of reader.batches(MANY)) if (first?.id === 1) await setTimeout(500);
      const known = await fingerprint();
      expect(await askChanges(reader, known, QUERIES)).toEqual({ fingerprint: known, changed: new Set() });
    });
  });

  it("stays locked for other processes' writes while its pages are looked at", async () => {
    const { file, shop } = createShop("delete");
    shop.close();
    const write = `const db = new (require("better-sqlite3"))(${JSON.stringify(file)}, { timeout: 0 });
      try { db.exec("DELETE FROM sessions"); console.log("written"); } catch (error) { console.log(error.code); }`;
    const tryToWrite = (): string =>
      execFileSync(process.execPath, ["-e", write], { encoding: "utf8" }).trim();
    await withReader(file, async (reader) => {
      stampOf(file);
      await askChanges(reader, null, QUERIES);
      stampOf(file);
      expect(tryToWrite()).toBe("SQLITE_BUSY");
    });
    expect(tryToWrite()).toBe("written");
  });
});

describe("a file of the allow-list", () => {
  it("uses the moment of the build where its SQL names it", () => {
    const query = (sql: string): AllowListQuery => ({ name: "blog", file: "blog.sql", sql });
    expect(usesNow(query("SELECT :now"))).toBe(true);
    expect(usesNow(query("SELECT :nowhere, now"))).toBe(false);
  });
});
