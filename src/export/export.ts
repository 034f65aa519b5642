/** A list of the catalog as a table, for spreadsheets and analysis: what is public, and nothing else. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemCodeOf } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { columnsOf } from "./columns.ts";
import { writeParquet } from "./parquet.ts";
import { csvLines, ndjsonLines } from "./text.ts";

export type ExportFormat = "csv" | "ndjson" | "parquet";

/** What can be exported, as the API names it: `products`, `reviews`, … */
export const EXPORTS: readonly string[] = RESOURCES.map(({ endpoint }) => endpoint);

/** Begins to read when the first is asked for: until it is done with, the catalog cannot be closed. */
function* recordsOf(catalog: Catalog, endpoint: string): Generator<Json> {
  const resource = RESOURCES.find((candidate) => candidate.endpoint === endpoint);
  if (resource !== undefined) yield* catalog.records(resource);
}

function linesOf(catalog: Catalog, endpoint: string, format: "csv" | "ndjson"): Iterable<string> {
  const records = recordsOf(catalog, endpoint);
  return format === "csv" ? csvLines(records, columnsOf(endpoint)) : ndjsonLines(records);
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
export async function exportToFile(
  catalog: Catalog,
  endpoint: string,
  format: ExportFormat,
  file: string,
): Promise<void> {
  const part = `${file}.part`;
  try {
    if (format === "parquet") await writeParquet(part, recordsOf(catalog, endpoint), columnsOf(endpoint));
    else await pipeline(Readable.from(linesOf(catalog, endpoint, format)), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw explainWriteFailure(error, file);
  }
}
