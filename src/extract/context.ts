/** What the records of one extraction share: ports, what has been read so far, and what is wrong. */
import type { PublicConfig } from "../api/config.ts";
import type { RecordName } from "../api/records.ts";
import type { ProductBrief, Values } from "../api/row.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import type { Gathered } from "./gathered.ts";
import type { Problems } from "./problems.ts";
import { RowReader } from "./row-reader.ts";
import type { StoreReader, StoreRow } from "./store.ts";
import type { Summariser } from "./summary.ts";

export interface Context {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  readonly writer: CatalogWriter;
  readonly problems: Problems;
  /** Public products by id: what others name of them. */
  readonly products: Map<number, ProductBrief>;
  /** List shapes by id, of records that others embed. */
  readonly shapes: ReadonlyMap<string, Map<number, Values>>;
  readonly gathered: Gathered;
  /** Rows of records that belong to no public product, by file: counted, never shown. */
  readonly leftOut: Map<string, number>;
  /** Records made, by name. */
  readonly counts: Map<RecordName, number>;
  readonly summariser: Summariser;
}

/** Goes through an allow-list file's rows; a missing file has none. Ids must be different. */
export async function forEachRow(
  context: Context,
  file: string,
  read: (reader: RowReader) => void,
  columns?: readonly string[],
): Promise<void> {
  const query = context.queries[file];
  if (query === undefined) return;
  const reader = new RowReader(query.file, context);
  let previous: unknown;
  const readRow = (row: StoreRow): void => {
    reader.open(row);
    if (row["id"] !== undefined && row["id"] === previous) reader.fail("id", "must be unique");
    previous = row["id"];
    try {
      read(reader);
    } catch (error) {
      if (isOfTheMachine(error)) throw error;
      reader.failReading(messageOf(error));
    }
  };
  for await (const rows of context.store.batches(query, columns)) for (const row of rows) readRow(row);
}

/** True for what is not the row's doing: a disk that is full, a file that is gone. */
function isOfTheMachine(error: unknown): boolean {
  const code = systemCodeOf(error);
  return error instanceof VitrineError || (/^(SQLITE_|E(?!RR_))/.test(code) && code !== "SQLITE_TOOBIG");
}
