/**
 * Files that pages name by a digest, after no page names them any more: caches and browsers may still show a page that does. They
 * stay at the place until the page's lifetime is over; the pointer remembers them until they are deleted. Pure.
 */
import type { CacheSettings } from "../api/responses.ts";
import { MOST_RETIRED, NAMED_BY_DIGEST, type Pointer, type Retired } from "./documents.ts";

const NAMED = new RegExp(NAMED_BY_DIGEST);

export function isNamedByDigest(key: string): boolean {
  return NAMED.test(key);
}

export interface RetirePlan {
  /** For the next pointer. */
  readonly retired: readonly Retired[];
  /** Keys whose time is over: no cache has a page that names them. */
  readonly due: readonly string[];
}

/** How long a page with these settings can be shown: a shared cache keeps it, then serves it while its origin fails, then a browser. */
function lifetimeSeconds({ maxAgeSeconds, sharedMaxAgeSeconds, staleIfErrorSeconds }: CacheSettings): number {
  return maxAgeSeconds + sharedMaxAgeSeconds + staleIfErrorSeconds;
}

/**
 * `gone`: keys named by a digest that the next release does not have. `cache`: of the live release, whose pages name them. `now`: by
 * the place's clock. `isNext`: true for a key of the next release.
 */
export function planRetired(
  { retired = [] }: Partial<Pick<Pointer, "retired">>,
  next: {
    readonly gone: readonly string[];
    readonly isNext: (key: string) => boolean;
    readonly cache: CacheSettings;
    readonly now: number;
  },
): RetirePlan {
  const until = new Date(next.now + 1000 * lifetimeSeconds(next.cache)).toISOString();
  const gone = new Set(next.gone);
  const before = retired.filter(({ key }) => !gone.has(key) && !next.isNext(key));
  const isDue = (each: Retired) => Date.parse(each.until) <= next.now;
  const all = [...next.gone.map((key) => ({ key, until })), ...before.filter((each) => !isDue(each))];
  const due = [...before.filter(isDue), ...all.slice(MOST_RETIRED)];
  return { retired: all.slice(0, MOST_RETIRED), due: due.map(({ key }) => key) };
}
