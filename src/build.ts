/** The stages in a row: store → catalog → files. What stands already is changed where that is enough, else all is made. */
import { type Log, SILENT } from "./base/log.ts";
import { buildDelta, Session } from "./build-delta.ts";
import type { BuildJob } from "./build-job.ts";
import { buildWhole } from "./build-whole.ts";
import { type BuildInputs, type BuildOptions, resolveInputs } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import { openSqliteStore } from "./extract/stores/sqlite.ts";
import { stampOf } from "./extract/stores/sqlite-stamp.ts";
import { type BuildReport, fingerprintOf, Present } from "./present.ts";
import type { OutLayout } from "./snapshot/layout.ts";
import { withOut } from "./snapshot/out.ts";

export type { BuildReport } from "./present.ts";

async function buildIn(
  inputs: BuildInputs,
  layout: OutLayout,
  log: Log,
  session: Session,
): Promise<BuildReport> {
  const started = performance.now();
  const queries = readAllowList(inputs.queries);
  const present = Present.open(inputs, layout, queries);
  try {
    if (present !== null && !inputs.full && present.isUntouched)
      return present.unchanged({}, (performance.now() - started) / 1000);
    log.progress(() => "extracting");
    const words = new Map([
      ["fingerprint", fingerprintOf(inputs, queries)],
      ["now", inputs.now],
      ["stamp", stampOf(inputs.store) ?? ""],
    ]);
    const job: BuildJob = { inputs, layout, log, queries, words, started };
    const store = await openSqliteStore(inputs.store, inputs.now);
    try {
      const byDelta = present === null ? null : await buildDelta(job, present, store, session);
      return byDelta !== null && !inputs.full ? byDelta : await buildWhole(job, store, byDelta);
    } finally {
      await store.close();
    }
  } finally {
    present?.close();
  }
}

/** Builds one snapshot again and again: what it needed once stays in memory, so that a change costs what changed. */
export class Builder {
  readonly #session = new Session();

  /** @throws VitrineError; the snapshot is as it was then */
  build(inputs: BuildInputs, log: Log): Promise<BuildReport> {
    return withOut(inputs.out, (layout) => buildIn(inputs, layout, log, this.#session));
  }

  close(): void {
    this.#session.close();
  }
}

/** Builds a snapshot from inputs that are checked already. */
export async function buildSnapshot(inputs: BuildInputs, log: Log): Promise<BuildReport> {
  const builder = new Builder();
  try {
    return await builder.build(inputs, log);
  } finally {
    builder.close();
  }
}

/**
 * Builds a store's snapshot: its catalog and its files. On any error the present one is as it was.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}
