/** The files that generators give, made one after the other: what a snapshot without a past would hold. */
import { hash } from "node:crypto";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { stampBody } from "../../src/catalog/envelope.ts";
import { type MadeFile, type PutFile, type SiteInputs, siteInputs } from "../../src/site/made-file.ts";

export function inputsOf(catalog: Catalog): SiteInputs {
  return siteInputs(catalog);
}

/** Bytes by key; those of an alias are its file's. Times are written as `-`. */
export function makeAll(files: Iterable<MadeFile>): Map<string, Buffer> {
  const made = new Map<string, Buffer>();
  const put = new Map<string, PutFile>();
  const ports = { allocate: Buffer.alloc, putFile: (key: string) => put.get(key) ?? null };
  for (const file of files) {
    const bytes = stampBody(file.make(ports), "-");
    const generatedAt = file.changedAt?.() ?? "-";
    put.set(file.key, { digest: hash("sha256", bytes, "hex"), generatedAt });
    for (const key of [file.key, ...file.aliases]) made.set(key, bytes);
  }
  return made;
}
