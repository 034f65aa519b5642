/** Where a mistake is: in the file or in the views that are put before it, counted as an editor counts. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const store = join(folder, "store.sqlite");
const FAQS = "SELECT id, type, question_html FROM faqs";
const db = new Database(store);
db.exec("CREATE TABLE faqs (id INTEGER PRIMARY KEY, type TEXT, question_html TEXT)");
db.close();

/** What is said of faqs.sql; "" if its columns can be read. */
async function saidOf(faqs: string, views?: string): Promise<string> {
  const queries = join(folder, "queries");
  rmSync(queries, { recursive: true, force: true });
  mkdirSync(queries);
  for (const file of ["store", "categories", "products"])
    writeFileSync(join(queries, `${file}.sql`), "SELECT 1");
  writeFileSync(join(queries, "faqs.sql"), faqs);
  if (views !== undefined) writeFileSync(join(queries, "_views.sql"), views);
  const reader = await openStore(store, "2026-11-20 12:00:00");
  try {
    const query = readAllowList(queries)["faqs"];
    if (query !== undefined) await reader.columns(query);
    return "";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await reader.close();
  }
}

const VIEWS = `-- for all files
WITH shown AS (
  SELECT id FROM faqs
),
unused AS (
  SELECT nothing FROM nowhere
),
misspelt AS (
  SELECT id
  FORM faqs
)
`;

it.each([
  ["its own line", `-- faqs\n\n${FAQS}\nWERE id = 3`, /^faqs\.sql, line 4: near "id": syntax error\.$/],
  [
    "its own line, counted without the views before it",
    `${FAQS}\nJOIN shown USING (id)\nWHERE`,
    /^faqs\.sql, line 3: the SQL ends too early/,
  ],
  [
    "its own line behind its own WITH and the views",
    `-- faqs\nWITH few AS (\n  SELECT id FROM shown\n)\n${FAQS}\nJOIN few\nUSNG (id)`,
    /^faqs\.sql, line 7: near "\(": syntax error\.$/,
  ],
  [
    "the line of the view",
    `${FAQS}\nWHERE id IN (SELECT id FROM misspelt)`,
    /^_views\.sql, line 10 \(used by faqs\.sql\): near "faqs": syntax error\.$/,
  ],
])("a mistake is said with %s", async (_, faqs, message) => {
  expect(await saidOf(faqs, VIEWS)).toMatch(message);
});

it.each([
  `${FAQS};`,
  `${FAQS};\n-- done\n`,
  `${FAQS}; ;`,
  `${FAQS}; /* done; */ -- yes;`,
  `${FAQS} -- done;`,
])("a semicolon at the end is no mistake, also before a comment: %j", async (faqs) => {
  expect(await saidOf(faqs)).toBe("");
  expect(await saidOf(faqs, VIEWS)).toBe("");
});

it("what is right alone and not within brackets keeps the rule", async () => {
  expect(await saidOf("DELETE FROM faqs")).toBe(
    'faqs.sql: near "DELETE": syntax error. It must be one SELECT whose columns all have different names.',
  );
  expect(await saidOf(`${FAQS}; SELECT ';'`)).toBe(
    "faqs.sql: The supplied SQL string contains more than one statement.",
  );
  expect(await saidOf(FAQS.replace("id", "id, id"))).toMatch(/^faqs\.sql gives id more than once\./);
});

// SQLite 3.54.1 reads such a column, but not as a column of a subquery. Anki calls its order `unicase`, programs with ICU choose names.
it("a column in an order of the shop's own program is named with what to write instead", async () => {
  const own = new Database(store);
  own.exec("CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE)");
  own.unsafeMode().exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase') WHERE name = 'decks'`);
  own.close();
  const deck = "SELECT id, 'sales' AS type, ";
  expect(await saidOf(`${deck}name AS question_html FROM decks`)).toMatch(
    /^faqs\.sql: no such collation sequence: unicase.*title COLLATE BINARY AS title.*\.$/,
  );
  expect(await saidOf(`${deck}name COLLATE BINARY AS question_html FROM decks`)).toBe("");
});
