/** The content digest of a catalog, computed again from what stands in the file. */
import Database from "better-sqlite3";
import { DigestSum } from "../base/digest-sum.ts";
import { RESOURCES } from "./resources.ts";
import { CatalogWriter, contentMeta, digestOfContent } from "./writer.ts";

/** Reads every row. @throws where the file is no catalog of this format, or no sound database */
export function digestCatalog(file: string): string {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const problem = db.pragma("quick_check(1)", { simple: true });
    if (problem !== "ok") throw new Error(String(problem));
    const reader = new CatalogWriter(db, new DigestSum(), false);
    const rows = new DigestSum();
    for (const { name } of RESOURCES) for (const digest of reader.digests(name)) rows.addDigest(digest);
    const meta = db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all();
    return digestOfContent(rows.toString(), contentMeta(meta));
  } finally {
    db.close();
  }
}
