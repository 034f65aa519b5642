/** What a thread reads of an SQLite store beside this one, in the same picture. */
import { ThreadPool } from "../../base/thread-pool.ts";
import { startedModule } from "../../package.ts";
import type { RowText } from "../store.ts";
import { LARGE_STORE_BYTES } from "./large-store.ts";
import { parseFingerprint } from "./sqlite-fingerprint.ts";
import { rememberDigests } from "./sqlite-pages.ts";
import { isMainUntouched, isStillThere, type Picture } from "./sqlite-picture.ts";
import type { Plan } from "./sqlite-plan.ts";
import type { Reading } from "./sqlite-rows.ts";
import type { BesideData, BesideOrder, BesideResponse } from "./sqlite-thread.ts";

/** A writer that waits for the transaction that is there lets no other begin: the two would wait for each other. */
const BUSY_MILLISECONDS = 100;

type Pool = ThreadPool<BesideOrder, BesideResponse>;

/** Whoever makes it closes it; a thread starts when something is asked for. */
export class SqliteBeside {
  readonly #file: string;
  readonly #picture: Picture;
  readonly #fromBytes: number;
  #pool: Pool | undefined;
  #begun: Promise<boolean> | undefined;

  /** @param fromBytes the least store for which a thread is worth it */
  constructor(file: string, picture: Picture, fromBytes = LARGE_STORE_BYTES) {
    this.#file = file;
    this.#picture = picture;
    this.#fromBytes = fromBytes;
  }

  /** True where a thread is worth it. */
  get isLarge(): boolean {
    return this.#picture.pages * this.#picture.pageSize >= this.#fromBytes;
  }

  /** All rows of a file that gives one batch at most; null where that fails, or where the thread may see another picture. */
  async read(reading: Reading): Promise<readonly RowText[] | null> {
    return (await this.#ask({ reading }))?.rows ?? null;
  }

  /** As {@link changesSince} makes it where nothing was known before; null as above, and where it cannot be made. */
  async fingerprint(plans: readonly Plan[]): Promise<Buffer | null> {
    const made = (await this.#ask({ plans, picture: this.#picture }))?.fingerprint ?? null;
    // A thread that asked this would open the file, and close it at its end: that ends all locks on it.
    if (made === null || !isMainUntouched(this.#picture)) return null;
    const fingerprint = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
    const pages = parseFingerprint(fingerprint)?.pages;
    if (pages !== undefined) rememberDigests(this.#picture, pages);
    return fingerprint;
  }

  async #ask(order: BesideOrder): Promise<BesideResponse | null> {
    if (!this.isLarge) return null;
    try {
      const pool = this.#start();
      // Asked for at once: this thread may do other things before it looks at an answer.
      const response = pool.run(order);
      response.catch(() => undefined);
      return (await this.#begun) ? await response : null;
    } catch {
      // Whoever reads it in this thread is told what is wrong.
      return null;
    }
  }

  #start(): Pool {
    const data: BesideData = { file: this.#file, busyMilliseconds: BUSY_MILLISECONDS };
    this.#pool ??= new ThreadPool(startedModule("extract/stores/sqlite-thread"), 1, data);
    // A transaction that began while the picture was the latest one sees nothing else.
    this.#begun ??= this.#pool.run("begin").then(() => isStillThere(this.#picture));
    return this.#pool;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
