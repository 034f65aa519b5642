/** What the runtime's SQLite does otherwise than better-sqlite3, and the port makes equal: each asked of both. */
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../src/base/sql.ts";

/** Small programs over the port, as text, because they run inside the object. `transaction` undoes all of a failed one. */
const PROGRAMS = {
  "reads one row of many, then drops the table": `
    sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    for (let id = 1; id <= 500; id++) sql.prepare("INSERT INTO t VALUES (?)").run(id);
    const first = sql.prepare("SELECT id FROM t ORDER BY id").pluck().get();
    sql.exec("DROP TABLE t");
    return first;`,
  "keeps what a statement wrote whose RETURNING gives more rows than are asked for": `
    sql.exec("CREATE TABLE u (id INTEGER PRIMARY KEY, word TEXT)");
    for (let id = 1; id <= 3; id++) sql.prepare("INSERT INTO u VALUES (?, ?)").run(id, "before");
    const id = sql.prepare("UPDATE u SET word = 'after' RETURNING id").pluck().get();
    return [id, sql.prepare("SELECT count(*) FROM u WHERE word = 'after'").pluck().get()];`,
  "says how many rows a deletion found": `
    sql.exec("CREATE TABLE v (id INTEGER PRIMARY KEY)");
    sql.prepare("INSERT INTO v VALUES (?)").run(1);
    const remove = sql.prepare("DELETE FROM v WHERE id = ?");
    return [remove.run(1).changes > 0, remove.run(1).changes];`,
  "gives bytes back as a buffer": `
    const bytes = sql.prepare("SELECT ? AS bytes").get(Buffer.from([0, 255, 7])).bytes;
    return [Buffer.isBuffer(bytes), [...bytes]];`,
  "makes one sign of half a surrogate pair": `
    return sql.prepare("SELECT ? AS text, hex(?)").raw().get("a\\ud83dz", "a\\ud83dz");`,
  "binds no boolean as a text": `
    try { sql.prepare("SELECT ?").get(true); return "bound"; } catch (error) { return error.name; }`,
  "gives whole numbers back as they were": `
    sql.exec("CREATE TABLE w (id INTEGER PRIMARY KEY, number REAL, text TEXT)");
    sql.prepare("INSERT INTO w VALUES (?, ?, ?)").run(2 ** 52 + 1, 0.1, "19.90");
    return sql.prepare("SELECT * FROM w WHERE id = ?").get(2 ** 52 + 1);`,
  "undoes a transaction that throws, with its tables": `
    try { transaction(() => { sql.exec("CREATE TABLE x (id)"); throw new Error("no"); }); } catch {}
    return sql.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'x'").pluck().get();`,
  "renames a full-text index, which is searched and dropped under its new name": `
    sql.exec("CREATE VIRTUAL TABLE next_words USING fts5 (title, content = '', prefix = '1 2')");
    sql.prepare("INSERT INTO next_words (rowid, title) VALUES (?, ?)").run(5, "invoice kit");
    sql.exec("ALTER TABLE next_words RENAME TO words");
    sql.exec("INSERT INTO words (words, rank) VALUES ('secure-delete', 1)");
    const found = sql.prepare("SELECT rowid FROM words WHERE words MATCH ?").pluck().all('"invoic" *');
    sql.exec("DROP TABLE words");
    return [found, sql.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%words%'").pluck().get()];`,
} as const;
type Program = (sql: Sql, transaction: (work: () => void) => void) => unknown;

function inNode(text: string): unknown {
  const db = new Database(":memory:");
  const program = new Function("sql", "transaction", text) as Program;
  const result = program(db, (work) => db.transaction(work)());
  db.close();
  return result;
}

describe("the object's storage", () => {
  let miniflare: Miniflare;
  beforeAll(async () => {
    const cases = Object.entries(PROGRAMS)
      .map(([name, text]) => `${JSON.stringify(name)}: (sql, transaction) => {${text}}`)
      .join(",\n");
    const contents = `import { StorageSql } from "./src/object/storage.ts";
const PROGRAMS = {${cases}};
export class Probe {
  constructor(state) { this.sql = new StorageSql(state.storage); }
  async fetch(request) {
    const program = PROGRAMS[decodeURIComponent(new URL(request.url).pathname.slice(1))];
    try { return Response.json({ result: program(this.sql, (work) => this.sql.transaction(work)) }); }
    catch (error) { return Response.json({ error: String(error) }); }
  }
}
export default { fetch: (request, env) => env.PROBE.get(env.PROBE.idFromName("one")).fetch(request) };`;
    const built = await build({
      stdin: { contents, resolveDir: resolve("."), loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
    });
    miniflare = new Miniflare({
      modules: true,
      script: built.outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-04-01",
      compatibilityFlags: ["nodejs_compat"],
      durableObjects: { PROBE: { className: "Probe", useSQLite: true } },
      cf: false,
    });
    await miniflare.ready;
  });
  afterAll(() => miniflare.dispose());

  it.each(Object.entries(PROGRAMS))("%s", async (name, text) => {
    const reply = await miniflare.dispatchFetch(`http://probe/${encodeURIComponent(name)}`);
    expect(await reply.json()).toEqual({ result: JSON.parse(JSON.stringify(inNode(text))) });
  });
});
