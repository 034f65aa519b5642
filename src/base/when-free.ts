/** Waiting for a lock of another process: retries, reports who holds it, and gives up after a time. */
import { CLOCK, type ClockOption, secondsSince } from "./clock.ts";
import { VitrineError } from "./error.ts";
import { type LogOption, SILENT } from "./log.ts";

/** Longer than a dead publisher's lock is valid. */
export const WAIT_SECONDS = 120;
/** Most waits are shorter: they are not reported. */
const QUIET_SECONDS = 2;

export interface Waiting extends LogOption, ClockOption {
  /** How long to wait for another's lock; 0: not at all. Default: 120. */
  readonly waitSeconds?: number | undefined;
  /** Ends the wait once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

function isBusy(error: unknown): error is VitrineError {
  return error instanceof VitrineError && (error.code === "out_busy" || error.code === "publisher_busy");
}

/**
 * Runs `work` again until no other process's lock refuses it. Pauses are of random length, so that waiting processes do not
 * return together. The refusing error must say in a sentence who is at work.
 */
export async function whenFree<Result>(
  work: () => Result | Promise<Result>,
  { waitSeconds = WAIT_SECONDS, signal, log = SILENT, clock = CLOCK }: Waiting,
  maxPauseMilliseconds: number,
): Promise<Result> {
  const started = clock.elapsed();
  let isReported = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = secondsSince(started, clock);
      if (signal?.aborted === true) throw error;
      if (waited >= waitSeconds) throw timedOut(error, waitSeconds);
      if (waited >= QUIET_SECONDS && !isReported) {
        isReported = true;
        log.info(`waiting for up to ${waitSeconds} s: ${error.message}`);
      }
    }
    // An abort ends the pause, and the next try is the last one.
    await clock.sleep(Math.random() * maxPauseMilliseconds, signal).catch(() => undefined);
  }
}

function timedOut(error: VitrineError, waitSeconds: number): VitrineError {
  const waited = waitSeconds === 0 ? "" : ` Gave up after ${waitSeconds} s.`;
  const message = `${error.message}${waited} Run the command again later, or let it wait longer with --wait SECONDS.`;
  return new VitrineError(error.code, message, { cause: error });
}
