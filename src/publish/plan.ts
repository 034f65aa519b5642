/** What a publish will do, found without a write: what differs from the live release, and the two documents that say so. */
import { FORMATS } from "../base/formats.ts";
import type { ConditionStyle } from "./bucket.ts";
import type { Changes } from "./changes.ts";
import { changesByDelta } from "./changes-by-delta.ts";
import { changesByManifests } from "./changes-by-manifests.ts";
import {
  JOURNAL_KEYS,
  type Journal,
  type Part,
  type Pointer,
  type ReleaseRecord,
  releaseId,
  unionKeys,
} from "./documents.ts";
import { headerPolicy } from "./headers.ts";
import { keptOf } from "./keep.ts";
import { lacksLive } from "./lost-parts.ts";
import { chainOf, partsOf } from "./parts.ts";
import type { Publication, PublishOptions } from "./ports.ts";
import { shownPlace } from "./purge/plan.ts";
import type { State } from "./state.ts";

export interface ReleasePlan {
  readonly changes: Changes;
  /** What the lock will say: all that is put, deleted and purged, with what an earlier attempt left. */
  readonly journal: Journal;
  /** Releases that stay beside the new one, newest first. */
  readonly older: readonly ReleaseRecord[];
}

/** By deltas where they lead here; else all is compared, and a new base made. */
export async function planRelease(publication: Publication, folder: string): Promise<ReleasePlan> {
  const isWhole = publication.options.alone === true || lacksLive(publication);
  const byDelta = isWhole ? null : await changesByDelta(publication);
  const changes = byDelta ?? (await changesByManifests(publication, folder));
  const older = keptBeside(publication, publication.state.live?.pointer.releases ?? []);
  return { changes, older, journal: journalOf(publication, changes, older) };
}

/** Of older releases those that stay beside the live one. */
export function keptBeside(
  { options, ports, state, lost }: Publication,
  older: readonly ReleaseRecord[],
): readonly ReleaseRecord[] {
  if (options.alone === true) return [];
  const parts = state.live?.pointer.parts ?? [];
  const whole = older.filter(
    ({ id }) => lost.size === 0 || chainOf(parts, id).every((part) => !lost.has(part.id)),
  );
  return keptOf(whole, parts, options.keep, ports.now());
}

/** Ids that are needed no more once others are. */
export function idsWithout(ids: readonly string[], needed: readonly string[]): string[] {
  const set = new Set(needed);
  return [...new Set(ids)].filter((id) => !set.has(id));
}

function journalOf(
  { snapshot, options, ports, state }: Publication,
  changes: Changes,
  older: readonly ReleaseRecord[],
): Journal {
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  const generation = Math.max(live?.generation ?? 0, left?.generation ?? 0) + 1;
  const release = releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? "");
  const attempted = left?.attempted ?? [];
  const touched = live === null ? null : changes.touched(JOURNAL_KEYS);
  const keys = left === null ? touched : unionKeys(touched, left.keys);
  const before = live?.releases.map(idOf) ?? [];
  const kept = [release, ...older.map(idOf)];
  const parts = live?.parts ?? [];
  const needed = partsWith(parts, { id: release, kind: changes.form.kind, sizeBytes: 0 }, older);
  return {
    format: FORMATS.journal.newest,
    attempt: ports.newAttempt(),
    generation,
    release,
    from: live?.release ?? null,
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    keys,
    attempted: [...attempted, release],
    fromParts: keys === null && live !== null ? chainOf(parts, live.release) : [],
    tags: [...new Set([...changes.tags, ...(left?.tags ?? [])])].sort(),
    expired: idsWithout([...before, ...(left?.expired ?? []), ...attempted], kept),
    unneeded: idsWithout([...parts.map(idOf), ...(left?.unneeded ?? []), ...attempted], needed.map(idOf)),
    purge: [...new Set(options.purge.map(shownPlace))],
    ...heldMark(options.rollbackOf !== undefined),
  };
}

/** Whether the live release is held once a publish is done. */
export function isHeldAfter({ rollbackOf, resume }: PublishOptions, { live }: State): boolean {
  return rollbackOf !== undefined || (resume !== true && live?.pointer.held === true);
}

/** As the control documents say it. */
export function heldMark(isHeld: boolean): { readonly held?: true } {
  return isHeld ? { held: true } : {};
}

export function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** What is needed once a release is live beside older ones. */
function partsWith(parts: readonly Part[], next: Part, older: readonly ReleaseRecord[]): readonly Part[] {
  return partsOf([...parts, next], [next.id, ...older.map(idOf)]);
}

/** The pointer that makes the release live. `partBytes`: of what the release adds to the chain of its parts. */
export function pointerOf(
  { snapshot, options, ports, state }: Publication,
  { journal, changes, older }: ReleasePlan,
  style: ConditionStyle,
  partBytes: number,
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
    catalogFormat: snapshot.catalogFormat,
    ...(options.rollbackOf === undefined ? {} : { rollbackOf: options.rollbackOf }),
  };
  const part = { id: release, kind: changes.form.kind, sizeBytes: partBytes };
  return {
    format: FORMATS.pointer.newest,
    generation,
    attempt,
    release,
    content: snapshot.manifest.meta["content"] ?? "",
    headerPolicy: headerPolicy(snapshot.config),
    conditions: style,
    service: ports.bucket.service,
    releases: [record, ...older],
    parts: partsWith(state.live?.pointer.parts ?? [], part, older),
    ...heldMark(isHeldAfter(options, state)),
  };
}
