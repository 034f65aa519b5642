/** Makes records of rows, in this thread or in workers. Either way the same rows give the same bytes. */
import type { RecordName } from "../api/records.ts";
import { type Threads, UNDER_WAY } from "../base/thread-pool.ts";
import { type Job, Workers } from "../workers.ts";
import {
  type PackedBatch,
  type PackedInputs,
  packBatch,
  packInputs,
  unpackBatch,
  unpackInputs,
} from "./batches.ts";
import { type MadeBatch, RecordMaker, type RowInput, recordNamed, type StepData } from "./record-maker.ts";

/** What a worker is sent: a step, then the step's rows. */
type MakerOrder = { readonly name: RecordName; readonly step: StepData } | { readonly inputs: PackedInputs };

const MAKE: Job<MakerOrder, PackedBatch> = { name: "make" };

type Make = (inputs: readonly RowInput[]) => Promise<MadeBatch>;

export interface Makers {
  /** Batches that may be under way at once. */
  readonly width: number;
  /** Announces how many rows will come at least: threads for so many start now. */
  expect(rows: number): void;
  /** Makes ready for the rows of one record; the returned function then makes them, batch by batch. */
  begin(name: RecordName, step: StepData): Promise<Make>;
  close(): Promise<void>;
}

function makerHere(name: RecordName, step: StepData): Make {
  let maker: RecordMaker | undefined;
  return async (inputs) => {
    maker ??= new RecordMaker(recordNamed(name), step);
    return maker.make(inputs);
  };
}

/** Makes them here, at once: for a few rows. */
const HERE: Makers = {
  width: 0,
  expect: () => undefined,
  begin: async (name, step) => makerHere(name, step),
  close: async () => undefined,
};

/**
 * Makes rows in threads, one fewer than there may be, since this one puts what they make; the first rows here, where it is not
 * known that many come.
 */
class ThreadMakers implements Makers {
  readonly width: number;
  readonly #threads: Threads;
  readonly #count: number;
  #rows = 0;
  #workers: Workers | undefined;

  constructor(threads: Threads) {
    this.#threads = threads;
    this.#count = Math.max(1, threads.count - 1);
    this.width = this.#count * UNDER_WAY;
  }

  expect(rows: number): void {
    if (rows > this.#threads.fromRows) this.#start();
  }

  async begin(name: RecordName, step: StepData): Promise<Make> {
    const here = makerHere(name, step);
    let announced: Promise<void> | undefined;
    return (inputs) => {
      this.#rows += inputs.length;
      const isStarted = this.#workers !== undefined;
      if (!isStarted && this.#rows <= this.#threads.fromRows) return here(inputs);
      const workers = this.#start();
      announced ??= workers.broadcast(MAKE, { name, step });
      const made = workers.run(MAKE, { inputs: packInputs(inputs) });
      return Promise.all([made, announced]).then(([packed]) => unpackBatch(packed));
    };
  }

  #start(): Workers {
    this.#workers ??= new Workers(this.#count);
    return this.#workers;
  }

  async close(): Promise<void> {
    await this.#workers?.close();
  }
}

/** Whoever asks for them closes them. */
export function createMakers(threads: Threads): Makers {
  return threads.count === 0 ? HERE : new ThreadMakers(threads);
}

const NOTHING: MadeBatch = { made: [], problems: [] };

let maker: RecordMaker | undefined;

/** In a worker: makes rows of the step that it was sent last. */
export function makeInWorker(order: MakerOrder): PackedBatch {
  if ("inputs" in order) return packBatch(maker?.make(unpackInputs(order.inputs)) ?? NOTHING);
  maker = new RecordMaker(recordNamed(order.name), order.step);
  return packBatch(NOTHING);
}
