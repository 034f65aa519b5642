/** Tries a reading of the store again that failed because the store moved: a migration, an import, a restart. */
import { CLOCK, type ClockOption } from "../base/clock.ts";
import { messageOf } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { type ServerState, serverState } from "../store/passing.ts";

/** How often a reading is tried. Waiting for a lock has taken up to ten seconds each time. */
const MOST_TRIES: Readonly<Record<ServerState, number>> = { lock: 60, moment: 4, definition: 2, server: 1 };

/** The pause before the second try; it doubles. A lock is waited for in the database. */
const PAUSE_MILLISECONDS = 250;

export interface Trying extends ClockOption {
  readonly log: Log;
  /** Ends the tries. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls `work` until it succeeds, fails for another reason than the store's moving, or has been tried often enough. */
export async function untilStill<Result>(
  { log, signal, clock = CLOCK }: Trying,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const state = serverState(error);
      if (state === null || tries >= MOST_TRIES[state] || signal?.aborted === true) throw error;
      log.progress(() => `trying again: ${messageOf(error)}`);
      if (state === "lock") continue;
      // An abort ends the pause, and the next try is the last one.
      await clock.sleep(PAUSE_MILLISECONDS * 2 ** (tries - 1), signal).catch(() => undefined);
    }
  }
}
