/** What a catalog's file must be before it is believed: its tables, its pages, its rows, and the digest that those give. */
import Database from "better-sqlite3";
import * as Type from "typebox";
import { PublicConfig } from "../api/config.ts";
import { DigestSum } from "../base/digest-sum.ts";
import { readsFormatText } from "../base/formats.ts";
import { compileSchema } from "../base/schema.ts";
import { documentRange, hasDocuments } from "../search/documents.ts";
import { partIndexes, RESOURCES, type Resource, TABLES } from "./resources.ts";
import { CatalogWriter, contentMeta, digestOfContent } from "./writer.ts";

function openReading(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  // Nothing that a schema names is run, whoever wrote it.
  db.pragma("trusted_schema = OFF");
  db.pragma("cell_size_check = ON");
  return db;
}

function checkPages(db: Database.Database): void {
  const problem = db.pragma("quick_check(1)", { simple: true });
  if (problem !== "ok") throw new Error(String(problem));
}

/** The digest of all rows, and the sum that it is made of. */
function readRows(db: Database.Database): { readonly digest: string; readonly rows: string } {
  const reader = new CatalogWriter(db, new DigestSum(), false);
  const sum = new DigestSum();
  for (const { name } of RESOURCES) for (const digest of reader.digests(name)) sum.addDigest(digest);
  const rows = sum.toString();
  return { digest: digestOfContent(rows, contentMeta(verifiedMeta(db))), rows };
}

function verifiedMeta(db: Database.Database): Map<string, string> {
  return new Map(db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all());
}

/**
 * The content digest of a catalog, computed again from what stands in the file.
 * @throws where the file is no catalog of this format, or no sound database
 */
export function digestCatalog(file: string): string {
  const db = openReading(file);
  try {
    checkFormat(db);
    checkPages(db);
    return readRows(db).digest;
  } finally {
    db.close();
  }
}

type SchemaRow = readonly [type: string, name: string, table: string, sql: string | null];

function readSchema(db: Database.Database): SchemaRow[] {
  return db.prepare<[], SchemaRow>("SELECT type, name, tbl_name, sql FROM sqlite_schema").raw().all();
}

/** Everything that a catalog's schema may hold, and what it must: indexes of parts come as they are completed. */
function schemaOfCatalogs(): { readonly may: ReadonlySet<string>; readonly must: readonly string[] } {
  const db = new Database(":memory:");
  try {
    db.exec(TABLES);
    const must = readSchema(db).map((row) => JSON.stringify(row));
    for (const { name } of RESOURCES) db.exec(partIndexes(name));
    return { may: new Set(readSchema(db).map((row) => JSON.stringify(row))), must };
  } finally {
    db.close();
  }
}

/** Its number, which stands at the same place in all formats. Of what claims to be another table nothing is read. */
function checkFormat(db: Database.Database): void {
  const meta = readSchema(db).find(([type, name]) => type === "table" && name === "meta");
  if (!TABLES.startsWith(`${meta?.[3]};`)) throw new Error("it lacks a table of a catalog");
  const sql = "SELECT value FROM meta WHERE name = 'format'";
  const format = db.prepare<[], string>(sql).pluck().get();
  if (!readsFormatText("catalog", format)) throw new Error("it is a catalog of another format");
}

/** No trigger, no view, no table and no index that Vitrine did not make. */
function checkSchema(db: Database.Database): void {
  const found = new Set(readSchema(db).map((row) => JSON.stringify(row)));
  const { may, must } = schemaOfCatalogs();
  for (const row of found) {
    const [type, name] = JSON.parse(row) as SchemaRow;
    if (!may.has(row)) throw new Error(`it has a ${type} ${name} that is not a catalog's`);
  }
  if (must.some((row) => !found.has(row))) throw new Error("it lacks a table of a catalog");
}

const { rateLimit, pages, ...required } = PublicConfig.properties;
/** A configuration as catalogs hold it: those of older versions lack what came later. */
const CONFIG = Type.Object(
  { ...required, rateLimit: Type.Optional(rateLimit), pages: Type.Optional(pages) },
  { additionalProperties: false },
);
let checkConfig: ReturnType<typeof compileSchema> | undefined;

/** Texts that are read as JSON wherever a catalog is opened. @throws Error where they are not what they must be */
export function checkMeta({ config = "", store = "" }: Readonly<Record<string, string>>): void {
  checkConfig ??= compileSchema(CONFIG);
  if (!checkConfig(JSON.parse(config))) {
    const [problem] = checkConfig.errors ?? [];
    throw new Error(`its configuration is none: ${problem?.instancePath} ${problem?.message}`);
  }
  const value: unknown = JSON.parse(store);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("its store is no record");
}

const META: readonly string[] = ["config", "digest", "format", "generated_at", "rows", "store"];
const META_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

const TYPES = { TEXT: "'text'", INTEGER: "'integer'", REAL: "'real', 'integer'" } as const;

/** Counts of rows that no catalog has: each must be none. A table's companions hold what it holds, and nothing else. */
function wrongRows({ name, columns, detail }: Resource): Record<string, string> {
  const fragment = (json: string) =>
    `NOT json_valid(${json}) OR substr(${json}, 1, 2) <> '{"' OR substr(${json}, -1) <> '}'`;
  const beside = (companion: string) =>
    [
      `${companion} beside ${name}`,
      `SELECT (SELECT count(*) FROM ${companion} WHERE id NOT IN (SELECT id FROM ${name}))
         + (SELECT count(*) FROM ${name} WHERE id NOT IN (SELECT id FROM ${companion}))`,
    ] as const;
  const companions = [`${name}_list`, ...(detail ? [`${name}_added`] : [])];
  const cells = Object.entries(columns).map(
    ([column, type]) => `typeof(${column}) NOT IN (${TYPES[type]}, 'null')`,
  );
  return {
    [name]: `SELECT count(*) FROM ${name} WHERE id < 1 OR id > 999999999999999 OR ${cells.join(" OR ")}`,
    ...Object.fromEntries(
      companions.flatMap((companion) => [
        [companion, `SELECT count(*) FROM ${companion} WHERE ${fragment("json")}`],
        beside(companion),
      ]),
    ),
    ...Object.fromEntries([beside(`${name}_digest`)]),
  };
}

/** Documents that are nobody's, and words of documents that are not there. */
function wrongDocuments(): Record<string, string> {
  const owned = RESOURCES.filter(({ name }) => hasDocuments(name)).map(({ name }) => {
    const { first, last } = documentRange([name]);
    return `id BETWEEN ${first} AND ${last} AND id - ${first} IN (SELECT id FROM ${name})`;
  });
  return {
    document: `SELECT count(*) FROM document WHERE NOT (${owned.join(" OR ")})`,
    document_text: `SELECT (SELECT count(*) FROM document_text_docsize WHERE id NOT IN (SELECT id FROM document))
      + (SELECT count(*) FROM document WHERE id NOT IN (SELECT id FROM document_text_docsize))`,
  };
}

function checkRows(db: Database.Database): void {
  const all = Object.assign(wrongDocuments(), ...RESOURCES.map(wrongRows)) as Record<string, string>;
  for (const [where, sql] of Object.entries(all)) {
    const count = db.prepare<[], number>(sql).pluck().get();
    if (count !== 0) throw new Error(`${count} rows of ${where} are not a catalog's`);
  }
}

/**
 * Reads all of a catalog that others may have written, and gives its digest: that of its rows.
 * @throws Error where anything of it is not as this version makes catalogs
 */
export function proveCatalog(file: string): string {
  const db = openReading(file);
  try {
    if (db.pragma("journal_mode", { simple: true }) !== "delete") throw new Error("it wants a log beside it");
    checkFormat(db);
    checkSchema(db);
    checkPages(db);
    const meta = verifiedMeta(db);
    if ([...meta.keys()].sort().join() !== META.join()) throw new Error("its meta has other names");
    if (!META_TIME.test(meta.get("generated_at") ?? "")) throw new Error("it does not say when it was made");
    checkMeta(Object.fromEntries(meta));
    checkRows(db);
    const { digest, rows } = readRows(db);
    if (meta.get("digest") !== digest || meta.get("rows") !== rows)
      throw new Error(
        `its rows give another digest than the ${meta.get("digest")?.slice(0, 12)} that it claims`,
      );
    return digest;
  } finally {
    db.close();
  }
}
