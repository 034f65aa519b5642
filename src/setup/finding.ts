/** What a check of `vitrine doctor` finds: a sentence each, and what to do about it. */

/** `warning`: a build works; something there is worth a look. `problem`: something must be done. */
export type Level = "ok" | "warning" | "problem";

export interface Found {
  readonly level: Level;
  readonly what: string;
  /** What to do; "" where all is well. */
  readonly next: string;
}

export interface Finding extends Found {
  /** Name of the check. */
  readonly check: string;
}

export const ok = (what: string): Found => ({ level: "ok", what, next: "" });
export const warning = (what: string, next: string): Found => ({ level: "warning", what, next });
export const problem = (what: string, next: string): Found => ({ level: "problem", what, next });

/** What a sale may begin too early or too late, and nobody minds. */
const FINE_SECONDS = 5;

interface Reading {
  /** Our clock when we asked and when we were told, and theirs between: milliseconds since 1970. */
  readonly before: number;
  readonly theirs: number;
  readonly after: number;
}

export async function readClock(ask: () => Promise<number>): Promise<Reading> {
  const before = Date.now();
  return { before, theirs: await ask(), after: Date.now() };
}

/** How far another machine's clock is from ours. @param mostSeconds from here on it is no warning */
export function judgeClock(whose: string, { before, theirs, after }: Reading, mostSeconds = Infinity): Found {
  const apart = theirs < before ? before - theirs : Math.max(0, theirs - after);
  const seconds = Math.floor(apart / 1000);
  if (seconds <= FINE_SECONDS) return ok(`${whose} and this machine tell the same time`);
  const what = `${whose} is ${seconds} s ${theirs < before ? "behind" : "ahead of"} this machine`;
  const next = "Let both machines set their clocks by NTP: by them sales begin and end.";
  return seconds < mostSeconds ? warning(what, next) : problem(what, next);
}
