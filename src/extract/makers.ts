/** Makes records of rows, in this thread or in workers. Either way the same rows give the same bytes. */

import type { SearchTexts } from "../api/record.ts";
import type { RecordName } from "../api/records.ts";
import type { Cell } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import { type Threads, UNDER_WAY } from "../base/thread-pool.ts";
import type { DocumentWords } from "../catalog/row.ts";
import { type WorkerJob, WorkerPool } from "../workers.ts";
import type { RowProblem } from "./problems.ts";
import {
  type MadeBatch,
  type MadeRow,
  type OwnBatch,
  RecordMaker,
  type RowInput,
  recordNamed,
  type StepData,
} from "./record-maker.ts";
import type { SummaryTerms } from "./report.ts";
import { Texts } from "./texts.ts";

/** A message to a worker: a step, or rows of the current step. */
type MakerOrder =
  | { readonly name: RecordName; readonly step: StepData }
  | { readonly inputs: PackedInputs; readonly isOwn: boolean };

const MAKE: WorkerJob<MakerOrder, PackedBatch | OwnBatch> = { name: "make" };

/** Makes the rows of one step, batch by batch. */
export interface Maker {
  make(inputs: readonly RowInput[]): Promise<MadeBatch>;
  makeOwn(inputs: readonly RowInput[]): Promise<OwnBatch>;
}

export interface Makers {
  /** How many batches may be under way at once. */
  readonly width: number;
  /** Prepares for the rows of one record. */
  begin(name: RecordName, step: StepData): Maker;
  close(): Promise<void>;
}

function makerHere(name: RecordName, step: StepData): Maker {
  let maker: RecordMaker | undefined;
  const ready = () => {
    maker ??= new RecordMaker(recordNamed(name), step);
    return maker;
  };
  return {
    make: async (inputs) => ready().make(inputs),
    makeOwn: async (inputs) => ready().makeOwn(inputs),
  };
}

/** Makes rows in this thread, immediately: for a few rows. */
const HERE: Makers = {
  width: 0,
  begin: makerHere,
  close: async () => undefined,
};

/** Making a row is so expensive that threads pay off from an eighth of the usual number of rows. */
const MAKING_SHARE = 1 / 8;

/**
 * Makes rows in threads, one fewer than allowed because this thread writes their results. The first rows are made in this
 * thread, while it is not known whether many follow.
 */
class ThreadMakers implements Makers {
  readonly width: number;
  readonly #threads: Threads;
  readonly #count: number;
  #rows = 0;
  #workers: WorkerPool | undefined;

  constructor(threads: Threads) {
    this.#threads = threads;
    this.#count = Math.max(1, threads.count - 1);
    this.width = this.#count * UNDER_WAY;
  }

  begin(name: RecordName, step: StepData): Maker {
    const here = makerHere(name, step);
    let announced: Promise<void> | undefined;
    const isForThreads = (inputs: readonly RowInput[]) => {
      this.#rows += inputs.length;
      return this.#workers !== undefined || this.#rows > this.#threads.fromRows * MAKING_SHARE;
    };
    // Not an async function: it would keep the inputs, which are large, until they are made.
    const order = <Answer extends PackedBatch | OwnBatch>(inputs: readonly RowInput[], isOwn: boolean) => {
      const workers = this.#start();
      announced ??= workers.broadcast(MAKE, { name, step });
      const made = workers.run(MAKE, { inputs: packInputs(inputs), isOwn }) as Promise<Answer>;
      return Promise.all([made, announced]).then(([answer]) => answer);
    };
    return {
      make: (inputs) =>
        isForThreads(inputs) ? order<PackedBatch>(inputs, false).then(unpackBatch) : here.make(inputs),
      makeOwn: (inputs) => (isForThreads(inputs) ? order<OwnBatch>(inputs, true) : here.makeOwn(inputs)),
    };
  }

  #start(): WorkerPool {
    this.#workers ??= new WorkerPool(this.#count);
    return this.#workers;
  }

  async close(): Promise<void> {
    await this.#workers?.close();
  }
}

/** The caller closes them. */
export function createMakers(threads: Threads): Makers {
  return threads.count === 0 ? HERE : new ThreadMakers(threads);
}

const NOTHING: OwnBatch = { parts: [], problems: [] };

let maker: RecordMaker | undefined;

/** Runs in a worker: makes rows of the step that was sent last. */
export function makeInWorker(order: MakerOrder): PackedBatch | OwnBatch {
  if ("step" in order) maker = new RecordMaker(recordNamed(order.name), order.step);
  if ("step" in order || maker === undefined) return NOTHING;
  const inputs = unpackInputs(order.inputs);
  return order.isOwn ? maker.makeOwn(inputs) : packBatch(maker.make(inputs));
}

/** Rows to be made. */
export interface PackedInputs {
  readonly texts: readonly string[];
  readonly ordinals: readonly number[];
  readonly products: readonly (Json | null)[];
  /** JSON of the rows' gathered values. */
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
  /** Null if a row was wrong. */
  readonly ids: readonly (number | null)[];
  /** The cells of all rows, joined. */
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
