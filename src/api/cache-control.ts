/** How long who may keep which answer, as a header says it. */
import type { PublicConfig } from "./config.ts";

export interface CacheControl {
  readonly answer: string;
  readonly clientError: string;
  readonly failure: string;
}

const cacheControls = new WeakMap<PublicConfig, CacheControl>();

/** The values of Cache-Control: one of answers, one of 4xx, one of 429 and 5xx. */
export function cacheControl(config: PublicConfig): CacheControl {
  const known = cacheControls.get(config);
  if (known !== undefined) return known;
  const { maxAgeSeconds, sharedMaxAgeSeconds, staleIfErrorSeconds, errorMaxAgeSeconds } = config.cache;
  const made = {
    answer: `public, max-age=${maxAgeSeconds}, s-maxage=${sharedMaxAgeSeconds}, stale-if-error=${staleIfErrorSeconds}`,
    clientError: `public, max-age=${errorMaxAgeSeconds}`,
    failure: "no-store",
  };
  cacheControls.set(config, made);
  return made;
}
