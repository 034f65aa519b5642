/** What changed in the store → what changes in the snapshot, and nothing else is looked at. */
import { statSync } from "node:fs";
import { product } from "./api/records/product.ts";
import { toMetaTime } from "./base/time.ts";
import {
  type BuildJob,
  costOf,
  endStage,
  guardBuild,
  madeOf,
  remember,
  reportOf,
  type Words,
} from "./build-job.ts";
import type { BuildReport, SnapshotReport } from "./build-report.ts";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import { type Piece, READ_LIST } from "./catalog/lists.ts";
import type { ResourceName } from "./catalog/resources.ts";
import { type CatalogWriter, changeCatalog } from "./catalog/writer.ts";
import { usesNow } from "./extract/allow-list.ts";
import type { Rows } from "./extract/delta.ts";
import { allFiles, type ExtractedDelta, extractDelta } from "./extract/extract.ts";
import { createMakers } from "./extract/makers.ts";
import type { Readings } from "./extract/readings.ts";
import type { StoreReader } from "./extract/store.ts";
import { TOOL_VERSION, templateFolder } from "./package.ts";
import { changedPages } from "./pages-of.ts";
import type { Present } from "./present.ts";
import { leftOutBands } from "./render/plan-summary.ts";
import { renderChange } from "./render/render.ts";
import { RowLines } from "./snapshot/delta.ts";
import { changeManifest, isMadeOf, metaOf } from "./snapshot/manifest.ts";
import { SnapshotDelta } from "./snapshot/writer.ts";
import { Workers } from "./workers.ts";

/** More rows than this share of a catalog are made anew with everything else: that is cheaper. */
const DELTA_SHARE = 0.1;
const DELTA_LEAST = 1000;

/** What stays in memory from one build to the next, in a process that makes several. */
export class Session {
  #catalog: Catalog | null = null;
  #file = "";

  /** The catalog that stands, with those of its lists that were needed: as it was kept where it is that very file. */
  open(file: string, digest: string): Catalog {
    if (this.#catalog?.digest !== digest || this.#file !== identityOf(file)) {
      this.close();
      this.keep(openCatalog(file, { fragments: "file" }), file);
    }
    return this.#catalog as Catalog;
  }

  keep(catalog: Catalog, file: string): void {
    this.#catalog = catalog;
    this.#file = identityOf(file);
  }

  /** True where there is something. */
  get isKept(): boolean {
    return this.#catalog !== null;
  }

  close(): void {
    this.#catalog?.close();
    this.#catalog = null;
  }
}

/** Tells a file that is changed in place from one that took its place. */
function identityOf(file: string): string {
  const { dev, ino, birthtimeMs } = statSync(file);
  return `${dev} ${ino} ${birthtimeMs}`;
}

/** Which allow-list files are read. */
interface Gate extends Rows {
  /** What would have been read had it not been for the comparison of all rows; null where there is none. */
  readonly told: Rows | null;
}

/** Files whose rows may differ from what is remembered of them. */
function openGate({ queries, inputs, changes }: BuildJob, { isByClock, isDue }: Present): Gate {
  const { changed, within = new Map() } = changes;
  const files = new Set<string>();
  for (const [name, query] of Object.entries(queries))
    if (changed === "all" || changed.has(name) || (isByClock && usesNow(query))) files.add(name);
  const narrow = [...within].filter(([name]) => {
    const query = queries[name];
    return query !== undefined && !(isByClock && usesNow(query));
  });
  const told = { files, within: new Map(narrow) };
  return isDue || inputs.full
    ? { files: allFiles(queries), within: new Map(), told }
    : { ...told, told: null };
}

function openWriter({ layout }: BuildJob, { words }: Readings): CatalogWriter | null {
  try {
    const writer = changeCatalog(layout.catalog);
    if (writer.meta("digest") === words.get("catalog")) return writer;
    writer.close();
  } catch {
    // Of another format, or broken: it is replaced.
  }
  return null;
}

/** Reads lists of a catalog in a worker while rows are extracted: those that a change needs will not be waited for long then. */
class ListsAhead {
  readonly #worker = new Workers(1);
  readonly #file: string;
  readonly #lists = new Map<ResourceName, Promise<Piece>>();

  constructor(file: string) {
    this.#file = file;
    // Most changes are a product's, or change one: its list need not wait until that is known.
    this.want(product.name);
  }

  /** Has a list read, behind those that were wanted before; nothing where it was. */
  want(name: ResourceName): Promise<Piece> {
    const list = this.#lists.get(name) ?? this.#worker.run(READ_LIST, { file: this.#file, name });
    this.#lists.set(name, list);
    return list;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

/** Only where there is much of both; else null. */
function readAhead({ threads, layout }: BuildJob, present: Present, session: Session): ListsAhead | null {
  const isMuch = threads.count > 1 && countRecords(present) >= threads.fromRows;
  return isMuch && !session.isKept ? new ListsAhead(layout.catalog) : null;
}

/** The catalog with the rows of the writer's transaction. What changed is in memory as it was before that is seen. */
function changedCatalog(before: Catalog, writer: CatalogWriter, rows: ExtractedDelta["changes"]): Catalog {
  for (const name of rows.keys()) before.table(name);
  const names = ["config", "store", "digest", "generated_at"];
  const meta = Object.fromEntries(names.map((name) => [name, writer.meta(name) ?? ""]));
  return before.next({ changes: Object.fromEntries(rows), meta, words: null }, writer.db);
}

/** Changes what changed. Null where that is too much, or where what stands is not what is remembered. */
export async function buildDelta(
  job: BuildJob,
  present: Present,
  store: StoreReader,
  session: Session,
): Promise<BuildReport | null> {
  const { inputs, queries, layout, threads } = job;
  const { readings, nextChangeAt } = present;
  const gate = openGate(job, present);
  const sink = new RowLines(layout.nextRows);
  const writer = openWriter(job, readings);
  if (writer === null) return null;
  const makers = createMakers(threads);
  const ahead = gate.files.size === 0 ? null : readAhead(job, present, session);
  try {
    const before = session.open(layout.catalog, readings.words.get("catalog") ?? "");
    const limit = Math.max(DELTA_LEAST, DELTA_SHARE * countRecords(present));
    const extracted = await extractDelta({
      ...{ store, queries, config: inputs.config, maxLeftOut: inputs.maxLeftOut, now: inputs.now },
      ...{ ...gate, readings, nextChangeAt, writer, makers, sink, limit },
      changing: (name) => ahead?.want(name),
      missed: (file) => job.missed.add(`${file}.sql`),
    });
    if (extracted === null) return null;
    if (!inputs.full) await store.close();
    await makers.close();
    const isWhole = gate.files.size === allFiles(queries).size && gate.within.size === 0;
    const words: Words = new Map(isWhole ? [["read_at", new Date().toISOString()]] : []);
    if (ahead !== null) for (const name of extracted.changes.keys()) before.take(await ahead.want(name));
    await ahead?.close();
    const change = new Change({ job, present, before, writer, rows: sink, extracted, words });
    return await change.commit(session);
  } finally {
    await ahead?.close();
    await makers.close();
    writer.close();
  }
}

interface ChangeParts {
  readonly job: BuildJob;
  readonly present: Present;
  readonly before: Catalog;
  readonly writer: CatalogWriter;
  readonly rows: RowLines;
  readonly extracted: ExtractedDelta;
  readonly words: Words;
}

/** What was extracted, on its way into the snapshot. */
class Change {
  readonly #parts: ChangeParts;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
  }

  async commit(session: Session): Promise<BuildReport> {
    const { job, present, before, writer, rows, extracted } = this.#parts;
    const { layout, inputs } = job;
    const extractedEnd = endStage();
    const made = madeOf(extracted);
    if (extracted.digest === present.readings.words.get("catalog")) {
      if (!isMadeOf(present.manifest.meta, made))
        changeManifest(layout.manifest, { put: [], gone: [], meta: metaOf(made) });
      const missed = [...job.missed];
      const report = { ...present.unchanged(reportOf(extracted), job.started), missed };
      this.#remember({ ...present.report, ...reportOf(extracted) }, new Map(), layout.readings);
      return report;
    }
    const meta = { config: writer.meta("config") ?? "", store: writer.meta("store") ?? "" };
    const generatedAt = toMetaTime(inputs.now);
    const after = changedCatalog(before, writer, extracted.changes);
    const change = { before, after, rows: extracted.changes };
    const { words } = present.readings;
    const pages = changedPages(change, JSON.parse(words.get("pictures") ?? "{}"));
    const bandsBefore = JSON.parse(words.get("bands") ?? "{}");
    const delta = new SnapshotDelta(layout, present.manifest, generatedAt);
    const widgets = templateFolder("widgets");
    const { plan, bands } = renderChange(change, bandsBefore, { writer: delta, widgets, pages });
    guardBuild(job, present.manifest, { files: delta.files, deletions: delta.deletions });
    const renderedEnd = endStage();
    const report = { ...reportOf(extracted), generatedAt, leftToFallback: leftOutBands(plan) };
    const next = { bands, pictures: pages.pictures };
    const known = Object.entries(next).map(([name, value]) => [name, JSON.stringify(value)] as const);
    this.#remember(report, new Map(known), layout.nextReadings);
    const header = { meta, generatedAt, vitrine: TOOL_VERSION };
    const written = delta.commit(metaOf(made), header, rows, writer);
    session.keep(after.next({ changes: {}, meta: {} }, before.db), layout.catalog);
    const cost = costOf(job, extractedEnd, renderedEnd);
    const missed = [...job.missed];
    return { ...report, ...written, work: "delta", missed, out: inputs.out, difference: null, ...cost };
  }

  #remember(report: SnapshotReport, words: Words, file: string): void {
    const { job, present, extracted, words: own } = this.#parts;
    const all = new Map([...own, ...words]);
    const known = { words: present.readings.words, file: job.layout.readings };
    remember(job, { extracted, report, words: all, known }, file);
  }
}

function countRecords({ report }: Present): number {
  return Object.values(report.records).reduce((sum, count) => sum + count, 0);
}
