/** Stage 3, snapshot → release: what an earlier publish left undone is finished first, then exactly what changed is put. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { type Attempt, chooseStyle, guardAttempt, journalOf, planAttempt, runAttempt } from "./attempt.ts";
import type { ChangeCounts, ChangePlan } from "./change-plan.ts";
import { isCommitted } from "./documents.ts";
import { headerPolicy } from "./headers.ts";
import { busyError, takeLease } from "./lease.ts";
import { fetchTouched, keysWithout } from "./leftovers.ts";
import type { PublishOptions, PublishPorts, PublishReport, Snapshot } from "./ports.ts";
import { portsUnder } from "./progress.ts";
import { planPurge } from "./purge/plan.ts";
import { debtOf, settle } from "./settle.ts";
import { fetchLiveEntries, readState, type State } from "./state.ts";

const NO_CHANGES: ChangeCounts = {
  new: 0,
  changed: 0,
  headers: 0,
  uncertain: 0,
  deleted: 0,
  kept: 0,
  putBytes: 0,
};
/** Changed keys that a report names: enough to draw a sample from. */
const REPORTED_KEYS = 5000;

/** Told by three texts, whatever the number of files. */
function isUnchanged({ live }: State, { manifest, config }: Snapshot): boolean {
  return (
    live !== null &&
    live.pointer.content === manifest.meta["content"] &&
    live.pointer.headerPolicy === headerPolicy(config) &&
    live.pointer.releases[0]?.catalogDigest === manifest.meta["catalog_digest"]
  );
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-remote-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A release that is live, but whose deletions or purges were cut off, is finished. */
async function finishCommitted(attempt: Attempt): Promise<string> {
  const { options, ports, state } = attempt;
  const { journal: found, live } = state;
  if (found === null) throw new Error("there is no journal to finish");
  const { journal } = found;
  const id = ports.newAttempt();
  const style = await chooseStyle(attempt, id);
  const taken = {
    ...journal,
    attempt: id,
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    purge: [...new Set([...journal.purge, ...options.purge])],
  };
  const lease = await takeLease(ports.bucket, taken, found.etag, {
    style,
    stallSeconds: options.stallSeconds,
  });
  const held = portsUnder(lease, ports);
  return withFolder(async (folder) => {
    const finish = async () => {
      const present = await fetchLiveEntries(held.bucket, live, folder);
      const touched = await fetchTouched(held.bucket, journal, folder);
      await settle(lease, keysWithout(touched, present), held);
    };
    try {
      await lease.unlessStalled(finish());
      return `release ${journal.release} was live already; its deletions and purges are finished now`;
    } catch (error) {
      await lease.giveBack();
      throw error;
    }
  });
}

interface Round {
  readonly report: Omit<PublishReport, "seconds" | "finished">;
}

/** Compares, guards, and writes unless this is a dry run. Null: the live release changed meanwhile. */
async function publishRound(attempt: Attempt): Promise<Round | null> {
  const { options, ports, state } = attempt;
  const plan = await withFolder((folder) => planAttempt(attempt, folder));
  try {
    await guardAttempt(attempt, plan);
    if (options.dryRun) return { report: dryReport(attempt, plan) };
    const purges = await runAttempt(attempt, plan);
    if (purges === null) return null;
    return {
      report: {
        outcome: "published",
        release: journalOf(attempt, "", plan).release,
        counts: plan.counts,
        purges,
        changedKeys: changedKeys(plan),
      },
    };
  } finally {
    plan.close();
    ports.log.progress(() => (state.live === null ? "first publish done" : "done"));
  }
}

function changedKeys(plan: ChangePlan): string[] {
  const keys: string[] = [];
  for (const tier of [0, 1, 2] as const)
    for (const { key } of plan.puttable(tier)) if (keys.push(key) >= REPORTED_KEYS) return keys;
  return keys;
}

function dryReport(attempt: Attempt, plan: ChangePlan): Round["report"] {
  const journal = journalOf(attempt, "", plan);
  return {
    outcome: "planned",
    release: attempt.state.live?.pointer.release ?? null,
    counts: plan.counts,
    purges: journal.purge.map((spec) => planPurge(debtOf(journal), attempt.ports.cdn(spec))),
    changedKeys: changedKeys(plan),
  };
}

/** Times that the live release may change under the comparison. */
const ROUNDS = 4;

/**
 * Makes a snapshot live.
 * @throws VitrineError guard_refused, publisher_busy, conditions_ignored, remote_failed, purge_failed
 */
export async function publish(
  snapshot: Snapshot,
  options: PublishOptions,
  ports: PublishPorts,
): Promise<PublishReport> {
  const started = performance.now();
  let finished: string | null = null;
  const done = (report: Round["report"]): PublishReport => ({
    ...report,
    finished,
    seconds: (performance.now() - started) / 1000,
  });
  for (let round = 0; round < ROUNDS; round++) {
    const state = await readState(ports.bucket, ports.isGone);
    if (state.journal?.alive && !options.dryRun) throw busyError(ports.bucket.url, state.journal.journal);
    const committed =
      state.journal !== null && isCommitted(state.journal.journal, state.live?.pointer ?? null);
    if (committed && !options.dryRun) {
      finished = await finishCommitted({ snapshot, options, ports, state });
      continue;
    }
    // What is committed is certain: a dry run compares with it as if its journal were gone.
    const attempt = { snapshot, options, ports, state: committed ? { ...state, journal: null } : state };
    if ((state.journal === null || committed) && isUnchanged(state, snapshot)) {
      const release = state.live?.pointer.release ?? null;
      return done({ outcome: "unchanged", release, counts: NO_CHANGES, purges: [], changedKeys: [] });
    }
    const result = await publishRound(attempt);
    if (result !== null) return done(result.report);
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${ports.bucket.url} keeps changing while it is compared: others publish there. Publish again later.`,
  );
}
