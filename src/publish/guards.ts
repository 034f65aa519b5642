/** What a publish refuses before it writes anything. */
import { VitrineError } from "../base/error.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { Manifest } from "../site/manifest.ts";
import { countDeepPages, guardShrink } from "../site/shrink.ts";
import type { Bucket } from "./bucket.ts";
import type { KeyChanges } from "./changes.ts";
import { type BucketState, MOST_GENERATION, readState, refuseNewer } from "./documents.ts";
import { headerPolicy } from "./headers.ts";
import type { Snapshot } from "./options.ts";
import type { Publication } from "./publication.ts";

/** How many foreign objects an error names. */
const NAMED = 10;

/** First parts of keys: `api/`, or the whole key if it has no folder. */
function rootsOf(manifest: Manifest): string[] {
  const roots = new Set<string>();
  for (const { key } of manifest.entries()) roots.add(key.slice(0, key.indexOf("/") + 1) || key);
  return [...roots];
}

/** Objects at keys that a first publish would replace. */
async function* findForeign(bucket: Bucket, { manifest }: Snapshot): AsyncGenerator<string> {
  for (const root of rootsOf(manifest))
    for await (const key of bucket.list(root)) if (manifest.get(key) !== undefined) yield key;
}

/** Refuses a first publish that would replace objects of others, before anything is written to their bucket. */
export async function guardForeign({ snapshot, rules, ports, state }: Publication): Promise<void> {
  const { bucket } = ports;
  const hasBegun = state.live !== null || (state.journal?.journal.attempted.length ?? 0) > 0;
  if (hasBegun || rules.adopt) return;
  const found: string[] = [];
  for await (const key of findForeign(bucket, snapshot)) {
    found.push(key);
    if (found.length > NAMED) break;
  }
  if (found.length === 0) return;
  // Not foreign if another publisher began its first release meanwhile: its lock decides then.
  const { live, journal } = await readState(bucket, () => false);
  if (live !== null || (journal?.etag ?? null) !== (state.journal?.etag ?? null)) return;
  const named = found.slice(0, NAMED).map((key) => `\n  ${key}`);
  const more = found.length > NAMED ? "\n  and more" : "";
  throw new VitrineError(
    "guard_refused",
    `Nothing was ever published to ${bucket.url}, but objects of others are at the keys that this publish would write:` +
      `${named.join("")}${more}\n` +
      "Nothing was written. Publish to another prefix, or allow replacing them with --adopt.",
    { hint: "vitrine publish --dry-run shows what a publish would write and delete" },
  );
}

/** Only the catalog: vitrine check looks at the rest, and files are checked while they are put. @throws VitrineError guard_refused */
export function guardCatalog({ layout, manifest }: Snapshot): void {
  using catalog = openCatalog(layout.catalog);
  if (catalog.digest === manifest.meta["catalog_digest"]) return;
  throw new VitrineError(
    "guard_refused",
    `${layout.catalog} is not the catalog that the snapshot was made of. Nothing was written. Build again, then publish.`,
  );
}

/** @throws VitrineError guard_refused */
export function guardChanges({ snapshot, rules, state }: Publication, changes: KeyChanges): void {
  guardShrink({
    what: "Publishing",
    liveFiles: state.live?.pointer.releases[0]?.files ?? 0,
    files: snapshot.manifest.totals().files,
    deletions: Math.max(0, changes.counts.deleted - countDeepPages(changes.deletions())),
    allowed: rules.allowShrink,
  });
}

/** Compares three texts, for any number of files. */
export function isUnchanged({ live }: BucketState, { manifest, config }: Snapshot): boolean {
  return (
    live !== null &&
    live.pointer.content === manifest.meta["content"] &&
    live.pointer.headerPolicy === headerPolicy(config) &&
    live.pointer.releases[0]?.catalogDigest === manifest.meta["catalog_digest"]
  );
}

/**
 * Refuses to replace what is live by this snapshot.
 * @throws VitrineError newer_format, usage, release_held, older_snapshot, remote_invalid
 */
export function refuseWrong(publication: Publication): void {
  const { rules, ports, state } = publication;
  // Otherwise fallbacks would switch between the formats of two publishers. Rollbacks are exempt.
  if (rules.rollbackOf === null) refuseNewer(state.live?.pointer.releases[0], ports.bucket.url);
  refuseIfOther(publication);
  refuseIfHeld(publication);
  refuseIfOlder(publication);
  if (!isUnchanged(state, publication.snapshot) || state.journal !== null) nextGeneration(publication);
}

/** The number of the next release. It only grows, also after an interrupted attempt. @throws VitrineError remote_invalid */
export function nextGeneration({ state, ports }: Pick<Publication, "state" | "ports">): number {
  const { live, journal } = state;
  const generation = Math.max(live?.pointer.generation ?? 0, journal?.journal.generation ?? 0) + 1;
  if (generation <= MOST_GENERATION) return generation;
  throw new VitrineError(
    "remote_invalid",
    `${ports.bucket.url} has no release number left: its last one is ${MOST_GENERATION}. Another program wrote it. ` +
      "Nothing was written. Publish to an empty place.",
  );
}

/** @throws VitrineError usage if the rules allow only repairs and the snapshot's content is not live */
function refuseIfOther({ rules, state, snapshot, ports }: Publication): void {
  if (!rules.onlyLive || isUnchanged(state, snapshot)) return;
  throw new VitrineError(
    "usage",
    `${snapshot.layout.site} is not what is live in ${ports.bucket.url}, so nothing here can be put back there. ` +
      "vitrine publish --repair makes it live and puts back what is missing.",
  );
}

/** Refuses to undo a rollback, also an interrupted one. The live content may be published again. */
function refuseIfHeld({ rules, state, snapshot, ports }: Publication): void {
  const { live, journal } = state;
  if (rules.resume || rules.rollbackOf !== null) return;
  const { url } = ports.bucket;
  const next = `vitrine publish --to ${url} --resume makes the built snapshot live again`;
  if (journal?.journal.held === true) {
    const to = journal.journal.release;
    throw new VitrineError(
      "release_held",
      `A rollback of ${url} was cut off before its release ${to} was live, so nothing newer goes live. Run vitrine rollback --to ${url} again; ${next}.`,
    );
  }
  if (live?.pointer.held !== true || isUnchanged(state, snapshot)) return;
  const [record] = live.pointer.releases;
  throw new VitrineError(
    "release_held",
    `A rollback holds release ${live.pointer.release} of ${url}, since ${record?.at} by ${record?.by}, so nothing newer goes live. ` +
      `Once the problem is fixed, ${next}.`,
  );
}

/** Clocks that differ by less count as equal: a service tells its time in whole seconds, and its response takes a moment. */
const EQUAL_CLOCKS_MILLISECONDS = 5000;

/**
 * When the snapshot was read from the store, by the place's clock. Publishers on several machines have that clock in common, so a
 * machine whose clock is wrong does not count as newer or older than the others.
 */
export function readAtOf({ snapshot, ports }: Pick<Publication, "snapshot" | "ports">): string {
  const read = Date.parse(snapshot.readAt);
  const ahead = ports.bucket.now() - ports.clock.now().getTime();
  return new Date(read + (Math.abs(ahead) < EQUAL_CLOCKS_MILLISECONDS ? 0 : ahead)).toISOString();
}

/**
 * Refuses a snapshot that was read from the store before the live release's: of publishers that wait for the lock, the one that waited
 * longest would make the oldest prices live. A rollback is the way back. The live content may be published again.
 * @throws VitrineError older_snapshot
 */
function refuseIfOlder(publication: Publication): void {
  const { rules, state, snapshot, ports } = publication;
  const live = state.live?.pointer.releases[0];
  if (live === undefined || rules.allowOlder || rules.rollbackOf !== null) return;
  if (isUnchanged(state, snapshot)) return;
  const own = readAtOf(publication);
  // A moment that is still to come says nothing: a clock was wrong, and waiting for it could take years.
  if (own >= live.readAt || Date.parse(live.readAt) > ports.bucket.now() + EQUAL_CLOCKS_MILLISECONDS) return;
  throw new VitrineError(
    "older_snapshot",
    `${snapshot.layout.site} is older than what is live in ${ports.bucket.url}: it was read from the store at ${own}, and the ` +
      `snapshot of release ${live.id} at ${live.readAt} (live since ${live.at}, by ${live.by}). Nothing was written. Build again, ` +
      "then publish.",
  );
}
