/** The previous snapshot of an output folder, and whether anything can have changed since: decided without reading a row. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { TABLES } from "../catalog/resources.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import { type AllowList, readAllowList, usesNow } from "../extract/allow-list.ts";
import type { Extracted } from "../extract/extract.ts";
import { openReadings, type Readings, saveReadings } from "../extract/readings.ts";
import type { ExtractReport } from "../extract/report.ts";
import { PAGES_FOLDER, TOOL_VERSION } from "../package.ts";
import type { OutLayout } from "../site/layout.ts";
import { type Manifest, openManifest } from "../site/manifest.ts";
import { readPageList } from "../site/pages/pages.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { type BuildReport, costOf, endStage, type SnapshotReport } from "./report.ts";

/** Everything is read and compared once a day, whatever the store's file says. */
const WHOLE_READING_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The previous snapshot's manifest, or null where there is none that stands for its files. */
export function openPreviousManifest({ manifest, site }: OutLayout): Manifest | null {
  if (!existsSync(manifest) || !existsSync(site)) return null;
  try {
    return openManifest(manifest);
  } catch {
    return null; // Of another format, or broken: it is replaced.
  }
}

/** A digest of all inputs of a build but the store: where it differs, everything is made again. */
export function inputsDigestOf({ config, maxLeftOut }: BuildInputs, queries: AllowList): string {
  const sql = Object.values(queries).map(({ name, sql }) => [name, sql]);
  const pages = config.pages === false ? [] : [readPageList(PAGES_FOLDER).digest];
  return hash("sha256", JSON.stringify([TOOL_VERSION, TABLES, config, maxLeftOut, sql, pages]));
}

export class Previous {
  readonly manifest: Manifest;
  readonly readings: Readings;
  /** Where the readings are. */
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

  /** The previous snapshot, if it was made by the same code with the same configuration and is the one remembered; else null. */
  static open(inputs: BuildInputs, layout: OutLayout, queries: AllowList): Previous | null {
    const manifest = openPreviousManifest(layout);
    if (manifest === null) return null;
    const readings = openReadings(layout.readings);
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

  /** True where neither the store nor the clock can have changed anything since. */
  get isUntouched(): boolean {
    const stamp = this.readings.words.get("stamp") ?? "";
    const isSame = stamp !== "" && stamp === stampOf(this.#inputs.store);
    return isSame && !this.isByClock && !this.isDue;
  }

  /** True where the clock alone may have changed what a file gives. */
  get isByClock(): boolean {
    if (this.#queries["next_change"] === undefined) return Object.values(this.#queries).some(usesNow);
    const next = this.nextChangeAt;
    return next !== null && toMetaTime(this.#inputs.now) >= next;
  }

  /** True where it is time to read everything and compare. */
  get isDue(): boolean {
    const read = Date.parse(this.readings.words.get("read_at") ?? "");
    return !(Date.now() - read < WHOLE_READING_MILLISECONDS);
  }

  get nextChangeAt(): MetaTime | null {
    return this.report.nextChangeAt;
  }

  /** What the last build said of it. */
  get report(): SnapshotReport {
    return JSON.parse(this.readings.words.get("report") ?? "{}") as SnapshotReport;
  }

  /** The report of a build that had nothing to do but to look, since a moment of `performance.now()`. */
  unchanged(extracted: Partial<ExtractReport>, started: number): BuildReport {
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

/** The report of a build that would have nothing to do; null where there may be something. Takes no lock and writes nothing. */
export function lookAhead(inputs: BuildInputs): BuildReport | null {
  const started = performance.now();
  const layout = outLayout(inputs.out);
  if (inputs.full || existsSync(layout.moves)) return null;
  const previous = Previous.open(inputs, layout, readAllowList(inputs.queries));
  if (previous === null) return null;
  try {
    return previous.isUntouched ? previous.unchanged({}, started) : null;
  } finally {
    previous.close();
  }
}

/** What the last build of a folder said; null if that is not remembered. */
export function readLastReport({ readings }: OutLayout): SnapshotReport | null {
  const report = openReadings(readings).words.get("report");
  return report === undefined ? null : (JSON.parse(report) as SnapshotReport);
}

/** What is known of a build before it reads a row. */
export interface BuildFacts {
  readonly inputs: BuildInputs;
  /** When it began, as `performance.now()` says. */
  readonly started: number;
  /** What is remembered of it, whatever its way. */
  readonly words: ReadonlyMap<string, string>;
}

/** What a build came to that the next one needs to know. */
interface Remembered {
  readonly extracted: Extracted;
  readonly report: SnapshotReport;
}

/**
 * Keeps it in a file, with what is remembered already and stays so. Only a stamp that held while the store was read is one of
 * what was read.
 */
export function remember(
  { inputs, words: own }: BuildFacts,
  { extracted, report }: Remembered,
  { file, previous }: { readonly file: string; readonly previous: Previous | undefined },
): void {
  const stamp = own.get("stamp") ?? "";
  const all = new Map([
    ...(previous?.readings.words ?? []),
    ...own,
    ...extracted.words,
    ["stamp", stamp === stampOf(inputs.store) ? stamp : ""],
    ["catalog", extracted.digest],
    ["report", JSON.stringify(report)],
    ["read_at", new Date().toISOString()],
  ] as const);
  saveReadings(file, { words: all, blobs: extracted.blobs }, previous?.file ?? null);
}
