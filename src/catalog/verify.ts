/** Checks a catalog's file: its pages, its rows, and their digest. */
import type Database from "better-sqlite3";
import * as Type from "typebox";
import { PublicConfig } from "../api/config.ts";
import { closed } from "../api/field.ts";
import { readsFormatText } from "../base/formats.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import { parseShallowJson } from "../base/shallow-json.ts";
import { openSqlite } from "../base/sqlite.ts";
import { RecordDigests } from "./record-digests.ts";
import { RESOURCES, TABLES } from "./resources.ts";
import { CatalogWriter, contentMeta, digestOfContent, digestOfRows } from "./writer.ts";

function openReading(file: string): Database.Database {
  const db = openSqlite(file, { readonly: true, fileMustExist: true });
  // The file may come from anybody: no function that its schema names may run.
  db.pragma("trusted_schema = OFF");
  db.pragma("cell_size_check = ON");
  return db;
}

function checkPages(db: Database.Database): void {
  const problem = db.pragma("quick_check(1)", { simple: true });
  if (problem !== "ok") throw new Error(String(problem));
}

/**
 * Computes a catalog's content digest again from its file.
 * @throws if the file is not a catalog of this format, or is damaged
 */
export function digestCatalog(file: string): string {
  const db = openReading(file);
  try {
    checkFormat(db);
    checkPages(db);
    const reader = new CatalogWriter(db, false);
    for (const { name } of RESOURCES) reader.checkDigests(name);
    const meta = db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all();
    return digestOfContent(digestOfRows(new RecordDigests(db)), contentMeta(meta));
  } finally {
    db.close();
  }
}

type SchemaRow = readonly [type: string, name: string, table: string, sql: string | null];

function readSchema(db: Database.Database): SchemaRow[] {
  return db.prepare<[], SchemaRow>("SELECT type, name, tbl_name, sql FROM sqlite_schema").raw().all();
}

/** Checks the format's number, which has the same place in all formats. The meta table must be Vitrine's own before it is read. */
function checkFormat(db: Database.Database): void {
  const meta = readSchema(db).find(([type, name]) => type === "table" && name === "meta");
  if (!TABLES.startsWith(`${meta?.[3]};`)) throw new Error("it lacks a table of a catalog");
  const sql = "SELECT value FROM meta WHERE name = 'format'";
  const format = db.prepare<[], string>(sql).pluck().get();
  if (!readsFormatText("catalog", format)) throw new Error("it is a catalog of another format");
}

const { rateLimit, pages, ...required } = PublicConfig.properties;
/** A configuration as catalogs have it: those of older versions lack later settings. */
const isConfig = schemaCheck(
  Type.Object({ ...required, rateLimit: Type.Optional(rateLimit), pages: Type.Optional(pages) }, closed),
);

/** Checks the texts that are parsed as JSON wherever a catalog is opened. @throws Error if one is invalid */
export function checkMeta({ config = "", store = "" }: Readonly<Record<string, string>>): void {
  if (!isConfig(parseShallowJson(config)))
    throw new Error(`its configuration is invalid: ${problemOf(isConfig)}`);
  const value = parseShallowJson(store);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("its store is not a record");
}
