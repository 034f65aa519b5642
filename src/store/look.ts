/** The cheap check of `watch` before it reads all rows: the one row of `changed.sql`. */
import { toSqlTime } from "../base/time.ts";
import { readBeside } from "../extract/allow-list.ts";
import { connectStore } from "./open.ts";
import { SessionReader } from "./reader.ts";
import type { Connection } from "./session.ts";

interface AskedStore {
  readonly store: string;
  /** The folder of the allow-list. */
  readonly queries: string;
}

export class ChangedRow {
  readonly #inputs: AskedStore;
  #connection: Connection | null = null;

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
    try {
      this.#connection ??= await connectStore(this.#inputs.store);
      const session = await this.#connection.begin(toSqlTime(new Date()));
      const row = await new SessionReader(session).row(query);
      await this.#connection.end();
      return row;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close();
  }
}
