/** Stage 1, store → catalog: a whole store, or what changed in it. Reads the store in one picture. */
import type { PublicConfig } from "../api/config.ts";
import { store as storeRecord } from "../api/records/store.ts";
import type { RecordName } from "../api/records.ts";
import { type MetaTime, type SqlTime, toMetaTime } from "../base/time.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import { DeltaExtraction, type DeltaTools, overallWords, type ResourceChanges, type Rows } from "./delta.ts";
import { TooMuchChanged } from "./due-rows.ts";
import type { Extraction } from "./extraction.ts";
import { rowColumns } from "./fit.ts";
import { FragmentMaker } from "./fragments.ts";
import type { Makers } from "./makers.ts";
import type { RowProblem } from "./problems.ts";
import { digestOfText, leftOutName, packLeftOut, rowsName } from "./readings.ts";
import { readFields, reading } from "./record-maker.ts";
import type { ExtractReport } from "./report.ts";
import { type ProblemSink, RowReader } from "./row-reader.ts";
import { type StoreReader, type StoreValue, valuesOf } from "./store.ts";
import { WholeExtraction } from "./whole.ts";

/** What an extraction reads. Who opened it closes it. */
interface StoreSources {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
  /** The moment of the build, bound as `:now`. */
  readonly now: SqlTime;
}

/** What an extraction reads, and where it writes. */
interface Sources extends StoreSources {
  readonly writer: CatalogWriter;
  readonly makers: Makers;
}

export interface Extracted extends ExtractReport {
  /** Of the catalog's content. */
  readonly digest: string;
  /** What the next extraction should remember. */
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

export interface ExtractedDelta extends Extracted {
  readonly changes: ReadonlyMap<RecordName, ResourceChanges>;
}

/** Reads the rows of a file that is no record's. */
async function readOthers(
  { store, queries, config }: StoreSources,
  file: string,
  problems: ProblemSink,
  read: (reader: RowReader, text: string) => void,
): Promise<number> {
  const query = queries[file];
  if (query === undefined) return 0;
  const around = { siteUrl: config.siteUrl, shapes: new Map(), gathers: [], overall: new Map() };
  const reader = new RowReader(`${file}.sql`, rowColumns(query), problems, around);
  let rows = 0;
  for await (const batch of store.batches(query)) {
    for (const row of batch) {
      rows += 1;
      reader.open(valuesOf(row) as StoreValue[], rows);
      reading(reader, () => read(reader, row.text));
    }
  }
  return rows;
}

const NEXT_CHANGE = "next_change";

/** The moment at which the clock alone changes an answer. */
async function readNextChange(sources: StoreSources, problems: ProblemSink): Promise<MetaTime | null> {
  const { now } = sources;
  let next: MetaTime | null = null;
  const read = (reader: RowReader) => {
    const time = reader.timeOrNull("next_change_at");
    if (time === null || reader.failed) return;
    if (time <= now) reader.fail("next_change_at", `must be after the moment of the build, ${now}`, time);
    next = toMetaTime(time);
  };
  await readOthers(sources, NEXT_CHANGE, problems, read);
  return next;
}

interface StoreRow {
  readonly json: string;
  readonly digest: Buffer;
}

/** Reads the store's row as JSON; there must be exactly one. */
async function readStore(sources: Sources, extraction: Extraction): Promise<StoreRow> {
  const { file, fields, one } = storeRecord;
  const maker = new FragmentMaker(one);
  const found: StoreRow[] = [];
  const problems = { add: (problem: RowProblem) => extraction.tell(problem) };
  extraction.wrong.forget(`${file}.sql`, null);
  const rows = await readOthers(sources, file, problems, (reader, text) => {
    const json = maker.make(readFields(Object.entries(fields), reader), reader);
    found.push({ json, digest: digestOfText(text) });
  });
  if (rows !== 1) {
    problems.add({
      ...{ file: `${file}.sql`, ordinal: 0, id: "-", row: null, column: "store_name", outcome: "refused" },
      problem: "must be given by exactly one row",
      example: `${rows} rows`,
    });
  }
  return found[0] ?? { json: "null", digest: Buffer.alloc(0) };
}

function finish(
  sources: Sources,
  extraction: Extraction & { readonly rows: ReadonlyMap<string, { readonly bytes: Buffer }> },
  { store, nextChangeAt }: { readonly store: StoreRow | null; readonly nextChangeAt: MetaTime | null },
): Extracted {
  const { writer, config, now } = sources;
  extraction.problems.throwIfRefused();
  const json = store?.json ?? writer.meta("store") ?? "null";
  const digest = writer.finish({ config: JSON.stringify(config), store: json }, toMetaTime(now));
  const records = extraction.counts();
  const blobs = new Map<string, Buffer>();
  for (const [file, rows] of extraction.rows) blobs.set(rowsName(file), rows.bytes);
  for (const [file, rows] of extraction.leftOut) blobs.set(leftOutName(file), packLeftOut(rows));
  if (store !== null) blobs.set(rowsName(storeRecord.file), store.digest);
  return {
    digest,
    records,
    nextChangeAt,
    leftOut: Object.fromEntries(
      [...extraction.leftOut].flatMap(([file, { size }]) => (size > 0 ? [[file, size]] : [])),
    ),
    wrong: extraction.wrong.report(),
    summary: extraction.tallies.summary(records.product ?? 0),
    words: new Map([
      ["tallies", JSON.stringify(extraction.tallies.entries())],
      ["wrong", extraction.wrong.stored()],
    ]),
    blobs,
  };
}

interface WholeSources extends Sources {
  /** Told what there is to remember of all rows: that need not be in memory until the rest is known. */
  readonly keep: (blobs: Extracted["blobs"]) => void;
}

/**
 * Fills a new catalog with a whole store.
 * @throws VitrineError allow_list_invalid, rows_invalid
 */
export async function extractWhole(sources: WholeSources): Promise<Extracted> {
  const extraction = new WholeExtraction(sources);
  const store = await readStore(sources, extraction);
  await extraction.run();
  const nextChangeAt = await readNextChange(sources, extraction.problems);
  const extracted = finish(sources, extraction, { store, nextChangeAt });
  sources.keep(extracted.blobs);
  extraction.free();
  return {
    ...extracted,
    blobs: new Map(),
    words: new Map([
      ...extracted.words,
      ["overall", overallWords(extraction.overalls)],
      ["taken", JSON.stringify(extraction.takenSlugs)],
    ]),
  };
}

export interface DeltaSources extends Sources, DeltaTools, Rows {
  /** As it is known. */
  readonly nextChangeAt: MetaTime | null;
}

/**
 * Brings a catalog up to date with a store of which some files may have changed. Null where so much did that making it
 * anew is cheaper; what was written until then is to be rolled back.
 * @throws VitrineError allow_list_invalid, rows_invalid
 */
export async function extractDelta(sources: DeltaSources): Promise<ExtractedDelta | null> {
  const { readings, files, told } = sources;
  const extraction = new DeltaExtraction(sources, sources);
  try {
    const store = files.has(storeRecord.file) ? await readStore(sources, extraction) : null;
    const isSame =
      store?.digest.equals(readings.blob(rowsName(storeRecord.file)) ?? Buffer.alloc(0)) !== false;
    if (!isSame && told?.files.has(storeRecord.file) === false) sources.missed(storeRecord.file);
    await extraction.scan(sources);
    await extraction.run();
    const nextChangeAt = files.has(NEXT_CHANGE)
      ? await readNextChange(sources, extraction.problems)
      : sources.nextChangeAt;
    // Who makes everything tells all that is wrong, with examples.
    if (extraction.areTooManyWrong) return null;
    const extracted = finish(sources, extraction, { store, nextChangeAt });
    const known = JSON.parse(readings.words.get("overall") ?? "{}") as object;
    const overall = JSON.stringify({ ...known, ...JSON.parse(overallWords(extraction.overalls)) });
    return {
      ...extracted,
      words: new Map([...extracted.words, ["overall", overall]]),
      changes: extraction.changes,
    };
  } catch (error) {
    if (error instanceof TooMuchChanged) return null;
    throw error;
  }
}

/** All files of an allow-list. */
export function allFiles(queries: AllowList): ReadonlySet<string> {
  return new Set(Object.keys(queries));
}
