/** How far another machine's clock is from ours. */
import { type Found, ok, problem, warning } from "./finding.ts";

/** What a sale may begin too early or too late, and nobody minds. */
const FINE_SECONDS = 5;
/** From here on, stores that speak S3 refuse what was signed by our clock. */
export const REFUSED_SECONDS = 15 * 60;

export interface Reading {
  /** Our clock when we asked and when we were told, and theirs between: milliseconds since 1970. */
  readonly before: number;
  readonly theirs: number;
  readonly after: number;
}

export async function readClock(ask: () => Promise<number>): Promise<Reading> {
  const before = Date.now();
  const theirs = await ask();
  return { before, theirs, after: Date.now() };
}

/** @param mostSeconds from here on it is no warning */
export function judgeClock(whose: string, { before, theirs, after }: Reading, mostSeconds = Infinity): Found {
  const apart = theirs < before ? before - theirs : Math.max(0, theirs - after);
  const seconds = Math.floor(apart / 1000);
  if (seconds <= FINE_SECONDS) return ok(`${whose} and this machine tell the same time`);
  const what = `${whose} is ${seconds} s ${theirs < before ? "behind" : "ahead of"} this machine`;
  const next = "Let both machines set their clocks by NTP: by them sales begin and end.";
  return seconds < mostSeconds ? warning(what, next) : problem(what, next);
}
