/** Waiting for what another process holds: tries again and again, says who holds it, and ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { VitrineError } from "./error.ts";
import { type LogOption, SILENT } from "./log.ts";

/** Longer than the lock of a publisher that died counts. */
export const WAIT_SECONDS = 120;
/** Most waits are over before anybody asks why. */
const QUIET_SECONDS = 2;

export interface Waiting extends LogOption {
  /** How long a lock that another holds is waited for; 0: not at all. Default: 120. */
  readonly waitSeconds?: number | undefined;
  /** Ends the wait once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

function isBusy(error: unknown): error is VitrineError {
  return error instanceof VitrineError && (error.code === "out_busy" || error.code === "publisher_busy");
}

/**
 * Runs `work` until it is not refused because another is at work. Pauses are of random length, so that those who wait do not come
 * back together. `work` is refused by an error that says who is at work, in a sentence.
 * @throws what `work` throws; VitrineError out_busy, publisher_busy once the time is over
 */
export async function whenFree<Result>(
  work: () => Result | Promise<Result>,
  { waitSeconds = WAIT_SECONDS, signal, log = SILENT }: Waiting,
  mostPauseMilliseconds: number,
): Promise<Result> {
  const started = performance.now();
  let isSaid = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = (performance.now() - started) / 1000;
      if (signal?.aborted === true) throw error;
      if (waited >= waitSeconds) throw inVain(error, waitSeconds);
      if (waited >= QUIET_SECONDS && !isSaid) {
        isSaid = true;
        log.info(`waiting for up to ${waitSeconds} s: ${error.message}`);
      }
    }
    await sleep(Math.random() * mostPauseMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

function inVain(error: VitrineError, waitSeconds: number): VitrineError {
  const waited = waitSeconds === 0 ? "" : ` Waited ${waitSeconds} s in vain.`;
  const message = `${error.message}${waited} Run the command again later, or let it wait longer with --wait SECONDS.`;
  return new VitrineError(error.code, message, { cause: error });
}
