/**
 * Releases that are kept: what each is made of (a base, whole, and the deltas since), when it is time for a new base, and which
 * are kept with the live one. Pure.
 */
import { VitrineError } from "../base/error.ts";
import { digestInId, type Pointer, type ReleasePart, type ReleaseRecord } from "./documents.ts";
import type { Keep } from "./options.ts";

/** Deltas on one base; more of them would be more requests for whoever begins to follow than they save. */
const MOST_DELTAS = 50;
/** Deltas of more than this share of their base's bytes make a new base. */
const MOST_SHARE = 0.25;

/** What a release is made of, its base first. @throws VitrineError remote_failed where the pointer does not say */
export function chainOf(parts: readonly ReleasePart[], release: string): readonly ReleasePart[] {
  const upTo = parts.slice(0, parts.findIndex(({ id }) => id === release) + 1);
  const base = upTo.findLastIndex(({ kind }) => kind === "base");
  if (base >= 0) return upTo.slice(base);
  throw new VitrineError(
    "remote_failed",
    `The pointer does not say what release ${release} is made of. Publish again.`,
  );
}

/** The catalog of a kept release: what it is made of, its base first, and the digest that it must have. */
export interface ReleaseCatalog {
  readonly chain: readonly ReleasePart[];
  readonly digest: string;
}

export function releaseCatalog({ parts, releases }: Pointer, release: string): ReleaseCatalog {
  const digest = releases.find(({ id }) => id === release)?.catalogDigest ?? digestInId(release);
  return { chain: chainOf(parts, release), digest };
}

/** True where a release of this chain may be followed by a delta of so many bytes. */
export function takesDelta([base, ...deltas]: readonly ReleasePart[], sizeBytes: number): boolean {
  const weight = deltas.reduce((sum, delta) => sum + delta.sizeBytes, sizeBytes);
  return base !== undefined && deltas.length < MOST_DELTAS && weight <= base.sizeBytes * MOST_SHARE;
}

/** Parts of which the kept releases are made, oldest first. */
export function neededParts(parts: readonly ReleasePart[], kept: readonly string[]): readonly ReleasePart[] {
  const needed = new Set<ReleasePart>();
  for (const id of kept) for (const part of chainOf(parts, id)) needed.add(part);
  return parts.filter((part) => needed.has(part));
}

/** True where the place has lost something of what the live release is made of. `lost`: releases that lack a part. */
export function lacksLive(live: Pointer | undefined, lost: ReadonlySet<string>): boolean {
  return (
    live !== undefined && lost.size > 0 && chainOf(live.parts, live.release).some(({ id }) => lost.has(id))
  );
}

const HOUR_SECONDS = 60 * 60;
/** Kept whatever their age, the live one included: also where nothing was published for long. */
const NEWEST = 10;

/** Of a busy hour one release, of the last hour one a minute. */
function slotOf(at: string, now: number): string {
  const seconds = Date.parse(at) / 1000;
  const length = now / 1000 - seconds <= HOUR_SECONDS ? 60 : HOUR_SECONDS;
  return `${length} ${Math.floor(seconds / length)}`;
}

/** `older`: releases before the live one, newest first. Of each slot a base is kept, which needs no others; else its first release. */
export function keptOf(
  older: readonly ReleaseRecord[],
  parts: readonly ReleasePart[],
  keep: Keep,
  now: Date,
): readonly ReleaseRecord[] {
  if (typeof keep === "number") return older.slice(0, keep - 1);
  const bases = new Set(parts.filter(({ kind }) => kind === "base").map(({ id }) => id));
  const kept = new Map<string, ReleaseRecord>();
  for (const record of older.toReversed()) {
    if (now.getTime() - Date.parse(record.at) > keep.seconds * 1000) continue;
    const slot = slotOf(record.at, now.getTime());
    const first = kept.get(slot);
    if (first === undefined || (bases.has(record.id) && !bases.has(first.id))) kept.set(slot, record);
  }
  const chosen = new Set([...older.slice(0, NEWEST - 1), ...kept.values()]);
  return older.filter((record) => chosen.has(record));
}
