/** What a repair remembers while it works. */

/** What was read at a place and was right. It is not read again: what is put there since is put by a publish, which checks it. */
export interface Seen {
  /** Names of objects. */
  readonly objects: Set<string>;
  /** ETags of answers, by key. */
  readonly answers: Map<string, string>;
}

export function createSeen(): Seen {
  return { objects: new Set(), answers: new Map() };
}
