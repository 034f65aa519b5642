/**
 * What goes to the threads that make records, and what comes back: few objects, since each takes time to copy. Made rows are
 * bytes that move from thread to thread, and become texts again one row at a time.
 */
import type { SearchTexts } from "../api/record.ts";
import type { Cell, ProductBrief } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import type { DocumentWords } from "../catalog/row.ts";
import type { RowProblem } from "./problems.ts";
import type { MadeBatch, MadeRow, RowInput } from "./record-maker.ts";
import type { Tally } from "./summary.ts";

/** Rows to be made. */
export interface PackedInputs {
  readonly texts: readonly string[];
  readonly ordinals: readonly number[];
  /** JSON of what others say of each. */
  readonly known: string;
}

type KnownOfRow = readonly [ProductBrief | null, readonly unknown[]];

export function packInputs(inputs: readonly RowInput[]): PackedInputs {
  return {
    texts: inputs.map(({ text }) => text),
    ordinals: inputs.map(({ ordinal }) => ordinal),
    known: JSON.stringify(inputs.map(({ product, gathered }): KnownOfRow => [product, gathered])),
  };
}

export function unpackInputs({ texts, ordinals, known }: PackedInputs): RowInput[] {
  return (JSON.parse(known) as KnownOfRow[]).map(([product, gathered], at) => ({
    ...{ text: texts[at] ?? "", ordinal: ordinals[at] ?? 0, product, gathered },
  }));
}

/** Made rows. */
export interface PackedBatch {
  /** Null where a row was wrong. */
  readonly ids: readonly (number | null)[];
  /** Those of all rows, one after the other. */
  readonly cells: readonly Cell[];
  readonly texts: Uint8Array<ArrayBuffer>;
  readonly problems: readonly RowProblem[];
}

/** Enough for most batches. Memory that nothing is written to takes none. */
const FIRST_BYTES = 1 << 20;
const LENGTH_BYTES = 4;
/** Stands for the length of a text that is not there. */
const NOTHING = 2 ** 32 - 1;
/** Bytes of UTF-8 that a code unit takes at most. */
const MOST_BYTES_OF_UNIT = 3;

/** Texts one after the other, each behind its length. */
class TextsWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;

  add(text: string | null): void {
    const start = this.#end + LENGTH_BYTES;
    this.#reserve(start + (text?.length ?? 0) * MOST_BYTES_OF_UNIT);
    const length = text === null ? 0 : this.#bytes.write(text, start);
    this.#bytes.writeUInt32LE(text === null ? NOTHING : length, this.#end);
    this.#end = start + length;
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#end);
  }
}

class TextsReader {
  readonly #bytes: Buffer;
  #end = 0;

  constructor({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) {
    this.#bytes = Buffer.from(buffer, byteOffset, length);
  }

  nextOrNull(): string | null {
    const start = this.#end + LENGTH_BYTES;
    const length = this.#bytes.readUInt32LE(this.#end);
    this.#end = start + (length === NOTHING ? 0 : length);
    return length === NOTHING ? null : this.#bytes.toString("utf8", start, this.#end);
  }

  next(): string {
    return this.nextOrNull() ?? "";
  }
}

function packRow(texts: TextsWriter, { prepared, tally }: MadeRow): void {
  const { list, added, digests, document, words } = prepared;
  for (const text of [list, added, digests.listed, digests.rest]) texts.add(text);
  texts.add(tally === null ? null : JSON.stringify(tally));
  for (const searched of [document, words]) {
    texts.add(searched?.title ?? null);
    if (searched === null) continue;
    texts.add(searched.excerpt);
    texts.add(searched.text);
  }
}

function unpackDocument(texts: TextsReader): (SearchTexts & DocumentWords) | null {
  const title = texts.nextOrNull();
  return title === null ? null : { title, excerpt: texts.next(), text: texts.next() };
}

function unpackRow(texts: TextsReader, id: number, cells: readonly Cell[]): MadeRow {
  const [list, added] = [texts.next() as Json, texts.nextOrNull() as Json | null];
  const digests = { listed: texts.next(), rest: texts.nextOrNull() };
  const tally = texts.nextOrNull();
  const [document, words] = [unpackDocument(texts), unpackDocument(texts)];
  return {
    prepared: { id, cells, list, added, document, digests, words },
    tally: tally === null ? null : (JSON.parse(tally) as Tally),
  };
}

export function packBatch({ made, problems }: MadeBatch): PackedBatch {
  const texts = new TextsWriter();
  const ids: (number | null)[] = [];
  const cells: Cell[] = [];
  for (const row of made) {
    ids.push(row?.prepared.id ?? null);
    if (row === null) continue;
    cells.push(...row.prepared.cells);
    packRow(texts, row);
  }
  return { ids, cells, texts: texts.bytes, problems };
}

function* unpackRows({ ids, cells, texts }: PackedBatch): Generator<MadeRow | null> {
  const reader = new TextsReader(texts);
  const width = cells.length / Math.max(1, ids.filter((id) => id !== null).length);
  let at = 0;
  for (const id of ids) {
    yield id === null ? null : unpackRow(reader, id, cells.slice(at, at + width));
    if (id !== null) at += width;
  }
}

export function unpackBatch(packed: PackedBatch): MadeBatch {
  return { made: unpackRows(packed), problems: packed.problems };
}
