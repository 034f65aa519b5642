/**
 * Digests of some columns of a whole table: equal ones say that a file of the allow-list that reads no other columns of it
 * has the same rows, whatever else of the table changed. Made block by block of rowids, so that a change of some rows is
 * digested again for those alone.
 */
import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import type { IdRange } from "../id-ranges.ts";
import type { ColumnsRead } from "./sqlite-plan.ts";
import type { Tree } from "./sqlite-trees.ts";

export interface Projection {
  /** Of all blocks. */
  readonly digest: string;
  /** SHA-256 of each block that has rows, by its number; null where there are too many to keep. */
  readonly blocks: ReadonlyMap<string, string> | null;
}

/** By table and columns of it: of each row the rowid and those columns. */
export type Projections = ReadonlyMap<string, Projection>;

/** What is known of a projection, and which rows of its table may differ since; null: any. */
export interface KnownProjection {
  readonly projection: Projection;
  readonly ranges: readonly IdRange[] | null;
}

/** A projection of at most this share of a table's columns is made: of more, it costs what reading the file costs. */
const MOST_COLUMNS = 0.25;

/** Rows that SQLite makes one text of. */
const BATCH_ROWS = 200;

/** Rowids of a block are equal but for so many bits. */
const BLOCK_BITS = 10n;
const MOST_BLOCKS = 4096;
const LAST_ROWID = 2n ** 63n - 1n;

const ROWIDS = ["rowid", "_rowid_", "oid"];

export function projectionName(table: string, columns: ReadonlySet<string>): string {
  return JSON.stringify([table, ...[...columns].sort()]);
}

interface Wanted {
  readonly name: string;
  readonly columns: readonly string[];
  readonly known: KnownProjection | undefined;
}

export function projectionsOf(
  db: Database.Database,
  trees: Iterable<Tree>,
  reads: readonly ColumnsRead[],
  find: (table: string, name: string) => KnownProjection | undefined,
): Projections {
  const projections = new Map<string, Projection>();
  for (const { name: tree, table, columns } of trees) {
    if (tree !== table || columns === null) continue;
    const wanted = new Map<string, Wanted>();
    for (const read of reads) {
      const names = read.get(table) ?? null;
      if (names === null || names.size > columns.length * MOST_COLUMNS) continue;
      const name = projectionName(table, names);
      const known = find(table, name);
      if (known?.ranges?.length === 0) projections.set(name, known.projection);
      else wanted.set(name, { name, columns: [...names].sort(), known });
    }
    for (const [name, made] of makeProjections(db, table, columns, [...wanted.values()]))
      projections.set(name, made);
  }
  return projections;
}

/** All of these, by one reading of the table's rows that may differ; none where a value is no text or number. */
function makeProjections(
  db: Database.Database,
  table: string,
  columns: readonly string[],
  wanted: readonly Wanted[],
): Map<string, Projection> {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  const rowid = ROWIDS.find((name) => !taken.has(name));
  const made = new Map<string, Projection>();
  if (wanted.length === 0 || rowid === undefined) return made;
  const ranges = wanted.map(({ known }) => (known?.projection.blocks ? known.ranges : null));
  const isPart = ranges.every((each) => each !== null);
  const reader = new BlockReader(db, table, rowid, wanted);
  const found = reader.read(isPart ? widened(ranges.flat()) : [[null, LAST_ROWID]]);
  if (found === null) return made;
  wanted.forEach(({ name, known }, at) => {
    const blocks = new Map(isPart ? known?.projection.blocks : []);
    for (const block of [...blocks.keys()])
      if (isPart && isWithin(BigInt(block), ranges.flat())) blocks.delete(block);
    for (const [block, digests] of found) blocks.set(block, digests[at] ?? "");
    made.set(name, projectionOf(blocks));
  });
  return made;
}

function projectionOf(blocks: ReadonlyMap<string, string>): Projection {
  const sum = createHash("sha256");
  for (const block of [...blocks].sort(([a], [b]) => (a < b ? -1 : 1))) sum.update(`${block.join()}\n`);
  return { digest: sum.digest("base64"), blocks: blocks.size > MOST_BLOCKS ? null : blocks };
}

function blockOf(id: number): bigint {
  return BigInt(id) >> BLOCK_BITS;
}

function isWithin(block: bigint, ranges: readonly IdRange[]): boolean {
  return ranges.some(
    ([first, last]) =>
      (!Number.isFinite(first) || blockOf(first) <= block) &&
      (!Number.isFinite(last) || block <= blockOf(last)),
  );
}

/** Rowids, from after one to another; null: from the first. */
type Span = readonly [after: bigint | null, last: bigint];

/** Whole blocks, each once. */
function widened(ranges: readonly IdRange[]): Span[] {
  const sorted = [...ranges].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const spans: [bigint | null, bigint][] = [];
  for (const [first, last] of sorted) {
    const after = Number.isFinite(first) ? (blockOf(first) << BLOCK_BITS) - 1n : null;
    const end = Number.isFinite(last) ? ((blockOf(last) + 1n) << BLOCK_BITS) - 1n : LAST_ROWID;
    const previous = spans.at(-1);
    if (previous === undefined || (after !== null && after > previous[1])) spans.push([after, end]);
    else if (end > previous[1]) previous[1] = end;
  }
  return spans;
}

class BlockReader {
  readonly #db: Database.Database;
  readonly #table: string;
  readonly #rowid: string;
  readonly #wanted: readonly Wanted[];

  constructor(db: Database.Database, table: string, rowid: string, wanted: readonly Wanted[]) {
    this.#db = db;
    this.#table = table;
    this.#rowid = rowid;
    this.#wanted = wanted;
  }

  /** Digests of the blocks that have rows there, one for each projection; null where that cannot be told. */
  read(spans: readonly Span[]): Map<string, readonly string[]> | null {
    const found = new Map<string, readonly string[]>();
    const from = `FROM main.${quoted(this.#table)} AS t NOT INDEXED WHERE t.${this.#rowid} > ? AND t.${this.#rowid} <= ?`;
    try {
      const next = this.#db.prepare<[number | bigint, bigint], bigint>(
        `SELECT t.${this.#rowid} ${from} ORDER BY t.${this.#rowid} LIMIT 1`,
      );
      next.pluck().safeIntegers();
      const batch = this.#db.prepare<[number | bigint, bigint], [bigint | null, ...Buffer[]]>(
        this.#batch(from),
      );
      batch.raw().safeIntegers();
      for (const [start, last] of spans) {
        // Less than any rowid.
        let after: number | bigint = start ?? -1e19;
        for (;;) {
          const id = next.get(after, last);
          if (id === undefined) break;
          const block = id >> BLOCK_BITS;
          const end = ((block + 1n) << BLOCK_BITS) - 1n;
          found.set(String(block), this.#digest(batch, after, end));
          after = end;
        }
      }
      return found;
    } catch (error) {
      if (error instanceof Database.SqliteError) return null;
      throw error;
    }
  }

  #digest(
    batch: Database.Statement<[number | bigint, bigint], [bigint | null, ...Buffer[]]>,
    start: number | bigint,
    end: bigint,
  ): string[] {
    const hashes = this.#wanted.map(() => createHash("sha256"));
    let after: number | bigint | null = start;
    while (after !== null) {
      const [last, ...texts]: [bigint | null, ...Buffer[]] = batch.get(after, end) ?? [null];
      if (last !== null) for (const [at, text] of texts.entries()) hashes[at]?.update(text);
      after = last;
    }
    return hashes.map((hash) => hash.digest("base64"));
  }

  /** Some rows: the last one's rowid, and of each projection the texts as bytes, also where they are no UTF-8. */
  #batch(from: string): string {
    const rows = this.#wanted.map(({ columns }, at) => {
      const values = [this.#rowid, ...columns.map(quoted)].map((name) => `t.${name}`);
      return `json_array(${values.join(", ")}) AS row_${at}`;
    });
    const texts = this.#wanted.map((_, at) => `CAST(group_concat(row_${at}, '') AS BLOB)`);
    return `SELECT MAX(id), ${texts.join(", ")} FROM (
      SELECT t.${this.#rowid} AS id, ${rows.join(", ")}
      ${from} ORDER BY t.${this.#rowid} LIMIT ${BATCH_ROWS}
    )`;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
