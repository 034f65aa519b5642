/** A delta's answers staged by threads, where they are many: to digest and write them takes as long as to make them. */
import { finishStepsWaiting, type Steps } from "../base/steps.ts";
import { ThreadPool, type Threads, UNDER_WAY } from "../base/thread-pool.ts";
import type { MetaTime } from "../base/time.ts";
import { type Allocate, type Body, reusedMemory } from "../catalog/envelope.ts";
import { startedModule } from "../package.ts";
import type { OutLayout } from "./layout.ts";
import type { SnapshotWriter, StagedPart } from "./staging.ts";
import type { SnapshotDelta } from "./writer.ts";

/** What a staging thread knows. */
export interface StagingData {
  readonly layout: OutLayout;
  readonly now: MetaTime;
}

/** An answer of a batch, and the keys that have the same bytes. */
interface BatchedAnswer {
  readonly key: string;
  readonly size: number;
  readonly stamped: boolean;
  readonly links: string[];
}

/** Answers, whose bytes stand one after the other. */
export interface StagingOrder {
  /** From 0; no two have one number. */
  readonly place: number;
  readonly bytes: Uint8Array;
  readonly answers: readonly BatchedAnswer[];
}

/** A file is as much work as so many rows. */
const ROWS_A_FILE = 4;
/** An answer that is larger has a batch of its own. */
const BATCH_BYTES = 2 ** 20;

class Batch {
  readonly answers: BatchedAnswer[] = [];
  readonly #buffer: ArrayBuffer;
  readonly #bytes: Buffer;
  #used = 0;

  constructor(leastBytes: number) {
    this.#buffer = new ArrayBuffer(Math.max(BATCH_BYTES, leastBytes));
    this.#bytes = Buffer.from(this.#buffer);
  }

  hasRoom(size: number): boolean {
    return this.#bytes.length - this.#used >= size;
  }

  /** Where the next answer goes. */
  room(size: number): Buffer {
    return this.#bytes.subarray(this.#used, this.#used + size);
  }

  add(key: string, { bytes, stamped }: Body): void {
    const room = this.room(bytes.length);
    if (bytes.buffer !== this.#buffer || bytes.byteOffset !== room.byteOffset) bytes.copy(room);
    this.#used += bytes.length;
    this.answers.push({ key, size: bytes.length, stamped, links: [] });
  }

  order(place: number): StagingOrder & { readonly bytes: Uint8Array<ArrayBuffer> } {
    return { place, bytes: new Uint8Array(this.#buffer, 0, this.#used), answers: this.answers };
  }
}

/** Stages what steps put, in threads from some number of answers on. */
export class StagingPool implements SnapshotWriter {
  readonly #delta: SnapshotDelta;
  readonly #count: number;
  /** So many answers are staged here: fewer are not worth a thread. */
  readonly #few: number;
  readonly #data: StagingData;
  #pool: ThreadPool<StagingOrder, StagedPart> | undefined;
  #batch: Batch | undefined;
  /** Answers that were staged here, and batches that were sent. */
  #here = 0;
  #sent = 0;
  readonly #underWay: Promise<StagedPart>[] = [];
  readonly #memory = reusedMemory();

  /**
   * The thread that is there makes what the others stage.
   * @param rows that changed: where they are many, so are their answers, and the threads start at once
   */
  constructor(delta: SnapshotDelta, { count, fromRows }: Threads, rows: number, data: StagingData) {
    this.#delta = delta;
    const few = fromRows / ROWS_A_FILE;
    this.#few = rows < few ? few : 0;
    this.#count = count === 0 ? 0 : Math.max(1, count - 1);
    this.#data = data;
    if (!this.#isHere) this.#start();
  }

  #start(): ThreadPool<StagingOrder, StagedPart> {
    this.#pool ??= new ThreadPool(startedModule("snapshot/staging-thread"), this.#count, this.#data);
    return this.#pool;
  }

  /** Memory for the answer that is put next: where it is sent to a thread it need not be copied then. */
  readonly allocate: Allocate = (size) =>
    this.#isHere ? this.#memory(size) : this.#batchWith(size).room(size);

  put(key: string, body: Body): void {
    if (this.#isHere) {
      this.#here += 1;
      this.#delta.put(key, body);
    } else this.#batchWith(body.bytes.length).add(key, body);
  }

  get #isHere(): boolean {
    return this.#count === 0 || this.#here < this.#few;
  }

  #batchWith(size: number): Batch {
    if (this.#batch !== undefined && !this.#batch.hasRoom(size)) this.#send();
    this.#batch ??= new Batch(size);
    return this.#batch;
  }

  link(key: string): void {
    const last = this.#batch?.answers.at(-1);
    if (last === undefined) this.#delta.link(key);
    else last.links.push(key);
  }

  remove(key: string): void {
    this.#delta.remove(key);
  }

  #send(): void {
    if (this.#batch === undefined) return;
    const pool = this.#start();
    const order = this.#batch.order(this.#sent++);
    this.#batch = undefined;
    const staged = pool.run(order, [order.bytes.buffer]);
    // It is waited for in its turn; until then nobody may take its failure for forgotten.
    staged.catch(() => undefined);
    this.#underWay.push(staged);
  }

  /** Takes what the steps put, and closes. */
  async take<Result>(steps: Steps<Result>): Promise<Result> {
    try {
      const result = await finishStepsWaiting(steps, () => (this.#isFull ? this.#takeFirst() : null));
      this.#send();
      while (this.#underWay.length > 0) await this.#takeFirst();
      return result;
    } finally {
      await this.#pool?.close();
    }
  }

  get #isFull(): boolean {
    return this.#underWay.length > this.#count * UNDER_WAY;
  }

  async #takeFirst(): Promise<void> {
    const staged = await this.#underWay.shift();
    if (staged !== undefined) this.#delta.take(staged);
  }
}
