/** Rows of an SQLite store that a thread reads beside this one, in the same picture. */
import { ThreadPool } from "../../base/thread-pool.ts";
import { startedModule } from "../../package.ts";
import type { RowText } from "../store.ts";
import { LARGE_STORE_BYTES } from "./large-store.ts";
import type { RowsOrder, RowsThreadData } from "./rows-thread.ts";
import { isStillThere, type Picture } from "./sqlite-picture.ts";
import type { Reading } from "./sqlite-rows.ts";

/** A writer that waits for the transaction that is there lets no other begin: the two would wait for each other. */
const BUSY_MILLISECONDS = 100;

type Pool = ThreadPool<RowsOrder, readonly RowText[]>;

/** Whoever makes it closes it; a thread starts when rows are asked for. */
export class RowsBeside {
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

  /** All rows of a file that gives one batch at most; null where that fails, or where the thread may see another picture. */
  async read(reading: Reading): Promise<readonly RowText[] | null> {
    const { pages, pageSize } = this.#picture;
    if (pages * pageSize < this.#fromBytes) return null;
    try {
      const pool = this.#start();
      // Asked for at once: this thread may do other things before it looks at an answer.
      const rows = pool.run(reading);
      rows.catch(() => undefined);
      return (await this.#begun) ? await rows : null;
    } catch {
      // Whoever reads it in this thread is told what is wrong.
      return null;
    }
  }

  #start(): Pool {
    const data: RowsThreadData = { file: this.#file, busyMilliseconds: BUSY_MILLISECONDS };
    this.#pool ??= new ThreadPool(startedModule("extract/stores/rows-thread"), 1, data);
    // A transaction that began while the picture was the latest one sees nothing else.
    this.#begun ??= this.#pool.run("begin").then(() => isStillThere(this.#picture));
    return this.#pool;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
