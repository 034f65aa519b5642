/** The rows of a file's SQL in an SQLite store, as one connection reads them. */
import Database from "better-sqlite3";
import { messageOf } from "../../base/error.ts";
import type { RowsBy, RowText, StoreValue } from "../store.ts";
import { Batcher, selectOf } from "./sql.ts";

/** A connection that only reads. @param busyMilliseconds how long it waits for a writer that holds the store exclusively */
export function connect(file: string, busyMilliseconds: number): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: busyMilliseconds });
  // What the store's own schema brings (views, generated columns) may not call anything with side effects.
  db.pragma("trusted_schema = OFF");
  // Rows are read once, so pages are hardly needed again; a sorter takes as much memory as this before it goes to a file.
  db.pragma("cache_size = -2000");
  return db;
}

/** What is read of a file: its SQL as a source of rows, the moment that it is bound to, and its columns. */
export interface Reading {
  readonly source: string;
  /** Undefined: all rows. */
  readonly wanted: RowsBy | undefined;
  readonly bound: readonly object[];
  readonly columns: readonly string[];
  readonly beside: readonly string[];
}

/** Rows as SQLite makes texts of them. Where one has bytes, which no JSON holds, the rest is made into texts here. */
function* rowsOf(db: Database.Database, reading: Reading): Generator<RowText> {
  const { columns, beside } = reading;
  let read = 0;
  try {
    const text = `json_array(${columns.join(", ")})`;
    for (const [id, row, ...others] of iterate(db, reading, [text, ...beside]) as Iterable<StoreValue[]>) {
      yield { id: id ?? null, text: String(row), beside: others };
      read += 1;
    }
  } catch (error) {
    if (!/BLOB/.test(messageOf(error))) throw error;
    let place = 0;
    for (const [id, ...values] of iterate(db, reading, [...columns, ...beside])) {
      place += 1;
      if (place <= read) continue;
      const cells = [id, ...values].map((value) => (Buffer.isBuffer(value) ? { blob: true } : value));
      const [first = null, ...rest] = cells as StoreValue[];
      const text = JSON.stringify(rest.slice(0, columns.length));
      yield { id: first, text, beside: rest.slice(columns.length) };
    }
  }
}

function iterate(
  db: Database.Database,
  { source, wanted, bound, columns }: Reading,
  expressions: readonly string[],
): Iterable<unknown[]> {
  const id = columns.includes("id") ? "id" : "NULL";
  return db
    .prepare<object[], unknown[]>(selectOf(source, columns, [id, ...expressions], wanted))
    .raw()
    .iterate(...bound);
}

/** All rows, in batches. @throws what SQLite says */
export function* rowBatches(db: Database.Database, reading: Reading): Generator<readonly RowText[]> {
  const batcher = new Batcher();
  for (const row of rowsOf(db, reading)) {
    const batch = batcher.add(row);
    if (batch !== null) yield batch;
  }
  const rest = batcher.take();
  if (rest.length > 0) yield rest;
}
