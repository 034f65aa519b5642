/** One build of an output folder that is locked: what it finds there decides how much is to be done. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { formatCount, type Log } from "./base/log.ts";
import { type MetaTime, toMetaTime } from "./base/time.ts";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import { CATALOG_FORMAT } from "./catalog/resources.ts";
import { type CatalogWriter, changeCatalog, createCatalog } from "./catalog/writer.ts";
import type { BuildInputs } from "./config/inputs.ts";
import { type AllowList, readAllowList, usesNow } from "./extract/allow-list.ts";
import {
  allFiles,
  type Extracted,
  type ExtractedDelta,
  type ExtractReport,
  extractDelta,
  extractWhole,
} from "./extract/extract.ts";
import { HERE } from "./extract/makers.ts";
import { openReadings, type Readings, saveReadings } from "./extract/readings.ts";
import type { StoreReader } from "./extract/store.ts";
import { openSqliteStore } from "./extract/stores/sqlite.ts";
import { stampOf } from "./extract/stores/sqlite-stamp.ts";
import { TOOL_VERSION, templateFolder } from "./package.ts";
import type { LeftOutBand } from "./render/bands.ts";
import { bandFiles, type Plan, planCatalog, planFromFiles } from "./render/plan.ts";
import { leftOutBands } from "./render/plan-summary.ts";
import { renderPlan } from "./render/render.ts";
import { renderChange } from "./render/render-change.ts";
import { RowLines } from "./snapshot/delta.ts";
import { type Difference, keepDifference } from "./snapshot/difference.ts";
import type { OutLayout } from "./snapshot/layout.ts";
import {
  changeManifest,
  isMadeOf,
  type MadeOf,
  type Manifest,
  metaOf,
  openManifest,
  type WriteReport,
} from "./snapshot/manifest.ts";
import { guardShrink } from "./snapshot/shrink.ts";
import { createSnapshot, SnapshotDelta } from "./snapshot/writer.ts";

export interface BuildReport extends WriteReport, ExtractReport {
  /** The output folder, as an absolute path. */
  readonly out: string;
  /** `none`: nothing had changed; `delta`: what changed was changed; `whole`: everything was made. */
  readonly work: "none" | "delta" | "whole";
  /** When the catalog's content last changed. */
  readonly generatedAt: MetaTime;
  /** What a full build made otherwise than the deltas before it, which is a fault of ours; null where nothing. */
  readonly difference: Difference | null;
  /** What is over `grid.maxFiles` and so the fallback's. */
  readonly leftToFallback: readonly LeftOutBand[];
  /** Seconds of each stage. */
  readonly seconds: { readonly extract: number; readonly render: number; readonly commit: number };
}

/** More rows than this share of a catalog are made anew with everything else: that is cheaper. */
const DELTA_SHARE = 0.1;
const DELTA_LEAST = 1000;
/** Everything is read and compared once a day, whatever the store's file says. */
const WHOLE_READING_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Name of what the store's adapter remembers of the store. */
const FINGERPRINT = "fingerprint";

/** What stands in the folder, and what is remembered of the store that it was made of. */
interface Present {
  readonly manifest: Manifest;
  readonly readings: Readings;
}

/** Which allow-list files are read, and why. */
interface Gate {
  readonly files: ReadonlySet<string>;
  /** Files that would not have been read had it not been for the daily comparison. */
  readonly doubted: ReadonlySet<string>;
  /** Of the store as it is read now. */
  readonly fingerprint: Buffer | null;
}

function seconds(from: number, to: number): number {
  return (to - from) / 1000;
}

export class BuildRun {
  readonly #inputs: BuildInputs;
  readonly #layout: OutLayout;
  readonly #log: Log;
  readonly #started = performance.now();
  readonly #queries: AllowList;
  /** What the snapshot is made by and with: where it changed, all is made anew. */
  readonly #fingerprint: string;

  constructor(inputs: BuildInputs, layout: OutLayout, log: Log) {
    this.#inputs = inputs;
    this.#layout = layout;
    this.#log = log;
    this.#queries = readAllowList(inputs.queries);
    const sql = Object.values(this.#queries).map((query) => [query.name, query.sql]);
    this.#fingerprint = hash("sha256", JSON.stringify([TOOL_VERSION, CATALOG_FORMAT, inputs.config, sql]));
  }

  async run(): Promise<BuildReport> {
    const { store: file, now, full } = this.#inputs;
    const present = this.#present();
    try {
      if (present !== null && !full && this.#isUntouched(present.readings))
        return this.#unchanged(present, {});
      this.#log.progress(() => "extracting");
      const before = stampOf(file);
      const store = await openSqliteStore(file, now);
      try {
        const words = new Map([
          ["fingerprint", this.#fingerprint],
          ["now", now],
          ["stamp", before ?? ""],
        ]);
        const report = present === null ? null : await this.#buildDelta(present, store, words);
        if (report !== null && !full) return report;
        return await this.#buildWhole(store, words, report);
      } finally {
        await store.close();
      }
    } finally {
      present?.manifest.close();
    }
  }

  /** What stands there, where it and its readings belong together; else null. */
  #present(): Present | null {
    const manifest = this.#openManifest();
    if (manifest === null) return null;
    const readings = openReadings(this.#layout.readings);
    const { words } = readings;
    const fits =
      words.get("fingerprint") === this.#fingerprint &&
      words.get("catalog") === manifest.meta["catalog_digest"] &&
      (words.get("now") ?? "") <= this.#inputs.now &&
      existsSync(this.#layout.catalog);
    if (fits) return { manifest, readings };
    manifest.close();
    return null;
  }

  /** The present snapshot's manifest, or null where there is none that stands for its files. */
  #openManifest(): Manifest | null {
    const { manifest, site } = this.#layout;
    if (!existsSync(manifest) || !existsSync(site)) return null;
    try {
      return openManifest(manifest);
    } catch {
      return null; // Of another format, or broken: it is replaced.
    }
  }

  /** True where neither the store nor the clock can have changed anything since. */
  #isUntouched({ words }: Readings): boolean {
    const stamp = words.get("stamp") ?? "";
    return (
      stamp !== "" &&
      stamp === stampOf(this.#inputs.store) &&
      !this.#isByClock(words) &&
      !this.#isDue(words) &&
      words.get("report") !== undefined
    );
  }

  /** True where the clock alone may have changed what a file gives. */
  #isByClock(words: ReadonlyMap<string, string>): boolean {
    const next = words.get("next_change_at") ?? "";
    if (this.#queries["next_change"] === undefined) return Object.values(this.#queries).some(usesNow);
    return next !== "" && toMetaTime(this.#inputs.now) >= next;
  }

  /** True where it is time to read everything and compare. */
  #isDue(words: ReadonlyMap<string, string>): boolean {
    const read = Date.parse(words.get("read_at") ?? "");
    return !(Date.now() - read < WHOLE_READING_MILLISECONDS);
  }

  #unchanged({ manifest, readings }: Present, extracted: Partial<ExtractReport>): BuildReport {
    const words = readings.words;
    const known = JSON.parse(words.get("report") ?? "{}") as ExtractReport;
    const done = performance.now();
    return {
      ...known,
      ...extracted,
      ...manifest.totals(),
      ...{ written: 0, deleted: 0, work: "none", out: this.#inputs.out, difference: null },
      generatedAt: words.get("generated_at") ?? "",
      leftToFallback: this.#leftOut(words),
      seconds: { extract: seconds(this.#started, done), render: 0, commit: 0 },
    };
  }

  #leftOut(words: ReadonlyMap<string, string>): LeftOutBand[] {
    return leftOutBands(planFromFiles(this.#inputs.config, JSON.parse(words.get("bands") ?? "{}")));
  }

  /** Files whose rows may differ from what is remembered of them. */
  async #gate({ words, blob }: Readings, store: StoreReader): Promise<Gate> {
    const all = allFiles(this.#queries);
    const { changed, fingerprint } = await store.changesSince(
      blob(FINGERPRINT),
      Object.values(this.#queries),
    );
    const clock = this.#isByClock(words);
    const likely = [...all].filter((name) => {
      const query = this.#queries[name];
      return changed === "all" || changed.has(name) || (clock && query !== undefined && usesNow(query));
    });
    const files = new Set(likely);
    if (!this.#isDue(words) && !this.#inputs.full) return { files, doubted: new Set(), fingerprint };
    return { files: all, doubted: new Set([...all].filter((name) => !files.has(name))), fingerprint };
  }

  /** Changes what changed. Null where that is too much, or where what stands is not what is remembered. */
  async #buildDelta(
    present: Present,
    store: StoreReader,
    words: ReadonlyMap<string, string>,
  ): Promise<BuildReport | null> {
    const { readings } = present;
    const gate = await this.#gate(readings, store);
    const rows = new RowLines(this.#layout.nextRows);
    const writer = this.#openWriter(readings);
    if (writer === null) return null;
    let before: Catalog | undefined;
    try {
      before = openCatalog(this.#layout.catalog, { fragments: "file" });
      const extracted = await extractDelta({
        ...{ store, queries: this.#queries, config: this.#inputs.config, now: this.#inputs.now },
        ...{ writer, makers: HERE, readings, files: gate.files, sink: rows },
        nextChangeAt: readings.words.get("next_change_at") || null,
        limit: Math.max(DELTA_LEAST, DELTA_SHARE * rowsOf(readings)),
      });
      if (extracted === null) return null;
      this.#tellMissed(extracted.changedFiles.filter((file) => gate.doubted.has(file)));
      const read = gate.files.size === allFiles(this.#queries).size;
      const all = new Map([...words, ...(read ? [["read_at", new Date().toISOString()] as const] : [])]);
      const blobs = withFingerprint(extracted.blobs, gate.fingerprint);
      return this.#commitDelta(present, { before, writer, rows, extracted: { ...extracted, blobs } }, all);
    } finally {
      before?.close();
      writer.close();
    }
  }

  #openWriter({ words }: Readings): CatalogWriter | null {
    try {
      const writer = changeCatalog(this.#layout.catalog);
      if (writer.meta("digest") === words.get("catalog")) return writer;
      writer.close();
    } catch {
      // Of another format, or broken: it is replaced.
    }
    return null;
  }

  #tellMissed(files: readonly string[]): void {
    if (files.length === 0) return;
    this.#log.info(
      `rows of ${files.map((file) => `${file}.sql`).join(", ")} had changed without being noticed: this is a fault of ` +
        "Vitrine, please report it. They are right now.",
    );
  }

  #commitDelta(
    present: Present,
    { before, writer, rows, extracted }: DeltaWork,
    words: ReadonlyMap<string, string>,
  ): BuildReport {
    const { layout, inputs } = { layout: this.#layout, inputs: this.#inputs };
    const extractedAt = performance.now();
    const { words: known } = present.readings;
    const made: MadeOf = {
      digest: extracted.digest,
      nextChangeAt: extracted.nextChangeAt,
      vitrine: TOOL_VERSION,
    };
    if (extracted.digest === known.get("catalog")) {
      if (!isMadeOf(present.manifest.meta, made))
        changeManifest(layout.manifest, { put: [], gone: [], meta: metaOf(made) });
      this.#remember(words, extracted, present.readings, layout.readings);
      return this.#unchanged(present, reportOf(extracted));
    }
    const meta = { config: writer.meta("config") ?? "", store: writer.meta("store") ?? "" };
    const generatedAt = toMetaTime(inputs.now);
    const after = changedCatalog(before, writer, extracted.changes);
    const delta = new SnapshotDelta(layout, present.manifest, generatedAt);
    const { plan, files } = renderChange(
      { before, after, rows: extracted.changes },
      JSON.parse(known.get("bands") ?? "{}"),
      { writer: delta, widgets: templateFolder("widgets") },
    );
    this.#guard(present.manifest, { files: delta.files, deletions: delta.deletions.length });
    const rendered = performance.now();
    before.close();
    const bands = new Map([...words, ["bands", JSON.stringify(files)], ["generated_at", generatedAt]]);
    this.#remember(bands, extracted, present.readings, layout.nextReadings);
    const written = delta.commit(metaOf(made), { meta, generatedAt, vitrine: TOOL_VERSION }, rows, writer);
    return {
      ...reportOf(extracted),
      ...written,
      ...{
        work: "delta",
        out: inputs.out,
        generatedAt,
        leftToFallback: leftOutBands(plan),
        difference: null,
      },
      seconds: {
        extract: seconds(this.#started, extractedAt),
        render: seconds(extractedAt, rendered),
        commit: seconds(rendered, performance.now()),
      },
    };
  }

  #guard(previous: Manifest | null, { files, deletions }: { files: number; deletions: number }): void {
    guardShrink({
      ...{ what: "Building", files, deletions, allowed: this.#inputs.allowShrink },
      liveFiles: previous?.totals().files ?? 0,
    });
  }

  /**
   * Reads and makes everything; files that come out as they are stay. `byDelta`: what deltas just made of the same picture of
   * the store, which is what should come out.
   */
  async #buildWhole(
    store: StoreReader,
    words: ReadonlyMap<string, string>,
    byDelta: BuildReport | null,
  ): Promise<BuildReport> {
    const layout = this.#layout;
    const { config, now, out } = this.#inputs;
    const { fingerprint } = await store.changesSince(null, Object.values(this.#queries));
    const writer = createCatalog(layout.nextCatalog);
    const previous = this.#openManifest();
    try {
      const extracted = await extractWhole({
        store,
        queries: this.#queries,
        config,
        now,
        writer,
        makers: HERE,
      });
      const generatedAt = this.#keepTime(writer, extracted.digest) ?? toMetaTime(now);
      writer.commit();
      const extractedAt = performance.now();
      const made: MadeOf = {
        digest: extracted.digest,
        nextChangeAt: extracted.nextChangeAt,
        vitrine: TOOL_VERSION,
      };
      const blobs = withFingerprint(extracted.blobs, fingerprint);
      const remember = (plan: Plan) => {
        const all = new Map([
          ...words,
          ["bands", JSON.stringify(bandFiles(plan))],
          ["generated_at", generatedAt],
          ["read_at", new Date().toISOString()],
        ] as const);
        this.#remember(all, { ...extracted, blobs }, null, layout.nextReadings);
      };
      const compared = byDelta !== null;
      const { plan, written, rendered, difference } = this.#renderWhole(previous, made, {
        compared,
        remember,
      });
      return {
        ...reportOf(extracted),
        ...written,
        ...(byDelta === null ? {} : { written: byDelta.written, deleted: byDelta.deleted }),
        ...{ work: "whole", out, generatedAt, leftToFallback: leftOutBands(plan), difference },
        seconds: {
          extract: seconds(this.#started, extractedAt),
          render: seconds(extractedAt, rendered),
          commit: seconds(rendered, performance.now()),
        },
      };
    } finally {
      writer.close();
      previous?.close();
    }
  }

  /** A catalog of the same content keeps its time, and so do the answers that are made of it. */
  #keepTime(writer: CatalogWriter, digest: string): MetaTime | null {
    let present: Catalog | undefined;
    try {
      present = openCatalog(this.#layout.catalog, { fragments: "file" });
      if (present.digest !== digest) return null;
      writer.setGeneratedAt(present.generatedAt);
      return present.generatedAt;
    } catch {
      return null; // There is none, or it is of another format.
    } finally {
      present?.close();
    }
  }

  #renderWhole(
    previous: Manifest | null,
    made: MadeOf,
    { compared, remember }: { readonly compared: boolean; readonly remember: (plan: Plan) => void },
  ): { plan: Plan; written: WriteReport; rendered: number; difference: Difference | null } {
    const catalog = openCatalog(this.#layout.nextCatalog, { fragments: "file" });
    const writer = createSnapshot(this.#layout, previous, toMetaTime(this.#inputs.now));
    try {
      const plan = planCatalog(catalog);
      renderPlan(catalog, plan, {
        writer,
        widgets: templateFolder("widgets"),
        progress: (done, family) => {
          this.#log.progress(
            () => `rendering ${formatCount(done)} of ${formatCount(plan.files)} files: ${family}`,
          );
        },
      });
      this.#guard(previous, { files: plan.files, deletions: writer.deletions.length });
      catalog.close();
      const before = previous?.meta["catalog_digest"] ?? "";
      const difference = compared
        ? keepDifference(this.#layout, writer, { before, after: made.digest })
        : null;
      const rendered = performance.now();
      remember(plan);
      return { plan, written: writer.commit(metaOf(made)), rendered, difference };
    } catch (error) {
      writer.discard();
      throw error;
    } finally {
      catalog.close();
    }
  }

  /** Keeps what the next build needs. Only a stamp that held while the store was read is one of what was read. */
  #remember(
    words: ReadonlyMap<string, string>,
    extracted: Extracted,
    known: Readings | null,
    file: string,
  ): void {
    const report = reportOf(extracted);
    const isStill = words.get("stamp") === stampOf(this.#inputs.store);
    const all = new Map([
      ...(known?.words ?? []),
      ...words,
      ...extracted.words,
      ["stamp", isStill ? (words.get("stamp") ?? "") : ""],
      ["catalog", extracted.digest],
      ["next_change_at", extracted.nextChangeAt ?? ""],
      ["report", JSON.stringify(report)],
    ] as const);
    const before = known === null ? null : this.#layout.readings;
    saveReadings(file, { words: all, blobs: extracted.blobs }, before);
  }
}

interface DeltaWork {
  readonly before: Catalog;
  readonly writer: CatalogWriter;
  readonly rows: RowLines;
  readonly extracted: ExtractedDelta;
}

/** The catalog with the rows of the writer's transaction. What changed is in memory as it was before that is seen. */
function changedCatalog(before: Catalog, writer: CatalogWriter, rows: ExtractedDelta["changes"]): Catalog {
  for (const name of rows.keys()) before.table(name);
  const names = ["config", "store", "digest", "generated_at"];
  const meta = Object.fromEntries(names.map((name) => [name, writer.meta(name) ?? ""]));
  return before.next({ changes: Object.fromEntries(rows), meta, words: null }, writer.db);
}

function reportOf({ records, leftOut, nextChangeAt, summary }: ExtractReport): ExtractReport {
  return { records, leftOut, nextChangeAt, summary };
}

/** An empty one says that there is none: an older one would be another store's. */
function withFingerprint(
  blobs: ReadonlyMap<string, Buffer>,
  fingerprint: Buffer | null,
): ReadonlyMap<string, Buffer> {
  return new Map([...blobs, [FINGERPRINT, fingerprint ?? Buffer.alloc(0)]]);
}

function rowsOf({ words }: Readings): number {
  const { records } = JSON.parse(words.get("report") ?? "{}") as ExtractReport;
  return Object.values(records).reduce((sum, count) => sum + count, 0);
}
