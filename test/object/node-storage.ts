/** A Durable Object's storage over better-sqlite3, for tests of what needs no runtime. It is kinder than the runtime's. */
import Database from "better-sqlite3";
import type { ObjectStorage } from "../../src/object/platform.ts";

export interface NodeStorage extends ObjectStorage {
  readonly db: Database.Database;
  /** Statements that were run. */
  statements: number;
}

export function nodeStorage(): NodeStorage {
  const db = new Database(":memory:");
  const exec = (text: string, bound: readonly unknown[]) => {
    if (bound.length === 0 && text.includes(";")) {
      db.exec(text);
      return { names: [], rows: [], written: 0 };
    }
    const statement = db.prepare(text);
    if (!statement.reader) return { names: [], rows: [], written: statement.run(...bound).changes };
    const names = statement.columns().map(({ name }) => name);
    return { names, rows: statement.raw().all(...bound) as unknown[][], written: 0 };
  };
  const storage: NodeStorage = {
    db,
    statements: 0,
    sql: {
      exec(text, ...bound) {
        storage.statements += 1;
        const { names, rows, written } = exec(text, bound);
        return { columnNames: names, rowsRead: rows.length, rowsWritten: written, raw: () => rows };
      },
      databaseSize: 0,
    },
    transactionSync: (work) => db.transaction(work)(),
    setAlarm: () => Promise.resolve(),
  };
  return storage;
}
