/**
 * A catalog as answers are made of it, over any SQLite: its meta, its records, and its lists, which are read into memory at their
 * first use. `catalog.ts` is the same of a file. `record-list.ts` finds the records that a query selects, in one loop over typed
 * arrays; `answer.ts` makes bodies of them, the same for files and for the fallback; `envelope.ts` has the bytes around them;
 * `search.ts` and `singles.ts` answer the endpoints that are not lists.
 */

import type { PublicConfig } from "../api/config.ts";
import { DEFAULT_RATE_LIMIT } from "../api/errors.ts";
import type { Store } from "../api/records/store.ts";
import type { Cell } from "../api/row.ts";
import { memo, remembered } from "../base/collections.ts";
import { VitrineError } from "../base/error.ts";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import type { Json } from "../base/json.ts";
import { otherMemory } from "../base/memory.ts";
import type { Sql } from "../base/sql.ts";
import type { MetaTime } from "../base/time.ts";
import { SearchIndex } from "../search/search-index.ts";
import { readSearchWords, type SearchWords } from "../search/search-words.ts";
import type { FileShapes } from "./files.ts";
import { type ListData, RecordList } from "./record-list.ts";
import { RESOURCES, type Resource, type ResourceName, resourceNamed } from "./resources.ts";
import { joinDetail, joinDetailSql } from "./row.ts";

/** The part of a catalog that is in memory, as plain data: one thread can read it for another. */
export interface CatalogMemory {
  /** Digest of the catalog's content. */
  readonly digest: string;
  readonly lists: ReadonlyMap<ResourceName, ListData>;
  readonly words: SearchWords;
}

/** A part of that; its lists may be some of them. */
export interface KnownMemory extends Pick<CatalogMemory, "digest" | "lists"> {
  readonly words: SearchWords | null;
}

/** A record in both shapes, and its values of filters by their parameters. */
interface First {
  readonly list: Json;
  readonly detail: Json | null;
  readonly filters: Readonly<Record<string, Cell>>;
}

export interface CatalogView {
  readonly config: PublicConfig;
  readonly store: Store;
  /** When the catalog's content last changed: `meta.generated_at` of the fallback's answers. */
  readonly generatedAt: MetaTime;
  /** SHA-256 of the content, hexadecimal; the same data has the same digest. */
  readonly digest: string;
  /** Number of its format. */
  readonly format: number;
  /** The queries that have a file in this release; none if it is unknown, as for a catalog made from public files. */
  readonly fileShapes: FileShapes;
  list(name: ResourceName): RecordList;
  /** The list fragments of records that must exist, in their order. */
  fragments(name: ResourceName, ids: readonly number[]): Buffer[];
  searchIndex(): SearchIndex;
  /** Id of the row with this slug, or null. */
  idOfSlug(resource: Resource, slug: string): number | null;
  detail(resource: Resource, id: number): Json | null;
  /** All lists and search's words. Reading them takes seconds for a large catalog. */
  memory(): CatalogMemory;
  /** The lists that were read so far, and search's words if they were. */
  known(): KnownMemory;
  /** Uses lists that were read elsewhere, instead of reading them at their first use; false if they are another catalog's. */
  use(memory: KnownMemory): boolean;
  /** Of the records that have a value for every filter, or else of all, the one with the smallest id; null without records. */
  first(resource: Resource): First | null;
  /** Reads the file. @throws if it cannot be read, or is another catalog by now */
  probe(): void;
}

/** @throws VitrineError catalog_unreadable if it has another format */
export function readMeta(db: Sql, file: string): Map<string, string> {
  const rows = db.prepare<[], { name: string; value: string }>("SELECT name, value FROM meta").all();
  const meta = new Map(rows.map((row) => [row.name, row.value]));
  if (readsFormatText("catalog", meta.get("format"), file)) return meta;
  const { oldest, newest } = FORMATS.catalog;
  const format = `a catalog of format ${meta.get("format")}`;
  throw new VitrineError(
    "catalog_unreadable",
    `${file} is ${format}, this version reads ${oldest} to ${newest}: build it again.`,
    { cause: otherMemory(format) },
  );
}

function required(meta: ReadonlyMap<string, string>, name: string, file: string): string {
  const value = meta.get(name);
  if (value !== undefined) return value;
  throw new VitrineError("catalog_unreadable", `The catalog ${file} lacks ${name}: build it again.`);
}

/** Catalogs of older versions lack settings that were added later: they get the defaults. */
function parseStoredConfig(text: string): PublicConfig {
  const known = JSON.parse(text) as Omit<PublicConfig, "rateLimit"> & Partial<PublicConfig>;
  return { ...known, rateLimit: known.rateLimit ?? DEFAULT_RATE_LIMIT };
}

/** A test asserts that this query uses the writer's index. */
export function slugLookup(name: ResourceName): string {
  return `SELECT id FROM ${name} WHERE slug = ?`;
}

/** Statements by resource, prepared at their first use. */
function prepareLookups(db: Sql) {
  return {
    bySlug: memo((name: ResourceName) => db.prepare<[string], number>(slugLookup(name)).pluck()),
    fragments: memo((name: ResourceName) =>
      db
        .prepare<[string], [id: number, json: Json]>(
          `SELECT id, json FROM ${name}_list WHERE id IN (SELECT value FROM json_each(?))`,
        )
        .raw(),
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

/**
 * Limit for fragments kept in memory, those requested first: enough for all of a small shop's. Later ones do not replace them,
 * because a large shop's would only evict each other.
 */
const MOST_KEPT_BYTES = 32 * 2 ** 20;
/** They are kept in pieces of this size: thousands of small ones would leave gaps in the process's memory. */
const PIECE_BYTES = 2 ** 18;

/** @param meta as {@link readMeta} returned it @param file for messages */
export function viewOver(db: Sql, meta: ReadonlyMap<string, string>, file: string): CatalogView {
  const lookups = prepareLookups(db);
  const digest = required(meta, "digest", file);
  const lists = new Map<ResourceName, RecordList>();
  let search: SearchIndex | null = null;
  const list = (name: ResourceName) =>
    remembered(lists, name, () => RecordList.read(db, resourceNamed(name)));
  const searchIndex = (): SearchIndex => {
    search ??= new SearchIndex(db, readSearchWords(db));
    return search;
  };
  const kept = new Map(RESOURCES.map(({ name }) => [name, new Map<number, Buffer>()]));
  let keptBytes = 0;
  let free = Buffer.alloc(0);
  const bytesOf = (known: Map<number, Buffer>, id: number, json: Json): Buffer => {
    const sizeBytes = Buffer.byteLength(json);
    if (keptBytes + sizeBytes > MOST_KEPT_BYTES) return Buffer.from(json);
    if (free.length < sizeBytes) free = Buffer.allocUnsafeSlow(Math.max(sizeBytes, PIECE_BYTES));
    const bytes = free.subarray(0, free.write(json));
    free = free.subarray(sizeBytes);
    keptBytes += sizeBytes;
    known.set(id, bytes);
    return bytes;
  };
  const fragments = (name: ResourceName, ids: readonly number[]): Buffer[] => {
    const known = kept.get(name) as Map<number, Buffer>;
    const found = ids.map((id) => known.get(id));
    const missing = ids.filter((_, at) => found[at] === undefined);
    const rows = missing.length === 0 ? [] : lookups.fragments(name).all(JSON.stringify(missing));
    const read = new Map(rows.map(([id, json]) => [id, bytesOf(known, id, json)]));
    return ids.map((id, at) => {
      const bytes = found[at] ?? read.get(id);
      if (bytes === undefined) throw new Error(`${name} ${id} has no fragment`);
      return bytes;
    });
  };
  return {
    config: parseStoredConfig(required(meta, "config", file)),
    store: JSON.parse(required(meta, "store", file)) as Store,
    generatedAt: required(meta, "generated_at", file),
    digest,
    format: Number(required(meta, "format", file)),
    fileShapes: JSON.parse(meta.get("files") ?? "{}") as FileShapes,
    list,
    fragments,
    searchIndex,
    idOfSlug: (resource, slug) => lookups.bySlug(resource.name).get(slug) ?? null,
    detail: ({ name }, id) => {
      const found = lookups.detail(name).get(id);
      return found === undefined ? null : joinDetail(found.list, found.added);
    },
    memory: () => ({
      digest,
      lists: new Map(RESOURCES.map(({ name }) => [name, list(name).data])),
      words: searchIndex().words,
    }),
    known: () => ({
      digest,
      lists: new Map([...lists].map(([name, { data }]) => [name, data])),
      words: search?.words ?? null,
    }),
    use: (memory) => {
      if (memory.digest !== digest) return false;
      for (const [name, data] of memory.lists) lists.set(name, new RecordList(resourceNamed(name), data));
      if (memory.words !== null) search = new SearchIndex(db, memory.words);
      return true;
    },
    first: ({ name, detail, filters }) => {
      const joined = detail ? joinDetailSql("l.json", "a.json") : "NULL";
      const join = detail ? `JOIN ${name}_added a USING (id)` : "";
      const values = Object.entries(filters).map(([param, { column }]) => `'${param}', r.${column}`);
      const sql = (where: string) =>
        `SELECT l.json AS list, ${joined} AS detail, json_object(${values.join(", ")}) AS filters FROM ${name} r JOIN ${name}_list l USING (id) ${join} ${where} ORDER BY r.id LIMIT 1`;
      const found = (where: string) =>
        db.prepare<[], Omit<First, "filters"> & { filters: Json }>(sql(where)).get();
      const filled = Object.values(filters).map(({ column }) => `r.${column} IS NOT NULL`);
      const row = (filled.length === 0 ? undefined : found(`WHERE ${filled.join(" AND ")}`)) ?? found("");
      return row === undefined ? null : { ...row, filters: JSON.parse(row.filters) as First["filters"] };
    },
    probe: () => {
      const found = db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get();
      if (found !== digest) throw new Error(`${file} is not the catalog that was opened`);
    },
  };
}
