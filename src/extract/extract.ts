/**
 * Stage 1, store → catalog: reads the store as it is at one moment, and brings a catalog up to date with it. A new catalog is
 * the same with nothing remembered; there is no other way. Why the result is right:
 *
 * - A record is made by a pure function (record-maker.ts) of its row's text, the product that it belongs to, the records that it
 *   embeds, the rows that belong to it, and values of the whole shop. Its fingerprint is a digest of exactly these. If that equals the
 *   remembered fingerprint of the row's id, the record in the catalog is kept; otherwise it is made and put (extraction.ts). Nothing
 *   tracks which records a change affects.
 * - The code, the configuration and the columns of the files are those of the memory: the caller passes none that had others.
 * - Each input is known before it is needed: categories' rows → products' own parts → categories → reviews, FAQs, releases →
 *   products → posts, threads. An own part reads all required fields, so it is known at once whether a row is valid.
 * - Which of two rows gets a slug, which rows are left out, wrong or shortened, and the summary follow from all rows in every
 *   build: a record's reports are remembered with its fingerprint; a row that made no record is tried again.
 * - The memory has exactly the rows of the catalog, so remembered ids that were not seen are deleted.
 */
import { createHash } from "node:crypto";
import { store as storeRecord } from "../api/records/store.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import { type MetaTime, secondAfter, toMetaTime } from "../base/time.ts";
import { rowColumns } from "./columns.ts";
import { hasOwnPart } from "./declarations.ts";
import type { ExtractReport } from "./extract-report.ts";
import { Extraction, type KnownRows, type Sources } from "./extraction.ts";
import { FragmentMaker, readFields, reading } from "./record-maker.ts";
import { type ProblemSink, RowReader } from "./row-reader.ts";
import { type StoreValue, valuesOf } from "./store.ts";

export interface Extracted extends ExtractReport, KnownRows {
  /** Digest of the catalog's content. */
  readonly digest: string;
  /** How many rows changed in the catalog; none if it is new. */
  readonly changes: ReadonlyMap<RecordName, number>;
}

/**
 * Brings the catalog of `sources` up to date; see the head of this file.
 * @param before of the same code, configuration and columns; null for a new catalog
 * @throws VitrineError allow_list_invalid, rows_invalid
 */
export async function extract(sources: Sources, before: KnownRows | null): Promise<Extracted> {
  const { writer, config, now } = sources;
  const extraction = new Extraction(sources, before);
  const { problems, counts, leftOut, memories, changes } = extraction;
  const store = await readStore(sources, problems);
  for (const record of RECORDS) if (hasOwnPart(record)) await extraction.readOwn(record);
  for (const record of RECORDS) await extraction.make(record);
  const nextChangeAt = await readNextChange(sources, problems);
  extraction.refuseTooMany();
  problems.throwIfRefused();

  const digest = writer.finish({ config: JSON.stringify(config), store: store.json }, toMetaTime(now));
  const storeDigest = createHash("sha256").update(store.text).digest("hex");
  const sizes = RECORDS.map(({ name }) => [name, writer.count(name)] as const);
  const records: ExtractReport["records"] = Object.fromEntries(sizes.filter(([, count]) => count > 0));
  return {
    digest,
    records,
    nextChangeAt,
    leftOut: Object.fromEntries(leftOut),
    wrong: problems.report(),
    shortened: problems.shortened(),
    summary: counts.summary(records.product ?? 0),
    files: { [storeRecord.file]: storeDigest, ...Object.fromEntries(extraction.rows.digests()) },
    memories,
    changes,
  };
}

interface StoreRow {
  readonly json: string;
  readonly text: string;
}

/** Reads the store's row as JSON; there must be exactly one. */
async function readStore(sources: Sources, problems: ProblemSink): Promise<StoreRow> {
  const { file, fields, one } = storeRecord;
  const maker = new FragmentMaker(one);
  const found: StoreRow[] = [];
  const rows = await readOthers(sources, file, problems, (reader, text) => {
    const json = maker.make(readFields(Object.entries(fields), reader), reader);
    found.push({ json, text });
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
  return found[0] ?? { json: "null", text: "" };
}

/** Reads the rows of a file that does not make records. */
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

/** The next moment at which an answer changes although the store does not. */
async function readNextChange(sources: Sources, problems: ProblemSink): Promise<MetaTime | null> {
  const { now } = sources;
  let next: MetaTime | null = null;
  const read = (reader: RowReader) => {
    const time = reader.passedTimeOrNull("next_change_at");
    if (time === null || reader.failed) return;
    if (time < now) reader.fail("next_change_at", `must be after the moment of the build, ${now}`, time);
    // Changes due within the build's own second are in this build; the build of the next second reports what follows.
    next = toMetaTime(time === now ? secondAfter(now) : time);
  };
  await readOthers(sources, NEXT_CHANGE, problems, read);
  return next;
}
