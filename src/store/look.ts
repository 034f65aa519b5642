/** Looks at a store for a `watch`: on a server where changes are captured, one small query a second says whether there is one. */
import { lookSql } from "./capture/capture.ts";
import type { Ask, CaptureDialect } from "./capture/dialect.ts";

const ASK_MILLISECONDS = 1000;

export interface Look {
  /** Another text wherever something may have been committed; null while something is being written. Never throws. */
  look(): string | null;
  close(): Promise<void>;
}

/** A connection that sees what is committed. */
export interface LookConnection {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

export class ServerLook implements Look {
  readonly #connect: () => Promise<LookConnection>;
  readonly #capture: CaptureDialect;
  readonly #pollMilliseconds: number;
  /** Its SQL: null where no changes are written down. */
  #connection: (LookConnection & { readonly sql: string | null }) | null = null;
  #asking: Promise<void> | null = null;
  #asked = Number.NEGATIVE_INFINITY;
  #answer = "";
  #changes = 0;

  constructor(connect: () => Promise<LookConnection>, capture: CaptureDialect, pollSeconds: number) {
    this.#connect = connect;
    this.#capture = capture;
    this.#pollMilliseconds = Math.max(1, pollSeconds * 1000);
  }

  /** Another text where something was committed, and whenever it is time for a build to ask. Never throws. */
  look(): string {
    const now = performance.now();
    const isDue = now - this.#asked >= Math.min(ASK_MILLISECONDS, this.#pollMilliseconds);
    if (this.#asking === null && isDue) {
      this.#asked = now;
      this.#asking = this.#ask().finally(() => {
        this.#asking = null;
      });
    }
    return `${Math.floor(now / this.#pollMilliseconds)} ${this.#changes}`;
  }

  /** A connection that fails is made anew; what is wrong with the store, builds say. */
  async #ask(): Promise<void> {
    try {
      this.#connection ??= await this.#open();
      const { ask, sql } = this.#connection;
      if (sql === null) return await this.#forget();
      const answer = JSON.stringify(await ask(sql));
      if (answer !== this.#answer) this.#changes += 1;
      this.#answer = answer;
    } catch {
      await this.#forget();
    }
  }

  async #open() {
    const connection = await this.#connect();
    try {
      return { ...connection, sql: await lookSql(connection.ask, this.#capture) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** It is not asked again before the next build is due. */
  async #forget(): Promise<void> {
    this.#asked = performance.now() + this.#pollMilliseconds;
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#asking;
    await this.#forget();
  }
}
