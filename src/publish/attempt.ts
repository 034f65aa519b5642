/** One attempt to make a snapshot live: compared and guarded without a write; then lock, put, commit, settle. */
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { guardShrink } from "../snapshot/shrink.ts";
import {
  CONTROL_HEADERS,
  type ConditionStyle,
  catalogKey,
  FILE_HEADERS,
  JOURNAL_KEY,
  manifestKey,
  POINTER_KEY,
  type Progress,
} from "./bucket.ts";
import { type ChangePlan, planChanges } from "./change-plan.ts";
import { compareManifests } from "./compare.ts";
import { writeSettled } from "./conditional.ts";
import { telling } from "./deadline.ts";
import {
  encodeDocument,
  JOURNAL_KEYS,
  type Journal,
  type Pointer,
  parsePointer,
  type ReleaseRecord,
  releaseId,
  unionKeys,
} from "./documents.ts";
import { guardForeign } from "./foreign.ts";
import { guardProblems } from "./guards.ts";
import { createHeaderMaker, headerPolicy } from "./headers.ts";
import { type Lease, takeLease } from "./lease.ts";
import { fetchTouched, keysWithout } from "./leftovers.ts";
import type { PublishOptions, PublishPorts, Snapshot } from "./ports.ts";
import { probeConditions } from "./probe.ts";
import { portsUnder } from "./progress.ts";
import type { PurgePlan } from "./purge/plan.ts";
import { pause } from "./retry.ts";
import { settle } from "./settle.ts";
import { fetchLiveEntries, readPointer, type State } from "./state.ts";
import { uploadChanges } from "./upload.ts";

export interface Attempt {
  readonly snapshot: Snapshot;
  readonly options: PublishOptions;
  readonly ports: PublishPorts;
  readonly state: State;
}

/** Compares with the live release, and with whatever a publish that was cut off may have touched. */
export async function planAttempt({ snapshot, ports, state }: Attempt, folder: string): Promise<ChangePlan> {
  const { bucket } = ports;
  const { manifest } = snapshot;
  const headers = createHeaderMaker(snapshot.config);
  const released = await fetchLiveEntries(bucket, state.live, folder);
  const left = state.journal?.journal ?? null;
  const uncertain = new Set(left?.keys ?? []);
  const touched = left === null ? [] : await fetchTouched(bucket, left, folder);
  const changes = compareManifests({
    local: manifest.entries(),
    released: released(),
    headersOf: headers.digestOf,
    isUncertain: left?.keys === null ? () => true : (key) => uncertain.has(key),
  });
  async function* present() {
    yield* manifest.entries();
  }
  return planChanges(changes, keysWithout(touched, present));
}

/** Refuses what looks like an accident, before any write. @throws VitrineError guard_refused */
export async function guardAttempt(
  { snapshot, options, ports, state }: Attempt,
  plan: ChangePlan,
): Promise<void> {
  if (state.live === null && state.journal === null && !options.adopt)
    await guardForeign(ports.bucket, snapshot.manifest);
  guardShrink({
    what: "Publishing",
    liveFiles: state.live?.pointer.releases[0]?.files ?? 0,
    files: snapshot.manifest.totals().files,
    deletions: plan.counts.deleted,
    allowed: options.allowShrink,
  });
  // With all schemas: loaded only where there is something to publish.
  const { verifySnapshot } = await import("../snapshot/verify.ts");
  const { problems } = await verifySnapshot(snapshot.layout, (files) => {
    ports.log.progress(() => `checked ${formatCount(files)} files`);
  });
  guardProblems(problems);
}

/** How conditions are written there: as the live release remembers, else as a probe finds. */
export async function chooseStyle(
  { options, ports, state }: Attempt,
  attempt: string,
): Promise<ConditionStyle> {
  if (options.singlePublisher) return "none";
  const known = state.live?.pointer;
  if (known !== undefined && known.service === ports.bucket.service && known.conditions !== "none")
    return known.conditions;
  return probeConditions(ports.bucket, attempt);
}

/** The journal of an attempt: what it will touch, and what those before it left. */
export function journalOf(
  { snapshot, options, ports, state }: Attempt,
  attempt: string,
  plan: Pick<ChangePlan, "touched" | "tags">,
): Journal {
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  const generation = Math.max(live?.generation ?? 0, left?.generation ?? 0) + 1;
  const release = releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? "");
  const attempted = left === null ? [] : [...left.attempted];
  const keys = live === null ? null : plan.touched(JOURNAL_KEYS);
  return {
    format: 1,
    attempt,
    generation,
    release,
    from: live?.release ?? null,
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    keys: left === null ? keys : unionKeys(keys, left.keys),
    attempted: [...attempted, release],
    tags: [...new Set([...plan.tags(), ...(left?.tags ?? [])])].sort(),
    expired: [
      ...new Set([
        ...(live?.releases.slice(options.keep - 1).map(({ id }) => id) ?? []),
        ...(left?.expired ?? []),
        ...attempted,
      ]),
    ],
    purge: [...new Set([...options.purge, ...(left?.purge ?? [])])],
  };
}

function pointerOf(
  { snapshot, options, ports, state }: Attempt,
  { generation, attempt, release }: Journal,
  plan: ChangePlan,
  style: ConditionStyle,
): Pointer {
  const { files, sizeBytes } = snapshot.manifest.totals();
  const record: ReleaseRecord = {
    id: release,
    at: ports.now().toISOString(),
    by: `vitrine ${snapshot.vitrine} on ${ports.holder.host}`,
    files,
    sizeBytes,
    put: plan.puts,
    deleted: plan.counts.deleted,
    catalogDigest: snapshot.manifest.meta["catalog_digest"] ?? "",
    ...(options.rollbackOf === undefined ? {} : { rollbackOf: options.rollbackOf }),
  };
  return {
    format: 1,
    generation,
    attempt,
    release,
    content: snapshot.manifest.meta["content"] ?? "",
    headerPolicy: headerPolicy(snapshot.config),
    conditions: style,
    service: ports.bucket.service,
    releases: [record, ...(state.live?.pointer.releases ?? [])].slice(0, options.keep),
  };
}

/** Level 3 takes half the time of the standard one, and a sixth more room. */
function compress(file: string, zipped: string, signal: AbortSignal, progress: Progress): Promise<void> {
  const [source, target] = [createReadStream(file), createWriteStream(zipped)];
  return pipeline(source, telling(progress), createGzip({ level: 3 }), target, { signal });
}

async function putFiles(attempt: Attempt, lease: Lease, plan: ChangePlan): Promise<void> {
  const { snapshot, ports, state } = attempt;
  const { bucket } = ports;
  const { release, from, keys } = lease.journal;
  const putManifest = async () => {
    lease.assertHeld();
    await bucket.putFile(manifestKey(release), plan.manifestFile, FILE_HEADERS);
  };
  // Where the journal cannot name its keys, the manifest does it, and so stands before the first of them.
  if (keys === null) await putManifest();
  await bucket.begin(release, from);
  const catalogFile = join(plan.folder, "catalog.sqlite.gz");
  // The catalog is compressed while the answers go up: that is the network's time.
  const compressing = new AbortController();
  const compressed = compress(snapshot.layout.catalog, catalogFile, compressing.signal, lease.progress);
  compressed.catch(() => "told where it is waited for, unless the upload has failed before");
  try {
    await uploadChanges(plan, snapshot.layout.site, createHeaderMaker(snapshot.config), {
      bucket,
      log: ports.log,
      assertHeld: lease.assertHeld,
      mayStand: state.journal?.journal.keys === null,
    });
    await compressed;
  } finally {
    compressing.abort();
  }
  lease.assertHeld();
  await bucket.putFile(catalogKey(release), catalogFile, FILE_HEADERS);
  if (keys !== null) await putManifest();
}

/** The one moment at which the release is made: before it nothing is live as a release, after it all is. */
async function commit(
  attempt: Attempt,
  lease: Lease,
  plan: ChangePlan,
  style: ConditionStyle,
): Promise<void> {
  const { bucket } = attempt.ports;
  lease.assertHeld();
  const settled = await writeSettled(bucket, {
    key: POINTER_KEY,
    body: encodeDocument(pointerOf(attempt, lease.journal, plan, style)),
    headers: CONTROL_HEADERS,
    expected: attempt.state.live?.etag ?? null,
    style,
  });
  if (settled.won) return;
  const winner = settled.found === null ? null : parsePointer(settled.found.body);
  throw new VitrineError(
    "publisher_busy",
    `Another publisher was faster on ${bucket.url}: ${winner?.releases[0]?.by ?? "somebody"} made release ` +
      `${winner?.release ?? "(none)"} live. Publish again: it compares with that one and repairs.`,
  );
}

/**
 * Writes. Null where the live release changed between the comparison and the lock: then all is compared again.
 * @throws VitrineError publisher_busy, remote_failed, purge_failed
 */
export async function runAttempt(attempt: Attempt, plan: ChangePlan): Promise<readonly PurgePlan[] | null> {
  const { options, ports, state } = attempt;
  const id = ports.newAttempt();
  const style = await chooseStyle(attempt, id);
  const journal = journalOf(attempt, id, plan);
  const lease = await takeLease(ports.bucket, journal, state.journal?.etag ?? null, {
    style,
    stallSeconds: options.stallSeconds,
  });
  const held = { ...attempt, ports: portsUnder(lease, ports) };
  try {
    return await lease.unlessStalled(workUnderLease(held, lease, plan, style));
  } catch (error) {
    await lease.giveBack();
    if (error instanceof VitrineError && error.code === "publisher_busy")
      await leaveDebt(attempt, lease, style);
    throw error;
  }
}

/** All that is done while the lock is held. */
async function workUnderLease(
  attempt: Attempt,
  lease: Lease,
  plan: ChangePlan,
  style: ConditionStyle,
): Promise<readonly PurgePlan[] | null> {
  const { ports, state } = attempt;
  const live = await readPointer(ports.bucket);
  if ((live?.etag ?? null) !== (state.live?.etag ?? null)) {
    if (state.journal === null) await lease.finish();
    else await lease.giveBack();
    return null;
  }
  await putFiles(attempt, lease, plan);
  await commit(attempt, lease, plan, style);
  async function* deletions() {
    yield* plan.deletions();
  }
  return settle(lease, deletions(), ports);
}

/** Times that a publisher which lost its lock looks whether it can tell of what it may have overwritten. */
const DEBT_TRIES = 40;

/**
 * A publisher that slept through its lease may have put older bytes over the winner's. It leaves a journal that names
 * them, without a lease, so that the next publish puts those keys again. Never throws: what went wrong is told already.
 */
async function leaveDebt({ ports }: Attempt, { journal }: Lease, style: ConditionStyle): Promise<void> {
  const body = encodeDocument({ ...journal, attempt: ports.newAttempt(), leaseSeconds: 0, expired: [] });
  const write = { key: JOURNAL_KEY, body, headers: CONTROL_HEADERS, expected: null, style };
  for (let round = 0; round < DEBT_TRIES; round++) {
    const settled = await writeSettled(ports.bucket, write).catch(() => null);
    if (settled?.won !== false) return;
    await pause({ ...ports.bucket.retries, maxMilliseconds: 2000 }, round);
  }
}
