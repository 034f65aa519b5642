/** Findings of the checks of `vitrine doctor`: a sentence each, and what to do about it. */
import { CLOCK } from "../base/clock.ts";

/** `note`: it is fine, and worth knowing. `warning`: a build works, but look at it. `problem`: something must be done. */
export type Level = "ok" | "note" | "warning" | "problem";

export interface Found {
  readonly level: Level;
  readonly what: string;
  /** What to do; "" if nothing. */
  readonly next: string;
}

export interface Finding extends Found {
  /** Name of the check. */
  readonly check: string;
}

export const ok = (what: string): Found => ({ level: "ok", what, next: "" });
export const note = (what: string): Found => ({ level: "note", what, next: "" });
export const warning = (what: string, next: string): Found => ({ level: "warning", what, next });
export const problem = (what: string, next: string): Found => ({ level: "problem", what, next });

/** A sale may begin so much too early or too late. */
const FINE_SECONDS = 5;

interface Reading {
  /** Our clock before the question and after the answer, and theirs between: milliseconds since 1970. */
  readonly before: number;
  readonly theirs: number;
  readonly after: number;
}

export async function readClock(ask: () => Promise<number>): Promise<Reading> {
  const before = CLOCK.now().getTime();
  return { before, theirs: await ask(), after: CLOCK.now().getTime() };
}

/** Compares another machine's clock with ours. @param mostSeconds from here on it is a problem, not a warning */
export function judgeClock(whose: string, { before, theirs, after }: Reading, mostSeconds = Infinity): Found {
  const apart = theirs < before ? before - theirs : Math.max(0, theirs - after);
  const seconds = Math.floor(apart / 1000);
  if (seconds <= FINE_SECONDS) return ok(`${whose} and this machine's agree`);
  const what = `${whose} is ${seconds} s ${theirs < before ? "behind" : "ahead of"} this machine`;
  const next = "Set both clocks by NTP: sales begin and end by them.";
  return seconds < mostSeconds ? warning(what, next) : problem(what, next);
}
