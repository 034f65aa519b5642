/**
 * What goes to the threads that make records, and what comes back: few objects, since each takes time to copy. Made rows are
 * bytes that move from thread to thread, and become texts again one row at a time.
 */
import type { SearchTexts } from "../api/record.ts";
import type { Cell } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import type { DocumentWords } from "../catalog/row.ts";
import type { RowProblem } from "./problems.ts";
import type { MadeBatch, MadeRow, RowInput } from "./record-maker.ts";
import type { SummaryTerms } from "./report.ts";
import { Texts } from "./texts.ts";

/** Rows to be made. */
export interface PackedInputs {
  readonly texts: readonly string[];
  readonly ordinals: readonly number[];
  readonly products: readonly (Json | null)[];
  /** JSON of what each gathers. */
  readonly gathered: string;
}

export function packInputs(inputs: readonly RowInput[]): PackedInputs {
  return {
    texts: inputs.map(({ text }) => text),
    ordinals: inputs.map(({ ordinal }) => ordinal),
    products: inputs.map(({ product }) => product),
    gathered: JSON.stringify(inputs.map(({ gathered }) => gathered)),
  };
}

export function unpackInputs({ texts, ordinals, products, gathered }: PackedInputs): RowInput[] {
  return (JSON.parse(gathered) as unknown[][]).map((each, at) => ({
    text: texts[at] ?? "",
    ordinal: ordinals[at] ?? 0,
    product: products[at] ?? null,
    gathered: each,
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

function packRow(texts: Texts, { prepared, summaryTerms: terms }: MadeRow): void {
  const { list, added, digests, document, words } = prepared;
  for (const text of [list, added, digests.list, digests.detail]) texts.add(text);
  texts.add(terms === null ? null : JSON.stringify(terms));
  for (const searched of [document, words]) {
    texts.add(searched?.title ?? null);
    if (searched === null) continue;
    texts.add(searched.excerpt);
    texts.add(searched.text);
  }
}

function unpackDocument(texts: Texts): (SearchTexts & DocumentWords) | null {
  const title = texts.nextOrNull();
  return title === null ? null : { title, excerpt: texts.next(), text: texts.next() };
}

function unpackRow(texts: Texts, id: number, cells: readonly Cell[]): MadeRow {
  const [list, added] = [texts.next() as Json, texts.nextOrNull() as Json | null];
  const digests = { list: texts.next(), detail: texts.nextOrNull() };
  const terms = texts.nextOrNull();
  const [document, words] = [unpackDocument(texts), unpackDocument(texts)];
  return {
    prepared: { id, cells, list, added, document, digests, words },
    summaryTerms: terms === null ? null : (JSON.parse(terms) as SummaryTerms),
  };
}

export function packBatch({ made, problems }: MadeBatch): PackedBatch {
  const texts = new Texts();
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
  const reader = new Texts(texts);
  const width = cells.length / Math.max(1, ids.filter((id) => id !== null).length);
  let at = 0;
  for (const id of ids) {
    yield id === null ? null : unpackRow(reader, id, cells.slice(at, at + width));
    if (id !== null) at += width;
  }
  reader.free();
}

export function unpackBatch(packed: PackedBatch): MadeBatch {
  return { made: unpackRows(packed), problems: packed.problems };
}
