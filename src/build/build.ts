/** The stages in a row: store → catalog → files. What stands already is changed where that is enough, else all is made. */
import { type Log, SILENT } from "../base/log.ts";
import { allCores, type Threads } from "../base/thread-pool.ts";
import { type BuildInputs, type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { readAllowList } from "../extract/allow-list.ts";
import { fitAllowList, formsWord, withSlugs } from "../extract/fit.ts";
import { stampOf } from "../extract/stores/sqlite-stamp.ts";
import { writeGuide } from "../hosts/guide.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { withOut } from "../snapshot/out.ts";
import { buildDelta, Session } from "./build-delta.ts";
import { buildWhole } from "./build-whole.ts";
import { type BuildJob, STORE_MARK } from "./job.ts";
import { fingerprintOf, Present } from "./present.ts";
import type { BuildReport } from "./report.ts";
import { openStore } from "./store.ts";

export type { BuildReport } from "./report.ts";

async function buildIn(
  inputs: BuildInputs,
  layout: OutLayout,
  log: Log,
  { session, threads }: Tools,
): Promise<BuildReport> {
  const started = performance.now();
  const queries = readAllowList(inputs.queries);
  const present = Present.open(inputs, layout, queries);
  try {
    if (present !== null && !inputs.full && present.isUntouched) return present.unchanged({}, started);
    writeGuide(inputs.config, layout);
    log.progress(() => "extracting");
    const stamp = stampOf(inputs.store) ?? "";
    const reader = await openStore(inputs.store, inputs.now);
    try {
      const fitted = await fitAllowList(reader, queries);
      const store = withSlugs(reader);
      const words = new Map([
        ["fingerprint", fingerprintOf(inputs, queries)],
        ["forms", formsWord(fitted)],
        ["now", inputs.now],
        ["stamp", stamp],
      ]);
      const known = present?.readings.blob(STORE_MARK) ?? null;
      const changes = await store.changesSince(known, Object.values(fitted));
      const job: BuildJob = {
        ...{ inputs, layout, log, queries: fitted, changes, words, started, threads, missed: new Set() },
      };
      const isComparable = present?.readings.words.get("forms") === words.get("forms");
      const byDelta =
        present === null || !isComparable ? null : await buildDelta(job, present, store, session);
      return byDelta !== null && !inputs.full ? byDelta : await buildWhole(job, store, byDelta);
    } finally {
      await reader.close();
    }
  } finally {
    present?.close();
  }
}

/** What a build has that others may have had before it. */
interface Tools {
  readonly session: Session;
  readonly threads: Threads;
}

/** Builds one snapshot again and again: what it needed once stays in memory, so that a change costs what changed. */
export class Builder {
  readonly #session = new Session();
  readonly #threads: Threads;

  constructor(threads: Threads = allCores()) {
    this.#threads = threads;
  }

  /** @throws VitrineError; the snapshot is as it was then */
  build(inputs: BuildInputs, log: Log): Promise<BuildReport> {
    const tools: Tools = { session: this.#session, threads: this.#threads };
    return withOut(inputs.out, (layout) => buildIn(inputs, layout, log, tools));
  }

  close(): void {
    this.#session.close();
  }
}

/** Builds a snapshot from inputs that are checked already. */
export async function buildSnapshot(
  inputs: BuildInputs,
  log: Log,
  threads: Threads = allCores(),
): Promise<BuildReport> {
  const session = new Session();
  try {
    return await withOut(inputs.out, (layout) => buildIn(inputs, layout, log, { session, threads }));
  } finally {
    session.close();
  }
}

/**
 * Builds a store's snapshot: its catalog and its files. On any error the present one is as it was.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  checkOptions(options);
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}
