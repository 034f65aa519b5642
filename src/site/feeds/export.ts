/** A list of the catalog into a stream, as CSV or as the API's own records. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemCodeOf } from "../../base/error.ts";
import type { Json } from "../../base/json.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { RESOURCES } from "../../catalog/resources.ts";
import { csvColumns, csvLines } from "./csv.ts";

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

export function exportLines(catalog: Catalog, endpoint: string, format: "csv" | "ndjson"): Iterable<string> {
  const records = recordsOf(catalog, endpoint);
  return format === "csv" ? csvLines(records, csvColumns(endpoint)) : ndjsonLines(records);
}

/** Writes text to a stream that goes on living. A reader that went away wants no more. */
export async function writeLines(lines: Iterable<string>, stream: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(lines), stream, { end: false });
  } catch (error) {
    if (!["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(systemCodeOf(error))) throw error;
  }
}
