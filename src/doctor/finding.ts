/** What a check finds: a sentence each, and what to do about it. */

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

export function ok(what: string): Found {
  return { level: "ok", what, next: "" };
}

export function warning(what: string, next: string): Found {
  return { level: "warning", what, next };
}

export function problem(what: string, next: string): Found {
  return { level: "problem", what, next };
}
