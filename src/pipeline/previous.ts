/** The previous snapshot of an output folder, and whether anything can have changed since, decided without reading a row. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { CLOCK } from "../base/clock.ts";
import type { Notes } from "../base/log.ts";
import { isAbsent, isMachineTrouble } from "../base/memory.ts";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { TABLES } from "../catalog/resources.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import {
  type AllowList,
  type BesideFiles,
  readAllowList,
  readBeside,
  usesNow,
} from "../extract/allow-list.ts";
import type { Extracted } from "../extract/extract.ts";
import { openReadings, type Readings, saveReadings } from "../extract/readings.ts";
import { PAGES_FOLDER, TOOL_VERSION } from "../package.ts";
import type { OutLayout } from "../site/layout.ts";
import { type Manifest, openManifest } from "../site/manifest.ts";
import { readPageList } from "../site/pages/pages.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { type BuildReport, costOf, endStage, type SnapshotReport } from "./build-report.ts";

/** Everything is read and compared once a day, even if the store's file looks unchanged. */
const WHOLE_READING_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * The previous snapshot's manifest; null if it is missing, damaged or of another format, or its files are missing.
 * @throws if the machine is in the way: without the manifest every file would be made and dated again
 */
export function openPreviousManifest({ manifest, site }: OutLayout): Manifest | null {
  if (!existsSync(manifest) || !existsSync(site)) return null;
  try {
    return openManifest(manifest);
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null; // Another format, or damaged: it is replaced.
  }
}

/** A digest of all inputs of a build except the store: if it differs, everything is made again. */
export function inputsDigestOf({ config, maxLeftOut }: BuildInputs, queries: AllowList): string {
  const sql = Object.values(queries).map(({ name, sql }) => [name, sql]);
  const pages = config.pages === false ? [] : [readPageList(PAGES_FOLDER).digest];
  return hash("sha256", JSON.stringify([TOOL_VERSION, TABLES, config, maxLeftOut, sql, pages]));
}

/** A digest of the files that decide nothing but whether a build is refused, and what it reports. */
export function besideDigestOf({ leftOut, changed, closed }: BesideFiles): string {
  return hash("sha256", JSON.stringify([leftOut?.sql, changed?.sql, closed?.sql]));
}

export class Previous {
  readonly manifest: Manifest;
  readonly readings: Readings;
  /** The file with the readings. */
  readonly file: string;
  readonly #inputs: BuildInputs;
  readonly #queries: AllowList;

  private constructor(
    { inputs, queries, file }: { inputs: BuildInputs; queries: AllowList; file: string },
    manifest: Manifest,
    readings: Readings,
  ) {
    this.#inputs = inputs;
    this.#queries = queries;
    this.file = file;
    this.manifest = manifest;
    this.readings = readings;
  }

  /**
   * The previous snapshot if it is remembered and was made by the same code with the same configuration; otherwise null. `log`: null
   * without the folder's lock.
   */
  static open(
    inputs: BuildInputs,
    layout: OutLayout,
    queries: AllowList,
    log: Notes | null,
  ): Previous | null {
    const manifest = openPreviousManifest(layout);
    if (manifest === null) return null;
    const readings = openReadings(layout.readings, log);
    const { words } = readings;
    const fits =
      words.get("fingerprint") === inputsDigestOf(inputs, queries) &&
      words.get("catalog") === manifest.meta["catalog_digest"] &&
      (words.get("now") ?? "") <= inputs.now &&
      words.get("report") !== undefined &&
      existsSync(layout.catalog);
    if (fits) return new Previous({ inputs, queries, file: layout.readings }, manifest, readings);
    manifest.close();
    return null;
  }

  /** True if neither the store nor the clock can have changed anything since, and no policy can have another answer. */
  get isUntouched(): boolean {
    const { words } = this.readings;
    const stamp = words.get("stamp") ?? "";
    const isSame = stamp !== "" && stamp === stampOf(this.#inputs.store);
    return isSame && !this.isByClock && !this.isDue && this.#isAllowed;
  }

  /** True if a build of the same rows is certainly not refused. */
  get #isAllowed(): boolean {
    const { words } = this.readings;
    const beside = readBeside(this.#inputs.queries);
    const isSame = words.get("beside") === besideDigestOf(beside);
    const isByClock = beside.closed !== null && usesNow(beside.closed);
    return isSame && !isByClock && (this.#inputs.force || words.get("forced") === "");
  }

  /** True if the clock alone may have changed what an allow-list file returns. */
  get isByClock(): boolean {
    if (this.#queries["next_change"] === undefined) return Object.values(this.#queries).some(usesNow);
    const next = this.nextChangeAt;
    return next !== null && toMetaTime(this.#inputs.now) >= next;
  }

  /** True if it is time to read and compare everything. */
  get isDue(): boolean {
    const read = Date.parse(this.readings.words.get("read_at") ?? "");
    // A time in the future is no reason to wait for it: the clock was set back.
    return !(Math.abs(CLOCK.now().getTime() - read) < WHOLE_READING_MILLISECONDS);
  }

  get nextChangeAt(): MetaTime | null {
    return this.report.nextChangeAt;
  }

  /** The last build's report. */
  get report(): SnapshotReport {
    return JSON.parse(this.readings.words.get("report") ?? "{}") as SnapshotReport;
  }

  /** The report of a build without changes. `started`: from `Clock.elapsed`. */
  unchanged(extracted: Partial<SnapshotReport>, started: number): BuildReport {
    const end = endStage();
    return {
      ...this.report,
      ...extracted,
      ...this.manifest.totals(),
      written: 0,
      deleted: 0,
      work: "none",
      changed: {},
      changedFiles: [],
      out: this.#inputs.out,
      ...costOf(started, end, end),
    };
  }

  close(): void {
    this.manifest.close();
  }
}

/** The report of a build without changes; null if there may be some. Takes no lock and writes nothing. */
export function lookAhead(inputs: BuildInputs): BuildReport | null {
  const started = CLOCK.elapsed();
  const layout = outLayout(inputs.out);
  if (inputs.full || existsSync(layout.moves)) return null;
  const queries = readAllowList(inputs.queries);
  let previous: Previous | null = null;
  try {
    previous = Previous.open(inputs, layout, queries, null);
    return previous?.isUntouched === true ? previous.unchanged({}, started) : null;
  } catch (error) {
    if (!isMachineTrouble(error) && !isAbsent(error)) throw error;
    // Another build may be putting the folder's files in place: a build waits for it, and reports what does not pass.
    return null;
  } finally {
    previous?.close();
  }
}

/** The report of a folder's last build; null if it is not remembered. */
export function readLastReport({ readings }: OutLayout): SnapshotReport | null {
  const report = openReadings(readings).words.get("report");
  return report === undefined ? null : (JSON.parse(report) as SnapshotReport);
}

/** What is known of a build before it reads a row. */
export interface BuildFacts {
  readonly inputs: BuildInputs;
  /** When it began, from `Clock.elapsed`. */
  readonly started: number;
  /** Values to remember after every kind of build. */
  readonly words: ReadonlyMap<string, string>;
}

/** Results of a build that the next one needs. */
interface Remembered {
  readonly extracted: Extracted;
  readonly report: SnapshotReport;
}

/**
 * Saves the results to a file, together with what is remembered and still true. The store's stamp is kept only if it did not change
 * while the store was read.
 */
export function remember(
  { inputs, words: own }: BuildFacts,
  { extracted, report }: Remembered,
  {
    file,
    previous,
    log,
  }: { readonly file: string; readonly previous: Previous | undefined; readonly log: Notes },
): void {
  const stamp = own.get("stamp") ?? "";
  const all = new Map([
    ...(previous?.readings.words ?? []),
    ...own,
    ...extracted.words,
    ["stamp", stamp === stampOf(inputs.store) ? stamp : ""],
    ["catalog", extracted.digest],
    ["report", JSON.stringify(report)],
  ] as const);
  saveReadings(file, { words: all, blobs: extracted.blobs }, previous?.file ?? null, log);
}
