/** A fallback's copy of the catalog that is damaged on the disk. */
import { closeSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

const HEADER_BYTES = 4096;

/** Copies in the folder of a copy. */
export function copiesIn(home: string): string[] {
  const names = readdirSync(home).filter((name) => name.startsWith("copy-"));
  return names.map((name) => join(home, name, "catalog.sqlite"));
}

/** The folder of the one copy in a cache. */
export function homeIn(cache: string): string {
  return join(cache, readdirSync(cache)[0] ?? "");
}

/** Overwrites all of a copy but SQLite's header, as a failing disk would. */
export function damageCopy(home: string): void {
  const [file = ""] = copiesIn(home);
  const bytes = Buffer.alloc(statSync(file).size - HEADER_BYTES, 1);
  const opened = openSync(file, "r+");
  writeSync(opened, bytes, 0, bytes.length, HEADER_BYTES);
  closeSync(opened);
}

/** More than the shops of tests have products. */
export const PRODUCT_IDS = Array.from({ length: 60 }, (_, at) => at + 1);

/**
 * Asks for details up to the first that the server cannot give: not for more, since SQLite keeps in memory what it has read. Null
 * if all are answered.
 */
export async function firstFailure(url: string): Promise<Response | null> {
  for (const id of PRODUCT_IDS) {
    const response = await fetch(`${url}/api/v1/product?id=${id}`);
    if (response.status >= 500) return response;
    await response.arrayBuffer();
  }
  return null;
}
