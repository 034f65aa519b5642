/** What a publish will do, found without a write: what differs from the live release, whether it may, and what is written of it. */
import { randomUUID } from "node:crypto";
import { itemAt } from "../base/arrays.ts";
import { VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { Manifest } from "../site/manifest.ts";
import { MOST_LEASE_SECONDS } from "../site/schemas.ts";
import { countDeepPages, guardShrink } from "../site/shrink.ts";
import type { Bucket, ConditionStyle } from "./bucket.ts";
import { findChanges, type ReleaseChanges } from "./changes.ts";
import {
  JOURNAL_KEYS,
  type Journal,
  type Pointer,
  type ReleasePart,
  type ReleaseRecord,
  readState,
  releaseId,
  unionKeys,
} from "./documents.ts";
import { headerPolicy } from "./headers.ts";
import type { Publication, Snapshot } from "./options.ts";
import { shownPlace } from "./purge.ts";
import { chainOf, keptOf, neededParts } from "./releases.ts";

export interface ReleasePlan {
  /** For files that are made for it. */
  readonly folder: string;
  readonly changes: ReleaseChanges;
  /** What the lock will say: all that is put, deleted and purged, with what an earlier attempt left. */
  readonly journal: Journal;
  /** Older releases that are kept, newest first. */
  readonly older: readonly ReleaseRecord[];
}

/** Finds what is to be done. In a folder that must live as long as the plan. */
export async function planRelease(publication: Publication, folder: string): Promise<ReleasePlan> {
  const changes = await findChanges(publication, folder);
  const older = keptReleases(publication, publication.state.live?.pointer.releases ?? []);
  return { folder, changes, older, journal: journalOf(publication, changes, older) };
}

/** The older releases that are kept with the live one. */
export function keptReleases(
  { options, ports, state, lost }: Publication,
  older: readonly ReleaseRecord[],
): readonly ReleaseRecord[] {
  if (options.alone) return [];
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

/** What a journal says of whoever holds it. */
export function holdOf({ options, ports }: Publication) {
  return {
    format: FORMATS.journal.newest,
    attempt: randomUUID(),
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: Math.min(options.leaseSeconds, MOST_LEASE_SECONDS),
    purge: [...new Set(options.purge.map(shownPlace))],
  };
}

function journalOf(
  publication: Publication,
  changes: ReleaseChanges,
  older: readonly ReleaseRecord[],
): Journal {
  const { snapshot, options, state } = publication;
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  // A number that only grows, also where an attempt was cut off.
  const generation = Math.max(live?.generation ?? 0, left?.generation ?? 0) + 1;
  const release = releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? "");
  const attempted = left?.attempted ?? [];
  const touched = live === null ? null : changes.touched(JOURNAL_KEYS);
  const keys = left === null ? touched : unionKeys(touched, left.keys);
  const before = live?.releases.map(idOf) ?? [];
  const kept = [release, ...older.map(idOf)];
  const parts = live?.parts ?? [];
  const needed = partsWith(parts, { id: release, kind: changes.kind, sizeBytes: 0 }, older);
  return {
    ...holdOf(publication),
    generation,
    release,
    from: live?.release ?? null,
    keys,
    attempted: [...attempted, release],
    fromParts: keys === null && live !== null ? chainOf(parts, live.release) : [],
    tags: [...new Set([...changes.tags, ...(left?.tags ?? [])])].sort(),
    expired: idsWithout([...before, ...(left?.expired ?? []), ...attempted], kept),
    unneeded: idsWithout([...parts.map(idOf), ...(left?.unneeded ?? []), ...attempted], needed.map(idOf)),
    ...heldMark(options.rollbackOf !== null),
  };
}

/** Whether the live release is held once a publish is done. */
export function isHeldAfter({ options: { rollbackOf, resume }, state }: Publication): boolean {
  return rollbackOf !== null || (!resume && state.live?.pointer.held === true);
}

/** As the control documents say it. */
export function heldMark(isHeld: boolean): { readonly held?: true } {
  return isHeld ? { held: true } : {};
}

export function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** What is needed once a release is live and older ones are kept. */
function partsWith(
  parts: readonly ReleasePart[],
  next: ReleasePart,
  older: readonly ReleaseRecord[],
): readonly ReleasePart[] {
  return neededParts([...parts, next], [next.id, ...older.map(idOf)]);
}

/** The pointer that makes the release live. `partBytes`: of what the release adds to the chain of its parts. */
export function pointerOf(
  publication: Publication,
  { journal, changes, older }: ReleasePlan,
  style: ConditionStyle,
  partBytes: number,
): Pointer {
  const { snapshot, options, ports, state } = publication;
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
    ...(options.rollbackOf !== null && { rollbackOf: options.rollbackOf }),
  };
  const part = { id: release, kind: changes.kind, sizeBytes: partBytes };
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
    ...heldMark(isHeldAfter(publication)),
  };
}

/** So many of others' objects are named. */
const NAMED = 10;

/** First parts of keys: `api/`, and whole keys that have no folder. */
function rootsOf(manifest: Manifest): string[] {
  const roots = new Set<string>();
  for (const { key } of manifest.entries()) roots.add(key.slice(0, key.indexOf("/") + 1) || key);
  return [...roots];
}

/** What a first publish would replace: a bucket's objects at its keys, all that a directory serves, for its link is replaced. */
async function* findForeign(bucket: Bucket, { manifest }: Snapshot): AsyncGenerator<string> {
  if (bucket.folders !== undefined) return yield* bucket.list("");
  for (const root of rootsOf(manifest))
    for await (const key of bucket.list(root)) if (manifest.get(key) !== undefined) yield key;
}

/** At a first publish, objects of others that would be replaced. */
async function guardForeign(bucket: Bucket, snapshot: Snapshot): Promise<void> {
  const found: string[] = [];
  for await (const key of findForeign(bucket, snapshot)) {
    found.push(key);
    if (found.length > NAMED) break;
  }
  if (found.length === 0) return;
  // Another publisher's first release, begun since we looked, is not foreign: its lock tells the rest.
  const { live, journal } = await readState(bucket, () => false);
  if (live !== null || journal !== null) return;
  const named = found.slice(0, NAMED).map((key) => `\n  ${key}`);
  const more = found.length > NAMED ? "\n  and more" : "";
  throw new VitrineError(
    "guard_refused",
    `Nothing was ever published to ${bucket.url}, but objects of others stand where this would put its own:` +
      `${named.join("")}${more}\n` +
      "Nothing was written. Publish to another prefix, or say with --adopt that they may be replaced.",
  );
}

/** The rest of a snapshot is looked at by vitrine check; what is put, while it is read. */
function guardCatalog({ layout, manifest }: Snapshot): void {
  using catalog = openCatalog(layout.catalog);
  if (catalog.digest === manifest.meta["catalog_digest"]) return;
  throw new VitrineError(
    "guard_refused",
    `${layout.catalog} is not the catalog that the snapshot was made of. Nothing was written. Build again, then publish.`,
  );
}

/** @throws VitrineError guard_refused */
export async function guardPublication(
  { snapshot, options, ports, state }: Publication,
  changes: ReleaseChanges,
): Promise<void> {
  if (state.live === null && state.journal === null && !options.adopt)
    await guardForeign(ports.bucket, snapshot);
  guardShrink({
    what: "Publishing",
    liveFiles: state.live === null ? 0 : itemAt(state.live.pointer.releases, 0).files,
    files: snapshot.manifest.totals().files,
    deletions: Math.max(0, changes.counts.deleted - countDeepPages(changes.deletions())),
    allowed: options.allowShrink,
  });
  guardCatalog(snapshot);
}
