/** The parts of Cloudflare's runtime that are used here. Its own types replace those of Node and of the web, so they are not installed. */

interface SqlCursor {
  readonly columnNames: readonly string[];
  readonly rowsRead: number;
  readonly rowsWritten: number;
  raw(): Iterable<unknown[]>;
}

export interface ObjectStorage {
  readonly sql: {
    exec(text: string, ...bound: readonly unknown[]): SqlCursor;
    readonly databaseSize: number;
  };
  /** Undone if it throws. It must not be given an async function: that one's writes stay although it fails. */
  transactionSync<Result>(work: () => Result): Result;
  /** Milliseconds since 1970. Replaces the alarm that is set. */
  setAlarm(at: number): Promise<void>;
}

export interface ObjectState {
  readonly storage: ObjectStorage;
}

/** R2, of which only reading is used. */
export interface R2 {
  get(key: string): Promise<{
    readonly size: number;
    readonly etag: string;
    arrayBuffer(): Promise<ArrayBuffer>;
  } | null>;
}
