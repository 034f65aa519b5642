/** Makes a new catalog file. Rows come in order of id, so that the same data gives the same bytes. */
import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import type { Cell, SearchTexts } from "../api/record.ts";
import type { Json } from "../base/json.ts";
import { DOCUMENT_TABLES, documentId, NO_MERGING, USUAL_MERGING, wordsOf } from "./documents.ts";
import { CATALOG_FORMAT, RESOURCES, type Resource, type ResourceName } from "./resources.ts";

/** One row of a resource: its id and narrow columns, its fragments, and its texts for the full-text index. */
interface Row {
  readonly id: number;
  /** By the column's name. */
  readonly columns: Readonly<Record<string, Cell>>;
  readonly list: Json;
  readonly detail?: Json;
  readonly document?: SearchTexts;
}

export interface CatalogWriter {
  /** Adds a row. */
  add(resource: ResourceName, row: Row): void;
  /** Completes the file. `meta` is part of the digest, `generatedAt` is not: it alone makes no new catalog. */
  finish(meta: Readonly<Record<string, string>>, generatedAt: string): void;
  /** Closes the file without completing it. */
  close(): void;
}

function createTables(db: Database.Database): void {
  db.exec("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  for (const resource of RESOURCES) {
    const columns = Object.entries(resource.columns).map(([name, type]) => `${name} ${type}`);
    db.exec(`CREATE TABLE ${resource.name} (id INTEGER PRIMARY KEY, ${columns.join(", ")})`);
    db.exec(`CREATE TABLE ${resource.name}_list (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`);
    if (resource.detail) {
      db.exec(`CREATE TABLE ${resource.name}_detail (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`);
    }
  }
  db.exec(DOCUMENT_TABLES);
  db.exec(NO_MERGING);
}

interface Inserts {
  /** Columns in the order of the table. */
  readonly columns: readonly string[];
  readonly row: Database.Statement;
  readonly list: Database.Statement;
  readonly detail: Database.Statement | null;
}

function prepareInserts(db: Database.Database, resource: Resource): Inserts {
  const columns = Object.keys(resource.columns);
  const marks = columns.map(() => "?");
  const { name } = resource;
  return {
    columns,
    row: db.prepare(`INSERT INTO ${name} VALUES (?, ${marks.join(", ")})`),
    list: db.prepare(`INSERT INTO ${name}_list VALUES (?, ?)`),
    detail: resource.detail ? db.prepare(`INSERT INTO ${name}_detail VALUES (?, ?)`) : null,
  };
}

function prepareDocuments(
  db: Database.Database,
): (resource: ResourceName, recordId: number, document: SearchTexts) => void {
  const addDocument = db.prepare("INSERT INTO document VALUES (?, ?, ?, ?)");
  const addWords = db.prepare("INSERT INTO document_text (rowid, title, excerpt, text) VALUES (?, ?, ?, ?)");
  return (resource, recordId, { title, excerpt, text }) => {
    const id = documentId(resource, recordId);
    const [titleWords, excerptWords, textWords] = [title, excerpt, text].map((part) =>
      wordsOf(part).join(" "),
    );
    addDocument.run(id, titleWords, excerpt, text);
    addWords.run(id, titleWords, excerptWords, textWords);
  };
}

/** Lists are answered from columns in memory; by slug, one row is looked up in this index. */
function createIndexes(db: Database.Database): void {
  for (const resource of RESOURCES) {
    if (resource.slug) db.exec(`CREATE UNIQUE INDEX ${resource.name}_slug ON ${resource.name} (slug)`);
  }
}

/** Opens a new file; whatever stood at the path must be gone. */
export function createCatalog(file: string): CatalogWriter {
  const db = new Database(file);
  // Nobody else sees the file before it is renamed, and a half one is thrown away: no journal is needed.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("locking_mode = EXCLUSIVE");
  createTables(db);
  const inserts = new Map(RESOURCES.map((resource) => [resource.name, prepareInserts(db, resource)]));
  const addDocument = prepareDocuments(db);
  const addMeta = db.prepare("INSERT INTO meta VALUES (?, ?)");
  const digest = createHash("sha256");
  db.exec("BEGIN");
  return {
    add(name, row) {
      const insert = inserts.get(name);
      if (insert === undefined) throw new Error(`No resource is named ${name}`);
      const cells = insert.columns.map((column) => row.columns[column] ?? null);
      insert.row.run(row.id, ...cells);
      insert.list.run(row.id, row.list);
      insert.detail?.run(row.id, row.detail);
      digest.update(`${name}\n${row.id}\n${JSON.stringify(cells)}\n${row.list}\n${row.detail ?? ""}\n`);
      if (row.document === undefined) return;
      addDocument(name, row.id, row.document);
      digest.update(`${JSON.stringify(row.document)}\n`);
    },
    finish(meta, generatedAt) {
      const entries = Object.entries({ ...meta, format: CATALOG_FORMAT }).sort(([a], [b]) =>
        a < b ? -1 : 1,
      );
      digest.update(JSON.stringify(entries));
      for (const [key, value] of entries) addMeta.run(key, value);
      addMeta.run("digest", digest.digest("hex"));
      addMeta.run("generated_at", generatedAt);
      createIndexes(db);
      db.exec("INSERT INTO document_text (document_text) VALUES ('optimize')");
      db.exec(USUAL_MERGING);
      db.exec("COMMIT");
      db.close();
    },
    close() {
      db.close();
    },
  };
}
