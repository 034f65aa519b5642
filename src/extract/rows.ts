/**
 * The rows of the store's files, as extraction reads them: each file once from its first row to its last, and single rows again by
 * their ids. Rows are numbered, and each comes with a fingerprint.
 */
import { createHash } from "node:crypto";
import type { RecordDef } from "../api/record.ts";
import type { AllowList } from "./allow-list.ts";
import { rowColumns } from "./columns.ts";
import type { Problems } from "./problems.ts";
import { digestOf } from "./row-memory.ts";
import type { RowText, StoreReader, StoreValue } from "./store.ts";

/** A row with its number within its file, from 1. */
export interface ReadRow extends RowText {
  readonly ordinal: number;
}

/** A row, and the digest of everything that its record is made of: at first of the record's name and the row's text. */
export interface InputRow {
  readonly row: ReadRow;
  readonly fingerprint: Buffer;
}

interface ReadFile {
  /** Digest of all rows in their order. */
  readonly digest: string;
  /** How many rows have an id. */
  readonly rows: number;
}

interface Places {
  readonly store: StoreReader;
  readonly queries: AllowList;
}

export class StoreRows {
  readonly #places: Places;
  readonly #problems: Problems;
  readonly #files = new Map<string, ReadFile>();

  constructor(places: Places, problems: Problems) {
    this.#places = places;
    this.#problems = problems;
  }

  /** All rows of a record's file. @throws Error if it was read before */
  async *read(record: RecordDef): AsyncGenerator<readonly InputRow[]> {
    const { name, file } = record;
    if (this.#files.has(file)) throw new Error(`${file}.sql is read a second time`);
    const digest = createHash("sha256");
    let rows = 0;
    for await (const batch of this.#batches(record)) {
      // The name, since a product's digest of its parts has rows of several files.
      const read = batch.map((row) => ({ row, fingerprint: digestOf(name + row.text) }));
      digest.update(Buffer.concat(read.map(({ fingerprint }) => fingerprint)));
      rows += read.filter(({ row }) => Number.isSafeInteger(row.id)).length;
      yield read;
    }
    this.#files.set(file, { digest: digest.digest("hex"), rows });
  }

  /** Some rows of a file again. Others may be among them. */
  readAgain(record: RecordDef, ids: readonly number[]): AsyncGenerator<readonly ReadRow[]> {
    return this.#batches(record, ids);
  }

  /** Of two rows with one id only the first is returned, and the build is refused. */
  async *#batches(record: RecordDef, ids?: readonly number[]): AsyncGenerator<readonly ReadRow[]> {
    const { store, queries } = this.#places;
    const query = queries[record.file];
    if (query === undefined) return;
    let ordinal = 0;
    let previous: unknown;
    for await (const rows of store.batches(query, this.#namedColumns(record), ids)) {
      const read: ReadRow[] = [];
      for (const row of rows) {
        ordinal += 1;
        if (row.id === previous) this.#refuseTwice(record.file, ordinal, row.id);
        else read.push({ ...row, ordinal });
        previous = row.id;
      }
      yield read;
    }
  }

  /** Names of a row's values, in their order. */
  columns({ file }: RecordDef): readonly string[] {
    const query = this.#places.queries[file];
    return query === undefined ? [] : rowColumns(query);
  }

  /** Reads one of the columns that name another record; undefined if the file lacks it. */
  reference(record: RecordDef, column: string): (row: ReadRow) => StoreValue | undefined {
    const at = this.#namedColumns(record).indexOf(column);
    return ({ extra }) => extra[at];
  }

  /** Columns that are read in addition to a row's text: the ids of embedded records, and of the product. */
  #namedColumns(record: RecordDef): readonly string[] {
    const { belongsTo, embeds } = record;
    const columns = [...embeds.map(({ by }) => by), ...(belongsTo === null ? [] : [belongsTo.column])];
    const given = this.columns(record);
    return columns.filter((column) => given.includes(column));
  }

  /** How many rows of a file have an id. */
  count(file: string): number {
    return this.#files.get(file)?.rows ?? 0;
  }

  /** Digests of the files that gave a row, by name. */
  digests(): Map<string, string> {
    const found = [...this.#files].filter(([, { rows }]) => rows > 0);
    return new Map(found.map(([file, { digest }]) => [file, digest]));
  }

  #refuseTwice(file: string, ordinal: number, id: StoreValue): void {
    this.#problems.add({
      file: `${file}.sql`,
      ordinal,
      id: String(id),
      row: null,
      column: "id",
      problem: "must be unique",
      example: null,
      outcome: "refused",
    });
  }
}
