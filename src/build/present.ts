/** What stands in an output folder, and whether anything can have changed since: told without reading a row. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { TABLES } from "../catalog/tables.ts";
import { type BuildInputs, outLayout } from "../config/inputs.ts";
import { type AllowList, readAllowList, usesNow } from "../extract/allow-list.ts";
import { openReadings, type Readings } from "../extract/readings.ts";
import type { ExtractReport } from "../extract/report.ts";
import { stampOf } from "../extract/stores/sqlite-stamp.ts";
import { PAGES_FOLDER, TOOL_VERSION } from "../package.ts";
import { readPageList } from "../pages/pages.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { type Manifest, openManifest } from "../snapshot/manifest.ts";
import { costOf, endStage } from "./job.ts";
import { hostFilesOf } from "./pages.ts";
import type { BuildReport, SnapshotReport } from "./report.ts";

/** Everything is read and compared once a day, whatever the store's file says. */
const WHOLE_READING_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The present snapshot's manifest, or null where there is none that stands for its files. */
export function openPresentManifest({ manifest, site }: OutLayout): Manifest | null {
  if (!existsSync(manifest) || !existsSync(site)) return null;
  try {
    return openManifest(manifest);
  } catch {
    return null; // Of another format, or broken: it is replaced.
  }
}

/** What a build is made by and with: where it is another, all is made anew. */
export function fingerprintOf({ config, maxLeftOut }: BuildInputs, queries: AllowList): string {
  const sql = Object.values(queries).map(({ name, sql }) => [name, sql]);
  const pages = config.pages === false ? "" : readPageList(PAGES_FOLDER).digest;
  const host = hostFilesOf(config);
  return hash("sha256", JSON.stringify([TOOL_VERSION, TABLES, config, maxLeftOut, sql, pages, host]));
}

export class Present {
  readonly manifest: Manifest;
  readonly readings: Readings;
  readonly #inputs: BuildInputs;
  readonly #queries: AllowList;

  private constructor(inputs: BuildInputs, queries: AllowList, manifest: Manifest, readings: Readings) {
    this.#inputs = inputs;
    this.#queries = queries;
    this.manifest = manifest;
    this.readings = readings;
  }

  /** What stands there, where it was made by and with the same, and is what is remembered; else null. */
  static open(inputs: BuildInputs, layout: OutLayout, queries: AllowList): Present | null {
    const manifest = openPresentManifest(layout);
    if (manifest === null) return null;
    const readings = openReadings(layout.readings);
    const { words } = readings;
    const fits =
      words.get("fingerprint") === fingerprintOf(inputs, queries) &&
      words.get("catalog") === manifest.meta["catalog_digest"] &&
      (words.get("now") ?? "") <= inputs.now &&
      words.get("report") !== undefined &&
      existsSync(layout.catalog);
    if (fits) return new Present(inputs, queries, manifest, readings);
    manifest.close();
    return null;
  }

  /** True where neither the store nor the clock can have changed anything since. */
  get isUntouched(): boolean {
    const stamp = this.readings.words.get("stamp") ?? "";
    return stamp !== "" && stamp === stampOf(this.#inputs.store) && !this.isByClock && !this.isDue;
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
      ...{ written: 0, deleted: 0, work: "none", missed: [], out: this.#inputs.out, difference: null },
      ...costOf({ started }, end, end),
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
  const present = Present.open(inputs, layout, readAllowList(inputs.queries));
  if (present === null) return null;
  try {
    return present.isUntouched ? present.unchanged({}, started) : null;
  } finally {
    present.close();
  }
}
