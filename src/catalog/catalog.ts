/** An open catalog: read-only, its meta, its fragments, and its lists in memory from their first use on. */
import Database from "better-sqlite3";
import type { PublicConfig } from "../api/config.ts";
import { DEFAULT_RATE_LIMIT } from "../api/errors.ts";
import type { Store } from "../api/records/store.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import type { MetaTime } from "../base/time.ts";
import { FragmentPool } from "./fragment-pool.ts";
import { CATALOG_FORMAT, RESOURCES, type Resource, type ResourceName, resourceNamed } from "./resources.ts";
import { SearchIndex } from "./search-index.ts";
import { type RowChanges, Table } from "./table.ts";

export interface Catalog {
  readonly config: PublicConfig;
  readonly store: Store;
  /** When the catalog's content last changed: `meta.generated_at` of what the fallback answers. */
  readonly generatedAt: MetaTime;
  /** SHA-256 of the content, hexadecimal; the same data gives the same. */
  readonly digest: string;
  readonly db: Database.Database;
  table(name: ResourceName): Table;
  fragments(name: ResourceName): FragmentPool;
  searchIndex(): SearchIndex;
  /** Id of the row with this slug, or null. */
  idOfSlug(resource: Resource, slug: string): number | null;
  detail(resource: Resource, id: number): Json | null;
  /** All detail fragments with their slugs, in order of id. */
  details(resource: Resource): IterableIterator<{ id: number; slug: string; json: Json }>;
  /** The record with the smallest id, in its shapes; null where there is none. */
  first(resource: Resource): { readonly list: Json; readonly detail: Json | null } | null;
  /** Does now what would else be done at first use: lists and what search knows of words into memory. */
  warm(): void;
  /** Reads the file now. @throws where it cannot, or is another catalog by now */
  probe(): void;
  close(): void;
}

function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function readMeta(db: Database.Database, file: string): Map<string, string> {
  const rows = db.prepare<[], { name: string; value: string }>("SELECT name, value FROM meta").all();
  const meta = new Map(rows.map((row) => [row.name, row.value]));
  if (meta.get("format") === CATALOG_FORMAT) return meta;
  throw new VitrineError(
    "catalog_unreadable",
    `${file} is a catalog of format ${meta.get("format")}, this version reads ${CATALOG_FORMAT}: build it again.`,
  );
}

function openFile(file: string): { db: Database.Database; meta: Map<string, string> } {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return { db, meta: readMeta(db, file) };
  } catch (error) {
    db?.close();
    if (error instanceof VitrineError) throw error;
    throw new VitrineError(
      "catalog_unreadable",
      `Cannot read the catalog ${file}: ${messageOf(error)}. Make it with vitrine build, or name another place.`,
      { cause: error },
    );
  }
}

function required(meta: Map<string, string>, name: string, file: string): string {
  const value = meta.get(name);
  if (value !== undefined) return value;
  throw new VitrineError("catalog_unreadable", `The catalog ${file} lacks ${name}: build it again.`);
}

/** A catalog that an older version made lacks what came into configurations later: there the default holds. */
function readConfig(text: string): PublicConfig {
  const known = JSON.parse(text) as Omit<PublicConfig, "rateLimit"> & Partial<PublicConfig>;
  return { ...known, rateLimit: known.rateLimit ?? DEFAULT_RATE_LIMIT };
}

/** A test asserts that it is answered from the index that the writer makes for it. */
export function slugLookup(name: ResourceName): string {
  return `SELECT id FROM ${name} WHERE slug = ?`;
}

/** Statements by resource, prepared at their first use. */
function prepareLookups(db: Database.Database) {
  return {
    bySlug: memo((name: ResourceName) => db.prepare<[string], number>(slugLookup(name)).pluck()),
    detail: memo((name: ResourceName) =>
      db.prepare<[number], Json>(`SELECT json FROM ${name}_detail WHERE id = ?`).pluck(),
    ),
    details: memo((name: ResourceName) =>
      db.prepare<[], { id: number; slug: string; json: Json }>(
        `SELECT id, slug, json FROM ${name} JOIN ${name}_detail USING (id) ORDER BY id`,
      ),
    ),
  };
}

/** Opens a catalog read-only. @throws VitrineError catalog_unreadable */
export function openCatalog(file: string, _options: { fragments?: "file" | "memory" } = {}): Catalog {
  const { db, meta } = openFile(file);
  return catalogOn(db, meta, file, (name) => Table.load(db, resourceNamed(name)));
}

/** A catalog after a change that its connection sees already. */
export function nextCatalog(
  before: Catalog,
  { db, changes }: { db: Database.Database; changes: ReadonlyMap<ResourceName, RowChanges> },
): Catalog {
  return catalogOn(db, readMeta(db, db.name), db.name, (name) => {
    const change = changes.get(name);
    return change === undefined ? before.table(name) : before.table(name).next(change);
  });
}

function catalogOn(
  db: Database.Database,
  meta: Map<string, string>,
  file: string,
  makeTable: (name: ResourceName) => Table,
): Catalog {
  const lookups = prepareLookups(db);
  const table = memo(makeTable);
  const fragments = memo((name: ResourceName) => new FragmentPool(db, name, table(name).size));
  let searchIndex: SearchIndex | undefined;
  const openSearchIndex = (): SearchIndex => {
    searchIndex ??= new SearchIndex(db);
    return searchIndex;
  };
  return {
    config: readConfig(required(meta, "config", file)),
    store: JSON.parse(required(meta, "store", file)) as Store,
    generatedAt: required(meta, "generated_at", file),
    digest: required(meta, "digest", file),
    db,
    table,
    fragments,
    searchIndex: openSearchIndex,
    idOfSlug: (resource, slug) => lookups.bySlug(resource.name).get(slug) ?? null,
    detail: (resource, id) => lookups.detail(resource.name).get(id) ?? null,
    details: (resource) => lookups.details(resource.name).iterate(),
    warm: () => {
      for (const { name } of RESOURCES) {
        table(name).warm();
        fragments(name);
      }
      openSearchIndex();
    },
    first: ({ name, detail }) => {
      const columns = detail ? "l.json AS list, d.json AS detail" : "l.json AS list, NULL AS detail";
      const join = detail ? `JOIN ${name}_detail d USING (id)` : "";
      const sql = `SELECT ${columns} FROM ${name}_list l ${join} ORDER BY l.id LIMIT 1`;
      return db.prepare<[], { list: Json; detail: Json | null }>(sql).get() ?? null;
    },
    probe: () => {
      const digest = db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get();
      if (digest !== meta.get("digest")) throw new Error(`${file} is not the catalog that was opened`);
    },
    close: () => {
      db.close();
    },
  };
}
