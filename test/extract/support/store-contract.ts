/** The contract of a store's reader, for every database: each adapter's test runs this. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formsOf } from "../../../src/api/forms.ts";
import { type AllowListQuery, QUERY_COLUMNS } from "../../../src/extract/allow-list.ts";
import { BATCH_ROWS, type RowText, type StoreReader } from "../../../src/extract/store.ts";

export interface TestStore {
  /** Runs SQL like the shop's own software, beside any reader. */
  write(sql: string): Promise<unknown>;
  /** A column type for texts of a million characters. */
  readonly longText: string;
  /** The moment of the build in this database's SQL. */
  readonly now: string;
  open(now: string): Promise<StoreReader>;
  /** An expression that the database can't compute where id is 700. */
  readonly failsAt700: string;
  close(): Promise<void>;
}

const NOW = "2026-11-20 12:00:00";
const ROWS = 3 * BATCH_ROWS + 7;

function releases(sql: string): AllowListQuery {
  return { name: "releases", file: "releases.sql", sql };
}

/** The columns that releases.sql must give, from the table that the tests fill. */
const SELECT = `SELECT id, product_id, version, title, notes_html, release_date, public_url FROM releases`;

async function readAll(batches: AsyncIterable<readonly RowText[]>): Promise<(readonly RowText[])[]> {
  const all: (readonly RowText[])[] = [];
  for await (const rows of batches) all.push(rows);
  return all;
}

async function idsOf(reader: StoreReader, sql = SELECT): Promise<unknown[]> {
  return (await readAll(reader.batches(releases(sql)))).flat().map((row) => row.id);
}

/** In the order in which the record declares its columns. */
function byRecord(a: string, b: string): number {
  const place = (form: string) =>
    QUERY_COLUMNS["releases"]?.findIndex((column) => formsOf(column).includes(form)) ?? -1;
  return place(a) - place(b);
}

const ALL_IDS = Array.from({ length: ROWS }, (_, at) => at + 1);

export function describeStoreReader(adapter: string, create: () => Promise<TestStore>): void {
  describe(`a store in ${adapter}`, () => {
    let store: TestStore;
    let reader: StoreReader;

    beforeAll(async () => {
      store = await create();
    });
    beforeEach(async () => {
      await store.write(`DROP TABLE IF EXISTS releases; CREATE TABLE releases (id INTEGER PRIMARY KEY, product_id INTEGER, version VARCHAR(20),
        title VARCHAR(100), notes_html ${store.longText}, release_date VARCHAR(19), public_url VARCHAR(100))`);
      const rows = ALL_IDS.toReversed().map((id) => `(${id}, 1, '1.${id}', 'T', '', '${NOW}', NULL)`);
      await store.write(`INSERT INTO releases VALUES ${rows.join()}`);
      reader = await store.open(NOW);
    });
    afterEach(() => reader.close());
    afterAll(() => store.close());

    it("may be closed more than once", async () => {
      const own = await store.open(NOW);
      expect(await idsOf(own)).toEqual(ALL_IDS);
      await own.close();
      await expect(own.close()).resolves.toBeUndefined();
    });

    it("gives all rows once, in order of id, in batches that are full except the last", async () => {
      const shuffled = `${SELECT} ORDER BY title, product_id, id DESC`;
      const batches = await readAll(reader.batches(releases(shuffled)));
      expect(batches.map((rows) => rows.length)).toEqual([BATCH_ROWS, BATCH_ROWS, BATCH_ROWS, 7]);
      expect(batches.flat().map((row) => row.id)).toEqual(ALL_IDS);
    });

    it("reports a file's columns in the order of its record, and its query plan", async () => {
      const sql =
        "SELECT id, public_url, release_date, title, notes_html AS notes_text, version, product_id FROM releases";
      const columns = ["id", "product_id", "version", "title", "notes_text", "release_date", "public_url"];
      expect(await reader.columns(releases(sql))).toEqual(columns.toSorted(byRecord));
      expect((await reader.explain(releases(sql))).join("\n")).toMatch(/releases/);
    });

    it("gives no batch without rows", async () => {
      expect(await readAll(reader.batches(releases(`${SELECT} WHERE id < 0`)))).toEqual([]);
    });

    it("gives smaller batches if rows are large", async () => {
      await store.write(`UPDATE releases SET notes_html = '${"x".repeat(1_000_000)}' WHERE id <= 20`);
      const late = await store.open(NOW);
      const batches = await readAll(late.batches(releases(`${SELECT} WHERE id <= 20`)));
      expect(batches.length).toBeGreaterThan(3);
      expect(batches.flat()).toHaveLength(20);
      await late.close();
    });

    it("gives a row as one text, in the order of its record's columns, with NULL as null", async () => {
      const [[whole]] = (await readAll(reader.batches(releases(`${SELECT} WHERE id = 3`)))) as [[RowText]];
      expect({ ...whole, text: JSON.parse(whole.text) }).toEqual({
        id: 3,
        extra: [],
        text: QUERY_COLUMNS["releases"]?.map(
          (column) =>
            ({ id: 3, product_id: 1, version: "1.3", title: "T", notes_html: "", release_date: NOW })[
              column
            ] ?? null,
        ),
      });
      const beside = reader.batches(releases(`${SELECT} WHERE id = 3`), ["version", "public_url"]);
      expect((await readAll(beside))[0]?.[0]?.extra).toEqual(["1.3", null]);
    });

    it.each([
      ["a thousand", 1500],
      ["very many", 25_000],
    ])("gives the rows for %s ids", async (_, count) => {
      const wanted = Array.from({ length: count }, (_, at) => at * 2 + 1);
      const batches = await readAll(reader.batches(releases(SELECT), [], wanted));
      const ids = new Set(batches.flat().map(({ id }) => id));
      expect(ALL_IDS.filter((id) => id % 2 === 1 && !ids.has(id))).toEqual([]);
    });

    it("gives one row as text, which differs if a value does", async () => {
      const row = (sql: string) => reader.row({ name: "changed", file: "changed.sql", sql });
      const sql = "SELECT MAX(id), COUNT(*), MAX(title) FROM releases";
      const first = await row(sql);
      await store.write("UPDATE releases SET title = 'Z' WHERE id = 1");
      expect(await row(sql)).toBe(first);
      await reader.close();
      reader = await store.open(NOW);
      expect(await row(sql)).not.toBe(first);
      await expect(row("SELECT id FROM releases WHERE id < 0")).rejects.toThrow(/^changed\.sql gives no row/);
      await expect(row("SELECT id FROM releases")).rejects.toThrow(/^changed\.sql gives more than one row/);
      await expect(row("SELECT nothing FROM releases")).rejects.toThrow(
        /^changed\.sql(, line 1)?: .*nothing/,
      );
      await expect(row("DELETE FROM releases")).rejects.toMatchObject({ code: "allow_list_invalid" });
      expect(await row(sql)).not.toBe(first);
    });

    it("knows the moment of the build", async () => {
      expect(await idsOf(reader, `${SELECT} WHERE release_date < ${store.now}`)).toEqual([]);
      expect(await idsOf(reader, `${SELECT} WHERE release_date <= ${store.now}`)).toEqual(ALL_IDS);
    });

    it("shows one consistent state while others write", async () => {
      expect(await idsOf(reader, `${SELECT} WHERE id < 0`)).toEqual([]);
      const seen: unknown[] = [];
      for await (const rows of reader.batches(releases(SELECT))) {
        if (seen.length === 0) await store.write("DELETE FROM releases WHERE id % 2 = 0");
        seen.push(...rows.map((row) => row.id));
      }
      expect(seen).toEqual(ALL_IDS);
      expect(await idsOf(reader)).toEqual(ALL_IDS);
      const late = await store.open(NOW);
      expect(await idsOf(late)).toHaveLength(Math.ceil(ROWS / 2));
      await late.close();
    });

    it("can be read again after a reader stopped or failed within a batch", async () => {
      for await (const rows of reader.batches(releases(SELECT))) if (rows.length > 0) break;
      const failing = async () => {
        for await (const rows of reader.batches(releases(SELECT)))
          throw new Error(`failed at ${rows.length}`);
      };
      await expect(failing()).rejects.toThrow(`failed at ${BATCH_ROWS}`);
      expect(await idsOf(reader)).toEqual(ALL_IDS);
    });

    it("names the row that cannot be read, and can be read again", async () => {
      const broken = SELECT.replace("title", () => `${store.failsAt700} AS title`);
      await expect(readAll(reader.batches(releases(broken)))).rejects.toMatchObject({
        code: "rows_invalid",
        message: expect.stringMatching(/^releases\.sql: title of id 700 cannot be read: /),
      });
      expect(await idsOf(reader)).toEqual(ALL_IDS);
    });

    it.each([
      ["lacks a column", SELECT.replace("version, ", ""), /^releases\.sql lacks the column version\. /],
      [
        "gives another",
        SELECT.replace("title", "title, 1 AS secret"),
        /gives secret, which its record does not/,
      ],
      ["is not SQL", "SELEC id", /^releases\.sql, line 1: /],
      ["writes", "DELETE FROM releases RETURNING *", /^releases\.sql: /],
      ["is two statements", `${SELECT}); DELETE FROM releases; SELECT (1`, /^releases\.sql, line 1: /],
    ])("refuses SQL that %s", async (_, sql, message) => {
      await expect(readAll(reader.batches(releases(sql)))).rejects.toMatchObject({
        code: "allow_list_invalid",
        message: expect.stringMatching(message),
      });
      expect(await idsOf(reader)).toEqual(ALL_IDS);
    });

    it.each([
      [
        "ends too early",
        `${SELECT}\nWHERE`,
        /^releases\.sql, line 2: (the SQL ends too early|.*end of input)/,
      ],
      [
        "has an open bracket",
        `${SELECT}\nWHERE (id > 3`,
        /^releases\.sql, line 2: (the SQL ends|.*end of input)/,
      ],
      ["has a comma too many", "SELECT id,\n  title,\nFROM releases", /^releases\.sql, line 3: .*FROM/],
      ["closes a bracket too many", `-- 😀\n${SELECT}\nWHERE id = 3)`, /^releases\.sql, line 3: [^(]*\)/],
      ["misspells a word", `-- all\n\nSELCT id FROM releases`, /^releases\.sql, line 3: .*SELCT/],
      [
        "gives a column twice",
        `${SELECT.replace("id,", "id, id,")}`,
        /^releases\.sql.*(id more than once|'id')/,
      ],
      ["names no column", SELECT.replace("title", "titel"), /^releases\.sql(, line 1)?: .*titel/],
    ])("says where SQL is wrong that %s, and not that its own bracket is", async (_, sql, message) => {
      const thrown = await reader.columns(releases(sql)).catch((error: unknown) => error);
      expect(thrown).toMatchObject({
        code: "allow_list_invalid",
        message: expect.stringMatching(message),
      });
      expect(String(thrown)).not.toMatch(/AS file|LIMIT 0/);
      expect(await idsOf(reader)).toEqual(ALL_IDS);
    });

    it("refuses SQL with a parameter, and can be read again", async () => {
      await expect(readAll(reader.batches(releases(`${SELECT} WHERE id = $1`)))).rejects.toMatchObject({
        code: "allow_list_invalid",
      });
      expect(await idsOf(reader)).toEqual(ALL_IDS);
    });

    it("cannot be read once it is closed", async () => {
      const closed = await store.open(NOW);
      await closed.close();
      await expect(readAll(closed.batches(releases(SELECT)))).rejects.toThrow();
    });
  });
}
