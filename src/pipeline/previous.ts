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
import { PAGES_FOLDER, TOOL_VERSION } from "../package.ts";
import type { OutLayout } from "../site/layout.ts";
import { type Manifest, openManifest } from "../site/manifest.ts";
import { readPageList } from "../site/pages/pages.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { type BuildReport, costOf, endStage, type SnapshotReport } from "./build-report.ts";
import { openRemembered, type Remembered } from "./remembered.ts";

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

/** The digest `inputs` of what is remembered. */
export function inputsDigestOf({ config, maxLeftOut }: BuildInputs, queries: AllowList): string {
  const sql = Object.values(queries).map(({ name, sql }) => [name, sql]);
  const pages = config.pages === false ? [] : [readPageList(PAGES_FOLDER).digest];
  return hash("sha256", JSON.stringify([TOOL_VERSION, TABLES, config, maxLeftOut, sql, pages]));
}

/** The digest `beside` of what is remembered. */
export function besideDigestOf({ leftOut, changed, closed }: BesideFiles): string {
  return hash("sha256", JSON.stringify([leftOut?.sql, changed?.sql, closed?.sql]));
}

export class Previous {
  readonly manifest: Manifest;
  readonly remembered: Remembered;
  readonly #inputs: BuildInputs;
  readonly #queries: AllowList;

  private constructor(
    { inputs, queries }: { inputs: BuildInputs; queries: AllowList },
    manifest: Manifest,
    remembered: Remembered,
  ) {
    this.#inputs = inputs;
    this.#queries = queries;
    this.manifest = manifest;
    this.remembered = remembered;
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
    const remembered = openRemembered(layout.readings, log);
    if (
      remembered !== null &&
      remembered.inputs === inputsDigestOf(inputs, queries) &&
      remembered.catalog === manifest.meta["catalog_digest"] &&
      remembered.now <= inputs.now &&
      existsSync(layout.catalog)
    )
      return new Previous({ inputs, queries }, manifest, remembered);
    manifest.close();
    return null;
  }

  /** True if neither the store nor the clock can have changed anything since, and no policy can have another answer. */
  get isUntouched(): boolean {
    const { stamp } = this.remembered;
    const isSame = stamp !== "" && stamp === stampOf(this.#inputs.store);
    return isSame && !this.isByClock && !this.isDue && this.#isAllowed;
  }

  /** True if a build of the same rows is certainly not refused. */
  get #isAllowed(): boolean {
    const { remembered } = this;
    const beside = readBeside(this.#inputs.queries);
    const isSame = remembered.beside === besideDigestOf(beside);
    const isByClock = beside.closed !== null && usesNow(beside.closed);
    return isSame && !isByClock && (this.#inputs.force || !remembered.isForced);
  }

  /** True if the clock alone may have changed what an allow-list file returns. */
  get isByClock(): boolean {
    if (this.#queries["next_change"] === undefined) return Object.values(this.#queries).some(usesNow);
    const next = this.nextChangeAt;
    return next !== null && toMetaTime(this.#inputs.now) >= next;
  }

  /** True if it is time to read and compare everything. */
  get isDue(): boolean {
    const read = Date.parse(this.remembered.readAt);
    // A time in the future is no reason to wait for it: the clock was set back.
    return !(Math.abs(CLOCK.now().getTime() - read) < WHOLE_READING_MILLISECONDS);
  }

  get nextChangeAt(): MetaTime | null {
    return this.report.nextChangeAt;
  }

  /** The last build's report. */
  get report(): SnapshotReport {
    return this.remembered.report;
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
  return openRemembered(readings)?.report ?? null;
}
