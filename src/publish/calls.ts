/** Calls that end in time, and how often which are repeated. */
import { CLOCK, type Clock } from "../base/clock.ts";
import { retryAfter } from "../base/responses.ts";
import type { RetryPolicy } from "../base/retries.ts";

/** A call may take a third of the standard lease, so a hanging renewal is tried again before the lease expires. */
export const STANDARD_RETRIES: RetryPolicy = {
  attempts: 8,
  baseMilliseconds: 100,
  maxMilliseconds: 20_000,
  callMilliseconds: 20_000,
  budgetMilliseconds: 120_000,
};

/** Cloudflare's slowest plan takes five tag purges a minute: a minute's wait must be within it. */
export const PURGE_RETRIES: RetryPolicy = {
  attempts: 10,
  baseMilliseconds: 500,
  maxMilliseconds: 30_000,
  callMilliseconds: 30_000,
  budgetMilliseconds: 900_000,
};

/** The wait that `Retry-After` asks for, at most `mostSeconds`; undefined if it asks for none. */
export function waitOf({ headers }: Response, mostSeconds: number, clock: Clock = CLOCK): number | undefined {
  const wait = retryAfter(headers, clock.now().getTime());
  return wait > 0 ? Math.min(wait, mostSeconds * 1000) : undefined;
}

/** Each moved byte extends a call's deadline at this rate; slower calls are given up. */
const LEAST_BYTES_PER_SECOND = 16 * 1024;
/** This much of what was sent may sit in buffers, where its progress is invisible. */
const MOST_UNSEEN_BYTES = 1024 * 1024;

export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Reports that so many bytes were sent or received. */
  moved(bytes: number): void;
}

/**
 * Runs a call that must finish within the policy's time plus the time that its bytes may take: `sizeBytes` are sent, and `moved`
 * reports progress. It fails in time even if `work` ignores the signal.
 * @throws Error named TimeoutError
 */
export async function withDeadline<Result>(
  { callMilliseconds, clock = CLOCK }: Pick<RetryPolicy, "callMilliseconds" | "clock">,
  work: (deadline: Deadline) => Promise<Result>,
  sizeBytes = 0,
): Promise<Result> {
  const timeOf = (bytes: number) => (bytes / LEAST_BYTES_PER_SECOND) * 1000;
  const most = callMilliseconds + timeOf(Math.min(sizeBytes, MOST_UNSEEN_BYTES));
  const abort = new AbortController();
  const done = new AbortController();
  let ends = clock.elapsed() + most;
  const expire = async (): Promise<never> => {
    for (let left = most; left > 0; left = ends - clock.elapsed()) await clock.sleep(left, done.signal);
    const seconds = Math.round(most / 100) / 10;
    throw Object.assign(new Error(`no response, or only a part of it, within ${seconds} s`), {
      name: "TimeoutError",
      code: "ETIMEDOUT",
    });
  };
  const moved = (bytes: number) => {
    ends = Math.min(ends + timeOf(bytes), clock.elapsed() + most);
  };
  try {
    return await Promise.race([work({ signal: abort.signal, moved }), expire()]);
  } catch (error) {
    abort.abort(error);
    throw error;
  } finally {
    done.abort();
  }
}
