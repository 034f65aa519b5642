/** A list of the catalog into a file or a stream, as a table or as the API's own records. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemCodeOf } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import { openFile } from "../base/part-file.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { TextPieces } from "./pieces.ts";
import { csvLines, exportColumns, type TableFormat, writeTables } from "./table.ts";

export type ExportFormat = TableFormat | "ndjson";

/** What can be exported, as the API names it: `products`, `reviews`, … */
export const EXPORTS: readonly string[] = RESOURCES.map(({ endpoint }) => endpoint);

/** Begins to read when the first is asked for: until it is done with, the catalog cannot be closed. */
function* recordsOf(catalog: Catalog, endpoint: string): Generator<Json> {
  const resource = RESOURCES.find((candidate) => candidate.endpoint === endpoint);
  if (resource !== undefined) yield* catalog.records(resource);
}

/** The records as the API answers with them, one a line. */
function* ndjsonLines(records: Iterable<Json>): Generator<string> {
  for (const json of records) yield `${json}\n`;
}

function linesOf(catalog: Catalog, endpoint: string, format: "csv" | "ndjson"): Iterable<string> {
  const records = recordsOf(catalog, endpoint);
  return format === "csv" ? csvLines(records, exportColumns(endpoint)) : ndjsonLines(records);
}

/** Writes text to a stream that goes on living. A reader that went away wants no more. */
export async function exportToStream(
  catalog: Catalog,
  endpoint: string,
  format: "csv" | "ndjson",
  stream: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(linesOf(catalog, endpoint, format)), stream, { end: false });
  } catch (error) {
    if (!["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(systemCodeOf(error))) throw error;
  }
}

/** Writes a file whole, or leaves what was there. @throws VitrineError write_failed */
export function exportToFile(catalog: Catalog, endpoint: string, format: ExportFormat, file: string): void {
  try {
    using whole = openFile(file);
    const take = (bytes: Uint8Array) => whole.add(bytes);
    const records = recordsOf(catalog, endpoint);
    if (format === "ndjson") {
      const text = new TextPieces(take);
      for (const line of ndjsonLines(records)) text.add(line);
      text.finish();
    } else writeTables(records, endpoint, [[format, take]]);
    whole.put();
  } catch (error) {
    throw explainWriteFailure(error, file);
  }
}
