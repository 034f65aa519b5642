/** Stage 1, store → catalog: from nothing, or what changed in the store. Reads the store as it is at one moment. */
import { store as storeRecord } from "../api/records/store.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import { type MetaTime, secondAfter, toMetaTime } from "../base/time.ts";
import { type Before, type ResourceChanges, TooMuchChanged } from "./catalog-update.ts";
import { rowColumns } from "./columns.ts";
import { Extraction, namedOveralls, type Sources } from "./extraction.ts";
import { createMakers } from "./makers.ts";
import { digestOfText, leftOutName, packLeftOut, rowsName } from "./readings.ts";
import { FragmentMaker, readFields, reading } from "./record-maker.ts";
import type { ExtractReport } from "./report.ts";
import { type ProblemSink, RowReader } from "./row-reader.ts";
import { type StoreValue, valuesOf } from "./store.ts";

export interface Extracted extends ExtractReport {
  /** Of the catalog's content. */
  readonly digest: string;
  /** What the next extraction should remember. */
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** What changed in the catalog that stood; nothing of a new one. */
  readonly changes: ReadonlyMap<RecordName, ResourceChanges>;
}

/** Reads the rows of a file that is no record's. */
async function readOthers(
  { store, queries, config }: Sources,
  file: string,
  problems: ProblemSink,
  read: (reader: RowReader, text: string) => void,
): Promise<number> {
  const query = queries[file];
  if (query === undefined) return 0;
  const around = { siteUrl: config.siteUrl, shapes: new Map(), gathers: [], overall: new Map() };
  const reader = new RowReader(file, rowColumns(query), problems, around);
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
async function readNextChange(sources: Sources, problems: ProblemSink): Promise<MetaTime | null> {
  const { now } = sources;
  let next: MetaTime | null = null;
  const read = (reader: RowReader) => {
    const time = reader.passedTimeOrNull("next_change_at");
    if (time === null || reader.failed) return;
    if (time < now) reader.fail("next_change_at", `must be after the moment of the build, ${now}`, time);
    // What is due in the build's own second is in this build; what comes after it, the next second's build says.
    next = toMetaTime(time === now ? secondAfter(now) : time);
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
  const { problems } = extraction;
  problems.forget(`${file}.sql`, null);
  const rows = await readOthers(sources, file, problems, (reader, text) => {
    const json = maker.make(readFields(Object.entries(fields), reader), reader);
    found.push({ json, digest: digestOfText(text) });
  });
  if (rows !== 1) {
    problems.add({
      file: `${file}.sql`,
      ordinal: 0,
      id: "-",
      row: null,
      column: "store_name",
      outcome: "refused",
      problem: "must be given by exactly one row",
      example: `${rows} rows`,
    });
  }
  return found[0] ?? { json: "null", digest: Buffer.alloc(0) };
}

function finish(
  { writer, config, now }: Sources,
  extraction: Extraction,
  { store, nextChangeAt }: { readonly store: StoreRow; readonly nextChangeAt: MetaTime | null },
): Extracted {
  const digest = writer.finish({ config: JSON.stringify(config), store: store.json }, toMetaTime(now));
  const counts = RECORDS.map(({ name }) => [name, writer.count(name)] as const);
  const records: ExtractReport["records"] = Object.fromEntries(counts.filter(([, count]) => count > 0));
  const blobs = new Map<string, Buffer>();
  for (const [file, { bytes }] of extraction.digests) blobs.set(rowsName(file), bytes);
  for (const [file, rows] of extraction.leftOut) blobs.set(leftOutName(file), packLeftOut(rows));
  blobs.set(rowsName(storeRecord.file), store.digest);
  const leftOut = [...extraction.leftOut].flatMap(([file, { size }]) => (size > 0 ? [[file, size]] : []));
  const { overalls, takenSlugs, tallies, problems, change } = extraction;
  const overall = namedOveralls().flatMap(([name, each]) =>
    overalls.has(each) ? [[name, overalls.get(each)]] : [],
  );
  const words = {
    tallies: JSON.stringify(tallies.entries()),
    wrong: problems.stored(),
    overall: JSON.stringify(Object.fromEntries(overall)),
    // Where a row waits for another's slug, no change touches either.
    ...(change === null ? { taken: JSON.stringify(takenSlugs) } : {}),
  };
  return {
    digest,
    records,
    nextChangeAt,
    leftOut: Object.fromEntries(leftOut),
    wrong: problems.report(),
    shortened: problems.shortened(),
    summary: tallies.summary(records.product ?? 0),
    words: new Map(Object.entries(words)),
    blobs,
    changes: change?.finish() ?? new Map(),
  };
}

/**
 * Fills a new catalog with a whole store, or brings the one that stands (`before`) up to date with it. Null where what stands
 * can't be changed, or too much changed for that: what was written until then is to be rolled back.
 * @throws VitrineError allow_list_invalid, rows_invalid
 */
export async function extract(sources: Sources, before: null): Promise<Extracted>;
export async function extract(sources: Sources, before: Before | null): Promise<Extracted | null>;
export async function extract(sources: Sources, before: Before | null): Promise<Extracted | null> {
  const makers = createMakers(sources.threads);
  const extraction = new Extraction(sources, before, makers);
  try {
    const store = await readStore(sources, extraction);
    const known = before?.readings.blob(rowsName(storeRecord.file)) ?? Buffer.alloc(0);
    if (!store.digest.equals(known)) before?.differs(storeRecord.file);
    await extraction.run();
    const nextChangeAt = await readNextChange(sources, extraction.problems);
    // A whole build reports all that is wrong, with examples.
    if (before !== null && (extraction.problems.areRefused || extraction.tooMany.size > 0)) return null;
    for (const [file, words] of extraction.tooMany) extraction.problems.refuse(file, words);
    extraction.problems.throwIfRefused();
    return finish(sources, extraction, { store, nextChangeAt });
  } catch (error) {
    if (error instanceof TooMuchChanged) return null;
    throw error;
  } finally {
    await makers.close();
  }
}
