/** Writes a list of the catalog to a stream, as CSV or as the API's own records. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemCodeOf } from "../../base/error.ts";
import type { Json } from "../../base/json.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { RESOURCES } from "../../catalog/resources.ts";
import { csvColumns, csvLines } from "./csv.ts";
import { unknownIn } from "./products.ts";

/** The lists that can be exported, by their endpoint: `products`, `reviews`, … */
export const EXPORTS: readonly string[] = RESOURCES.map(({ endpoint }) => endpoint);

/** Opens a query at the first record; the catalog cannot be closed until the iteration ends. */
function* recordsOf(catalog: Catalog, endpoint: string): Generator<Json> {
  const resource = RESOURCES.find((candidate) => candidate.endpoint === endpoint);
  if (resource !== undefined) yield* catalog.records(resource);
}

/** The records as the API returns them, one per line. */
function* ndjsonLines(records: Iterable<Json>): Generator<string> {
  for (const json of records) yield `${json}\n`;
}

export function exportLines(catalog: Catalog, endpoint: string, format: "csv" | "ndjson"): Iterable<string> {
  const records = recordsOf(catalog, endpoint);
  if (format === "ndjson") return ndjsonLines(records);
  return csvLines(records, csvColumns(endpoint), endpoint === "products" ? unknownIn : undefined);
}

/** Writes text to a stream without closing it. Ends quietly if the reader has gone away. */
export async function writeLines(lines: Iterable<string>, stream: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(lines), stream, { end: false });
  } catch (error) {
    if (!["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(systemCodeOf(error))) throw error;
  }
}
