/** What a repair remembers while it works. */

/** What was read at a place and found right. It need not be read again: later changes come from a publish, which checks them. */
export interface Seen {
  /** Names of objects. */
  readonly objects: Set<string>;
  /** ETags of answers, by key. */
  readonly answers: Map<string, string>;
}

export function createSeen(): Seen {
  return { objects: new Set(), answers: new Map() };
}
