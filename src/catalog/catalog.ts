/** An open catalog: read-only, its meta, its fragments, and its lists in memory from their first use on. */
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
import { readSearchWords, type SearchWords } from "../search/search-words.ts";
import { type FragmentCopies, FragmentReader, FragmentStore, type Fragments } from "./fragments.ts";
import type { Piece } from "./lists.ts";
import { RESOURCES, type Resource, type ResourceName, resourceNamed } from "./resources.ts";
import { joinDetail, joinDetailSql } from "./row.ts";
import { type RowChanges, Table } from "./table.ts";

/** What changes in one list; see {@link RowChanges}. */
export interface ListChanges extends RowChanges {
  /** The list fragment of each; only fragments in memory need it. */
  readonly put: readonly (RowChanges["put"][number] & { readonly list?: Json })[];
}

/** What turns a catalog into the next one. */
export interface CatalogChange {
  readonly changes: Readonly<Partial<Record<ResourceName, ListChanges>>>;
  /** Entries of `meta` that are others by now: `digest`, `generated_at`, … */
  readonly meta: Readonly<Record<string, string>>;
  /** What search then knows of words: absent where no document changed; null to read it at its next use. */
  readonly words?: SearchWords | null;
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
  table(name: ResourceName): Table;
  fragments(name: ResourceName): Fragments;
  searchIndex(): SearchIndex;
  /** Id of the row with this slug, or null. */
  idOfSlug(resource: Resource, slug: string): number | null;
  detail(resource: Resource, id: number): Json | null;
  /** Does now what would else be done at first use: lists and what search knows of words into memory. */
  warm(): void;
  /**
   * The catalog after a change that the file has already: lists in memory are merged with it, the others are read when
   * they are used. Both have one connection, so only one is closed; this one is not to be used for what it has not read.
   * `db`: another connection, which sees the change already: then this one goes on, and both are closed.
   */
  next(change: CatalogChange, db?: Database.Database): Catalog;
  /** As {@link next} on the same connection, for whoever has something to do between its steps. */
  nextInSteps(change: CatalogChange): Steps<Catalog>;
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
    // For one row, SQLite takes three times as long for a join as for the row and a subquery.
    detail: memo((name: ResourceName) =>
      db.prepare<[number], { list: Json; added: Json }>(
        `SELECT json AS list, (SELECT json FROM ${name}_added AS a WHERE a.id = l.id) AS added
         FROM ${name}_list AS l WHERE id = ?`,
      ),
    ),
  };
}

/**
 * Where list fragments are: all in memory, to answer fast, or in the file, so that memory does not grow with the shop, or
 * in copies of their own, for whoever needs nearly all of them.
 */
type FragmentPlace = "memory" | "file" | FragmentCopies;

export interface CatalogOptions {
  /** Default: memory. */
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
  readonly tables: Map<ResourceName, Table>;
  readonly fragments: Map<ResourceName, Fragments>;
  search: SearchIndex | null;
}

/** Those lists that are in memory, after a change; the others will be read with it. */
function* nextLists(
  { db }: CatalogSource,
  lists: Lists,
  { changes, words }: CatalogChange,
  stays: boolean,
): Steps<Lists> {
  const tables = new Map(lists.tables);
  const fragments = new Map(stays ? lists.fragments : []);
  for (const [name, table] of lists.tables) {
    const own = changes[name];
    if (own === undefined) continue;
    tables.set(name, yield* table.nextInSteps(own));
    const known = fragments.get(name);
    if (known === undefined) continue;
    const json = own.put.map(({ id, list }) => {
      if (list === undefined) throw new Error(`${name} ${id} is put without its fragment`);
      return list;
    });
    fragments.set(name, known.next(table.moves(own), json));
    yield;
  }
  const search = words === undefined ? lists.search : words === null ? null : new SearchIndex(db, words);
  return { tables, fragments, search };
}

function* nextCatalog(
  source: CatalogSource,
  meta: ReadonlyMap<string, string>,
  lists: Lists,
  change: CatalogChange,
  stays: boolean,
): Steps<Catalog> {
  const nextMeta = new Map([...meta, ...Object.entries(change.meta)]);
  return createCatalogView(source, nextMeta, yield* nextLists(source, lists, change, stays));
}

function takePiece(db: Database.Database, lists: Lists, piece: Piece): void {
  if ("words" in piece) lists.search = new SearchIndex(db, piece.words);
  else if ("fragments" in piece) lists.fragments.set(piece.resource, new FragmentStore(piece.fragments));
  else lists.tables.set(piece.resource, Table.unpack(resourceNamed(piece.resource), piece.table));
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function openFragments({ db, place }: CatalogSource, name: ResourceName, ids: () => Float64Array): Fragments {
  if (place === "memory") return FragmentStore.load(db, name, ids());
  if (place === "file") return new FragmentReader(db, name, ids());
  const copy = place.get(name);
  if (copy === undefined) throw new Error(`There is no copy of the fragments of ${name}`);
  return new FragmentStore(copy);
}

function createCatalogView(source: CatalogSource, meta: ReadonlyMap<string, string>, lists: Lists): Catalog {
  const { db, file, lookups } = source;
  const table = (name: ResourceName) =>
    remembered(lists.tables, name, () => Table.load(db, resourceNamed(name)));
  const fragments = (name: ResourceName) =>
    remembered(lists.fragments, name, () => openFragments(source, name, () => table(name).ids));
  const searchIndex = (): SearchIndex => {
    lists.search ??= new SearchIndex(db, readSearchWords(db));
    return lists.search;
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
    table,
    fragments,
    searchIndex,
    idOfSlug: (resource, slug) => lookups.bySlug(resource.name).get(slug) ?? null,
    detail: ({ name }, id) => {
      const found = lookups.detail(name).get(id);
      return found === undefined ? null : joinDetail(found.list, found.added);
    },
    warm: () => {
      for (const { name } of RESOURCES) {
        table(name).warm();
        fragments(name);
      }
      searchIndex();
    },
    next: (change, other) => {
      const next = other === undefined ? source : { ...source, db: other, lookups: prepareLookups(other) };
      return finishSteps(nextCatalog(next, meta, lists, change, other === undefined));
    },
    nextInSteps: (change) => nextCatalog(source, meta, lists, change, true),
    take: (piece) => takePiece(db, lists, piece),
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

/** A catalog as a connection sees it, a transaction that is not committed included. `file`: for messages. */
export function catalogOver(db: Database.Database, file: string): Catalog {
  const source = { file, db, lookups: prepareLookups(db), place: "file" } as const;
  const lists = { tables: new Map(), fragments: new Map(), search: null };
  return createCatalogView(source, readMeta(db, file), lists);
}

/** Opens a catalog read-only. @throws VitrineError catalog_unreadable */
export function openCatalog(
  file: string,
  { fragments = "memory", pieces = [] }: CatalogOptions = {},
): Catalog {
  const { db, meta } = openDatabase(file);
  const source = { file, db, lookups: prepareLookups(db), place: fragments };
  const catalog = createCatalogView(source, meta, { tables: new Map(), fragments: new Map(), search: null });
  for (const piece of pieces) catalog.take(piece);
  if (typeof fragments === "object") {
    // Who has copies reads the file's rows in their order, each once: two megabytes, as SQLite counts them.
    db.pragma("cache_size = -2000");
    catalog.hold();
  }
  return catalog;
}
