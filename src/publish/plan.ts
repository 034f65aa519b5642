/** What a publish will do, found without a write: what differs from the live release, and the two documents that say so. */
import type { ConditionStyle } from "./bucket.ts";
import { type Changes, collectChanges } from "./changes.ts";
import { compareManifests, keysWithout } from "./compare.ts";
import { JOURNAL_KEYS, type Journal, type Pointer, releaseId, unionKeys } from "./documents.ts";
import { createHeaderMaker, headerPolicy } from "./headers.ts";
import type { Publication } from "./ports.ts";
import { fetchLiveEntries, fetchTouched } from "./state.ts";

export interface ReleasePlan {
  readonly changes: Changes;
  /** What the lock will say: all that is put, deleted and purged, with what an earlier attempt left. */
  readonly journal: Journal;
}

/** Compares with the live release, and with whatever a publish that was cut off may have touched. */
export async function planRelease(publication: Publication, folder: string): Promise<ReleasePlan> {
  const { snapshot, ports, state } = publication;
  const { bucket } = ports;
  const { manifest } = snapshot;
  const headers = createHeaderMaker(snapshot.config);
  const released = await fetchLiveEntries(bucket, state.live, folder);
  const left = state.journal?.journal ?? null;
  const uncertain = new Set(left?.keys ?? []);
  const touched = left === null ? [] : await fetchTouched(bucket, left, folder);
  const differences = compareManifests({
    local: manifest.entries(),
    released: released(),
    headersOf: headers.digestOf,
    isUncertain: left?.keys === null ? () => true : (key) => uncertain.has(key),
  });
  async function* present() {
    yield* manifest.entries();
  }
  const changes = await collectChanges(differences, keysWithout(touched, present));
  return { changes, journal: journalOf(publication, changes) };
}

function journalOf({ snapshot, options, ports, state }: Publication, changes: Changes): Journal {
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  const generation = Math.max(live?.generation ?? 0, left?.generation ?? 0) + 1;
  const release = releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? "");
  const attempted = left === null ? [] : [...left.attempted];
  const keys = live === null ? null : changes.touched(JOURNAL_KEYS);
  return {
    format: 1,
    attempt: ports.newAttempt(),
    generation,
    release,
    from: live?.release ?? null,
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    keys: left === null ? keys : unionKeys(keys, left.keys),
    attempted: [...attempted, release],
    tags: [...new Set([...changes.tags, ...(left?.tags ?? [])])].sort(),
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

/** The pointer that makes the release live. */
export function pointerOf(
  { snapshot, options, ports, state }: Publication,
  { journal, changes }: ReleasePlan,
  style: ConditionStyle,
): Pointer {
  const { generation, attempt, release } = journal;
  const { files, sizeBytes } = snapshot.manifest.totals();
  const record = {
    id: release,
    at: ports.now().toISOString(),
    by: `vitrine ${snapshot.vitrine} on ${ports.holder.host}`,
    files,
    sizeBytes,
    put: changes.puts,
    deleted: changes.counts.deleted,
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
