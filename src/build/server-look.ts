/** Looks at a store on a server for a `watch`: where changes are captured, one small query a second says whether there is one. */
import { lookSql } from "../extract/capture/capture.ts";
import type { Ask } from "../extract/capture/dialect.ts";
import { serverOf } from "./store.ts";

const ASK_MILLISECONDS = 1000;

interface Connection {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
  /** Null where no changes are written down. */
  readonly sql: string | null;
}

export class ServerLook {
  readonly #store: string;
  readonly #pollMilliseconds: number;
  #connection: Connection | null = null;
  #asking: Promise<void> | null = null;
  #asked = Number.NEGATIVE_INFINITY;
  #answer = "";
  #changes = 0;

  constructor(store: string, pollSeconds: number) {
    this.#store = store;
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
      this.#connection ??= await this.#connect();
      const { ask, sql } = this.#connection;
      if (sql === null) return await this.#forget();
      const answer = JSON.stringify(await ask(sql));
      if (answer !== this.#answer) this.#changes += 1;
      this.#answer = answer;
    } catch {
      await this.#forget();
    }
  }

  async #connect(): Promise<Connection> {
    const { driver, address, password } = serverOf(this.#store);
    const connection = await driver.connect(address, password);
    try {
      return { ...connection, sql: await lookSql(connection.ask, driver.dialect.capture) };
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
