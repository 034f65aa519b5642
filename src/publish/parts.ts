/** What releases are made of: a base, whole, and the deltas since. Which are needed, and when it is time for a new base. Pure. */
import { VitrineError } from "../base/error.ts";
import { digestInId, type Part, type Pointer } from "./documents.ts";

/** Deltas on one base; more of them would be more requests for whoever begins to follow than they save. */
const MOST_DELTAS = 50;
/** Deltas of more than this share of their base's bytes make a new base. */
const MOST_SHARE = 0.25;

/** What a release is made of, its base first. @throws VitrineError remote_failed where the pointer does not say */
export function chainOf(parts: readonly Part[], release: string): readonly Part[] {
  const upTo = parts.slice(0, parts.findIndex(({ id }) => id === release) + 1);
  const base = upTo.findLastIndex(({ kind }) => kind === "base");
  if (base >= 0) return upTo.slice(base);
  throw new VitrineError(
    "remote_failed",
    `The pointer does not say what release ${release} is made of. Publish again.`,
  );
}

/** A kept release: what it is made of, and the digest of its catalog. */
export function catalogOf(
  { parts, releases }: Pointer,
  release: string,
): { readonly chain: readonly Part[]; readonly digest: string } {
  const digest = releases.find(({ id }) => id === release)?.catalogDigest ?? digestInId(release);
  return { chain: chainOf(parts, release), digest };
}

/** True where a release of this chain may be followed by a delta of so many bytes. */
export function takesDelta([base, ...deltas]: readonly Part[], sizeBytes: number): boolean {
  const weight = deltas.reduce((sum, delta) => sum + delta.sizeBytes, sizeBytes);
  return base !== undefined && deltas.length < MOST_DELTAS && weight <= base.sizeBytes * MOST_SHARE;
}

/** Parts of which the kept releases are made, oldest first. */
export function partsOf(parts: readonly Part[], kept: readonly string[]): readonly Part[] {
  const needed = new Set<Part>();
  for (const id of kept) for (const part of chainOf(parts, id)) needed.add(part);
  return parts.filter((part) => needed.has(part));
}
