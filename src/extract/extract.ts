/** Stage 1, store → catalog. Reads the store in one picture, writes a new catalog file or none. */
import { rmSync } from "node:fs";
import type { PublicConfig } from "../api/config.ts";
import { store as storeRecord } from "../api/records/store.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import { type MetaTime, type SqlTime, toMetaTime } from "../base/time.ts";
import { type CatalogWriter, createCatalog } from "../catalog/writer.ts";
import { type AllowList, readAllowList } from "./allow-list.ts";
import { type Context, forEachRow } from "./context.ts";
import { FragmentMaker } from "./fragments.ts";
import { Gathered } from "./gathered.ts";
import { Problems } from "./problems.ts";
import { readBriefs, readFields, readRecords } from "./record-reader.ts";
import type { StoreReader } from "./store.ts";
import { openSqliteStore } from "./stores/sqlite.ts";
import { Summariser, type Summary } from "./summary.ts";

export interface ExtractOptions {
  /** The store's SQLite file. */
  readonly store: string;
  /** Folder of the allow-list. */
  readonly queries: string;
  readonly config: PublicConfig;
  /** The moment of the build, bound as `:now`. */
  readonly now: SqlTime;
  /** Where the catalog is written; what stands there is replaced. */
  readonly file: string;
}

export interface ExtractReport {
  /** Records made, by resource. */
  readonly records: Readonly<Partial<Record<RecordName, number>>>;
  /** Rows of products that are not public, by allow-list file. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** The next moment at which the clock alone changes an answer. Not public yet: it stands nowhere in the catalog. */
  readonly nextChangeAt: MetaTime | null;
  readonly summary: Summary;
}

function removeCatalog(file: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
}

function createContext(
  options: ExtractOptions,
  queries: AllowList,
  store: StoreReader,
  writer: CatalogWriter,
): Context {
  return {
    store,
    queries,
    writer,
    config: options.config,
    problems: new Problems(),
    products: new Map(),
    shapes: new Map(RECORDS.flatMap(({ embeds }) => embeds.map((name) => [name, new Map()]))),
    gathered: new Gathered(RECORDS.flatMap(({ gathers }) => gathers)),
    leftOut: new Map(),
    counts: new Map(),
    summariser: new Summariser(),
  };
}

async function readNextChange(context: Context, now: SqlTime): Promise<MetaTime | null> {
  let next: MetaTime | null = null;
  await forEachRow(context, "next_change", (reader) => {
    const time = reader.timeOrNull("next_change_at");
    if (time === null || reader.failed) return;
    if (time <= now) reader.fail("next_change_at", `must be after the moment of the build, ${now}`, time);
    next = toMetaTime(time);
  });
  return next;
}

/** Reads the store's row as JSON; there must be exactly one. */
async function readStore(context: Context): Promise<string> {
  const { file, fields, one } = storeRecord;
  const maker = new FragmentMaker(one);
  const fragments: string[] = [];
  await forEachRow(context, file, (reader) => {
    fragments.push(maker.make(readFields(Object.entries(fields), reader), reader));
  });
  if (fragments.length !== 1) {
    context.problems.add({
      ...{ file: `${file}.sql`, ordinal: 0, id: "-", column: "store_name" },
      problem: "must be given by exactly one row",
      example: `${fragments.length} rows`,
    });
  }
  return fragments[0] ?? "null";
}

/** What others name comes before them: briefs of products, then records in their order. */
async function extractAll(context: Context, now: SqlTime): Promise<ExtractReport> {
  const store = await readStore(context);
  await readBriefs(context);
  for (const record of RECORDS) await readRecords(context, record);
  const nextChangeAt = await readNextChange(context, now);
  context.problems.throwIfAny();
  context.writer.finish({ config: JSON.stringify(context.config), store }, toMetaTime(now));
  return {
    records: Object.fromEntries(context.counts),
    leftOut: Object.fromEntries(context.leftOut),
    nextChangeAt,
    summary: context.summariser.summary(),
  };
}

/**
 * Makes a catalog of a store.
 * @throws VitrineError store_unreadable, allow_list_invalid, rows_invalid; no file is left then
 */
export async function extract(options: ExtractOptions): Promise<ExtractReport> {
  const queries = readAllowList(options.queries);
  const store = await openSqliteStore(options.store, options.now);
  let writer: CatalogWriter | undefined;
  try {
    removeCatalog(options.file);
    writer = createCatalog(options.file);
    const context = createContext(options, queries, store, writer);
    return await extractAll(context, options.now);
  } catch (error) {
    writer?.close();
    removeCatalog(options.file);
    throw error;
  } finally {
    await store.close();
  }
}
