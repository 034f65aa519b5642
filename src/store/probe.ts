/** The cheap check of `watch` before it reads all rows: the one row of `changed.sql`. */
import { CLOCK } from "../base/clock.ts";
import { VitrineError } from "../base/error.ts";
import { toSqlTime } from "../base/time.ts";
import { type AllowListQuery, readBeside } from "../extract/allow-list.ts";
import { connectStore } from "./open.ts";
import { serverState } from "./passing.ts";
import { SessionReader } from "./reader.ts";
import type { StoreConnection } from "./session.ts";

interface AskedStore {
  readonly store: string;
  /** The folder of the allow-list. */
  readonly queries: string;
}

function isUnreadable(error: unknown): boolean {
  return error instanceof VitrineError && error.code === "store_unreadable";
}

export class ChangedRow {
  readonly #inputs: AskedStore;
  #connection: StoreConnection | null = null;

  constructor(inputs: AskedStore) {
    this.#inputs = inputs;
  }

  /**
   * The row as text; null if the allow-list has no such file. The file is read each time, because it may be edited.
   * @throws VitrineError allow_list_invalid, store_unreadable
   */
  async ask(): Promise<string | null> {
    const { changed: query } = readBeside(this.#inputs.queries);
    if (query === null) return null;
    const isKept = this.#connection !== null;
    try {
      return await this.#ask(query);
    } catch (error) {
      await this.close();
      // Servers end connections that did nothing for a while, and those of before a restart.
      const state = serverState(error);
      const isLost = isUnreadable(error) && (state === null || state === "moment");
      if (!isKept || !isLost) throw error;
      return await this.ask();
    }
  }

  async #ask(query: AllowListQuery): Promise<string> {
    this.#connection ??= await connectStore(this.#inputs.store);
    const session = await this.#connection.begin(toSqlTime(CLOCK.now()));
    const row = await new SessionReader(session).row(query);
    await this.#connection.end();
    return row;
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close();
  }
}
