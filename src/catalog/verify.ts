/** Checks a catalog's file: its pages, its rows, and their digest. */
import type Database from "better-sqlite3";
import * as Type from "typebox";
import { PublicConfig } from "../api/config.ts";
import { closed } from "../api/field.ts";
import type { Cell } from "../api/record.ts";
import { readsFormatText } from "../base/formats.ts";
import { type Json, parseShallowJson } from "../base/json.ts";
import { problemOf, schemaCheck } from "../base/schema.ts";
import { openSqlite } from "../base/sqlite.ts";
import { documentId, hasDocuments } from "../search/search-texts.ts";
import { contentMeta, digestOfContent, digestOfRows } from "./content-digest.ts";
import { RecordDigests } from "./record-digests.ts";
import { RESOURCES, type Resource, TABLES } from "./resources.ts";
import { digestsOfRow } from "./row.ts";

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
    for (const resource of RESOURCES) checkDigests(db, resource);
    const meta = db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all();
    return digestOfContent(digestOfRows(new RecordDigests(db)), contentMeta(meta));
  } finally {
    db.close();
  }
}

/** A row as it is stored, with its stored digests. */
type StoredRow = [
  id: number,
  listDigest: Buffer | null,
  detailDigest: Buffer | null,
  list: Json,
  added: Json | null,
  titleWords: string | null,
  excerpt: string,
  text: string,
  ...cells: Cell[],
];

/** Computes the digests of a list's rows again. @throws if the stored ones differ */
function checkDigests(db: Database.Database, { name, columns, detail }: Resource): void {
  const hasDocument = hasDocuments(name);
  const fields = [
    "r.id, g.list, g.detail, l.json",
    detail ? "a.json" : "NULL",
    hasDocument ? "d.title_words, d.excerpt, d.text" : "NULL, NULL, NULL",
    ...Object.keys(columns).map((column) => `r.${column}`),
  ];
  const joins = [
    `LEFT JOIN ${name}_digest AS g USING (id) LEFT JOIN ${name}_list AS l USING (id)`,
    detail ? `LEFT JOIN ${name}_added AS a USING (id)` : "",
    hasDocument ? `LEFT JOIN document AS d ON d.id = r.id + ${documentId(name, 0)}` : "",
  ];
  const rows = db
    .prepare<[], StoredRow>(`SELECT ${fields.join(", ")} FROM ${name} AS r ${joins.join(" ")}`)
    .raw();
  let count = 0;
  for (const [
    id,
    listDigest,
    detailDigest,
    list,
    added,
    titleWords,
    excerpt,
    text,
    ...cells
  ] of rows.iterate()) {
    count += 1;
    const document = titleWords === null ? null : { titleWords, excerpt, text };
    const digests = digestsOfRow(name, { id, cells, list, added, document });
    const isSame =
      listDigest?.equals(digests.list) === true &&
      detailDigest?.toString("hex") === digests.detail?.toString("hex");
    if (!isSame) throw new Error(`${name} ${id} has other digests than its row gives`);
  }
  const stored = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}_digest`).pluck().get();
  if (stored !== count) throw new Error(`${name} has digests of missing rows`);
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
export const STORED_CONFIG: Type.TObject = Type.Object(
  { ...required, rateLimit: Type.Optional(rateLimit), pages: Type.Optional(pages) },
  closed,
);
const isConfig = schemaCheck(STORED_CONFIG);

/** Checks the texts that are parsed as JSON wherever a catalog is opened. @throws Error if one is invalid */
export function checkMeta({ config = "", store = "" }: Readonly<Record<string, string>>): void {
  if (!isConfig(parseShallowJson(config)))
    throw new Error(`its configuration is invalid: ${problemOf(isConfig)}`);
  const value = parseShallowJson(store);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("its store is not a record");
}
