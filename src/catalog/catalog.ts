/** An open catalog: read-only, its meta, its fragments in the file, and its lists in memory from their first use on. */
import Database from "better-sqlite3";
import type { PublicConfig } from "../api/config.ts";
import { DEFAULT_RATE_LIMIT } from "../api/errors.ts";
import type { Store } from "../api/records/store.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import type { Json } from "../base/json.ts";
import { beginReading, endReading } from "../base/sqlite.ts";
import { finishSteps, type Steps } from "../base/steps.ts";
import type { MetaTime } from "../base/time.ts";
import { SearchIndex } from "../search/search-index.ts";
import { readSearchWords } from "../search/search-words.ts";
import { type FragmentCopies, FragmentReader, FragmentStore, type Fragments } from "./fragments.ts";
import type { Piece } from "./lists.ts";
import { RecordList } from "./record-list.ts";
import { RESOURCES, type Resource, type ResourceName, resourceNamed } from "./resources.ts";
import { joinDetail, joinDetailSql } from "./row.ts";
import { type RowChanges, Table } from "./table.ts";

/** What turns a catalog into the next one. */
export interface CatalogChange {
  readonly changes: Readonly<Partial<Record<ResourceName, RowChanges>>>;
  /** Entries of `meta` that are others by now: `digest`, `generated_at`, … */
  readonly meta: Readonly<Record<string, string>>;
  /** Null where documents changed: what search knows of words is read again at its next use. */
  readonly words?: null;
}

export interface Catalog extends Disposable {
  readonly config: PublicConfig;
  readonly store: Store;
  /** When the catalog's content last changed: `meta.generated_at` of what the fallback answers. */
  readonly generatedAt: MetaTime;
  /** SHA-256 of the content, hexadecimal; the same data gives the same. */
  readonly digest: string;
  /** Number of its format. */
  readonly format: number;
  readonly db: Database.Database;
  /** What answers are made of. */
  list(name: ResourceName): RecordList;
  /** What builds follow changes with. */
  table(name: ResourceName): Table;
  /** Where a render has fragments, by row. */
  fragments(name: ResourceName): Fragments;
  /** The list fragment of a record that is there. */
  fragment(name: ResourceName, id: number): Json;
  searchIndex(): SearchIndex;
  /** Id of the row with this slug, or null. */
  idOfSlug(resource: Resource, slug: string): number | null;
  detail(resource: Resource, id: number): Json | null;
  /** Does now what would else be done at first use: reads lists, with their groups, and what search knows of words. */
  load(): Steps<void>;
  /**
   * The catalog after a change that the file has already: lists in memory are merged with it, the others are read when
   * they are used. Both have one connection, so only one is closed; this one is not to be used for what it has not read.
   * `db`: another connection, which sees the change already: then this one goes on, and both are closed.
   */
  next(change: CatalogChange, db?: Database.Database): Catalog;
  /** Takes what another thread read of this very file, instead of reading it at first use. */
  take(piece: Piece): void;
  /**
   * Reads on in one transaction until told to {@link release} it: the file as it is now, whatever others write to it in WAL
   * mode, and a look-up does not lock the file each time.
   */
  hold(): void;
  release(): void;
  /** The record with the smallest id, in its shapes; null where there is none. */
  first(resource: Resource): { readonly list: Json; readonly detail: Json | null } | null;
  /** All records in their list shape, in order of id, read one after the other. */
  records(resource: Resource): IterableIterator<Json>;
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
  if (readsFormatText("catalog", meta.get("format"), file)) return meta;
  const { oldest, newest } = FORMATS.catalog;
  throw new VitrineError(
    "catalog_unreadable",
    `${file} is a catalog of format ${meta.get("format")}, this version reads ${oldest} to ${newest}: build it again.`,
  );
}

function openDatabase(file: string): { db: Database.Database; meta: Map<string, string> } {
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

function required(meta: ReadonlyMap<string, string>, name: string, file: string): string {
  const value = meta.get(name);
  if (value !== undefined) return value;
  throw new VitrineError("catalog_unreadable", `The catalog ${file} lacks ${name}: build it again.`);
}

/** A catalog that an older version made lacks what came into configurations later: there the default holds. */
function parseStoredConfig(text: string): PublicConfig {
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
    fragment: memo((name: ResourceName) =>
      db.prepare<[number], Json>(`SELECT json FROM ${name}_list WHERE id = ?`).pluck(),
    ),
    // For one row, SQLite takes three times as long for a join as for the row and a subquery.
    detail: memo((name: ResourceName) =>
      db.prepare<[number], { list: Json; added: Json }>(
        `SELECT json AS list, (SELECT json FROM ${name}_added AS a WHERE a.id = l.id) AS added
         FROM ${name}_list AS l WHERE id = ?`,
      ),
    ),
  };
}

/** Where list fragments are: in the file, or in copies of their own, for a render that needs nearly all of them. */
type FragmentPlace = "file" | FragmentCopies;

export interface CatalogOptions {
  /** Default: in the file. */
  readonly fragments?: FragmentPlace;
  /** What was read of the same file already. */
  readonly pieces?: Iterable<Piece>;
}

/** What stays the same from one catalog to the next. */
interface CatalogSource {
  readonly file: string;
  readonly db: Database.Database;
  readonly lookups: ReturnType<typeof prepareLookups>;
  readonly place: FragmentPlace;
}

/** What is in memory of a catalog by now. */
interface Lists {
  readonly records: Map<ResourceName, RecordList>;
  readonly tables: Map<ResourceName, Table>;
  readonly fragments: Map<ResourceName, Fragments>;
  search: SearchIndex | null;
}

/** The tables that are in memory, after a change; the rest will be read with it. `stays`: from the same connection. */
function nextLists(lists: Lists, { changes, words }: CatalogChange, stays: boolean): Lists {
  const tables = new Map(lists.tables);
  const fragments = new Map(stays ? lists.fragments : []);
  for (const { name } of RESOURCES) {
    const own = changes[name];
    if (own === undefined) continue;
    fragments.delete(name);
    const table = tables.get(name);
    if (table !== undefined) tables.set(name, table.next(own));
  }
  return { records: new Map(), tables, fragments, search: words === null ? null : lists.search };
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function openFragments({ db, place }: CatalogSource, name: ResourceName, ids: () => Float64Array): Fragments {
  if (place === "file") return new FragmentReader(db, name, ids());
  const copy = place.get(name);
  if (copy === undefined) throw new Error(`There is no copy of the fragments of ${name}`);
  return new FragmentStore(copy);
}

function createCatalogView(source: CatalogSource, meta: ReadonlyMap<string, string>, lists: Lists): Catalog {
  const { db, file, lookups } = source;
  const table = (name: ResourceName) =>
    remembered(lists.tables, name, () => Table.load(db, resourceNamed(name)));
  const list = (name: ResourceName) =>
    remembered(lists.records, name, () => finishSteps(RecordList.load(db, resourceNamed(name))));
  const fragments = (name: ResourceName) =>
    remembered(lists.fragments, name, () => openFragments(source, name, () => table(name).ids));
  const searchIndex = (): SearchIndex => {
    lists.search ??= new SearchIndex(db, finishSteps(readSearchWords(db)));
    return lists.search;
  };
  const fragment = (name: ResourceName, id: number): Json => {
    const json = lookups.fragment(name).get(id);
    if (json === undefined) throw new Error(`${name} ${id} has no fragment`);
    return json;
  };
  const close = () => {
    for (const each of lists.fragments.values()) each.close();
    lists.fragments.clear();
    db.close();
  };
  return {
    config: parseStoredConfig(required(meta, "config", file)),
    store: JSON.parse(required(meta, "store", file)) as Store,
    generatedAt: required(meta, "generated_at", file),
    digest: required(meta, "digest", file),
    format: Number(required(meta, "format", file)),
    db,
    list,
    table,
    fragments,
    fragment,
    searchIndex,
    idOfSlug: (resource, slug) => lookups.bySlug(resource.name).get(slug) ?? null,
    detail: ({ name }, id) => {
      const found = lookups.detail(name).get(id);
      return found === undefined ? null : joinDetail(found.list, found.added);
    },
    load: function* () {
      for (const resource of RESOURCES) {
        const made = lists.records.get(resource.name) ?? (yield* RecordList.load(db, resource));
        yield* made.group();
        lists.records.set(resource.name, made);
      }
      lists.search ??= new SearchIndex(db, yield* readSearchWords(db));
    },
    next: (change, other) => {
      const next = other === undefined ? source : { ...source, db: other, lookups: prepareLookups(other) };
      const nextMeta = new Map([...meta, ...Object.entries(change.meta)]);
      return createCatalogView(next, nextMeta, nextLists(lists, change, other === undefined));
    },
    take: ({ resource, table: packed }) => {
      lists.tables.set(resource, Table.unpack(resourceNamed(resource), packed));
    },
    hold: () => beginReading(db),
    release: () => endReading(db),
    first: ({ name, detail }) => {
      const joined = detail ? joinDetailSql("l.json", "a.json") : "NULL";
      const join = detail ? `JOIN ${name}_added a USING (id)` : "";
      const sql = `SELECT l.json AS list, ${joined} AS detail FROM ${name}_list l ${join} ORDER BY l.id LIMIT 1`;
      return db.prepare<[], { list: Json; detail: Json | null }>(sql).get() ?? null;
    },
    records: ({ name }) =>
      db.prepare<[], Json>(`SELECT json FROM ${name}_list ORDER BY id`).pluck().iterate(),
    probe: () => {
      const digest = db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get();
      if (digest !== meta.get("digest")) throw new Error(`${file} is not the catalog that was opened`);
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** Opens a catalog read-only. @throws VitrineError catalog_unreadable */
export function openCatalog(file: string, { fragments = "file", pieces = [] }: CatalogOptions = {}): Catalog {
  const { db, meta } = openDatabase(file);
  const source = { file, db, lookups: prepareLookups(db), place: fragments };
  const catalog = createCatalogView(source, meta, {
    records: new Map(),
    tables: new Map(),
    fragments: new Map(),
    search: null,
  });
  for (const piece of pieces) catalog.take(piece);
  if (typeof fragments === "object") {
    // Who has copies reads the file's rows in their order, each once: two megabytes, as SQLite counts them.
    db.pragma("cache_size = -2000");
    catalog.hold();
  }
  return catalog;
}
