/** Calls that end in time, are repeated while that may help, and run many at once. */
import { setTimeout as sleep } from "node:timers/promises";
import { retryAfter } from "../base/responses.ts";

export interface RetryPolicy {
  readonly attempts: number;
  /** The first pause is up to this long; each next one up to twice the last. */
  readonly baseMilliseconds: number;
  readonly maxMilliseconds: number;
  /** A call without progress for this long has failed. */
  readonly callMilliseconds: number;
  /** No attempt begins later than this after the first failure. */
  readonly budgetMilliseconds: number;
}

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

interface Attempts {
  /**
   * Called after a failure. False: the attempts or their time are used up. True: the pause is over, try again.
   * `waitMilliseconds`: the pause that the other side asks for, if it does. `isProgress`: the other side does work,
   * so the attempts are counted again from one; the pauses go on growing.
   */
  again(waitMilliseconds?: number, isProgress?: boolean): Promise<boolean>;
}

export function createAttempts(policy: RetryPolicy): Attempts {
  let failures = 0;
  let inVain = 0;
  let firstFailure = 0;
  return {
    async again(waitMilliseconds, isProgress = false) {
      const now = performance.now();
      if (failures === 0) firstFailure = now;
      failures += 1;
      inVain = isProgress ? 0 : inVain + 1;
      if (inVain >= policy.attempts || now - firstFailure >= policy.budgetMilliseconds) return false;
      const most = Math.min(policy.maxMilliseconds, policy.baseMilliseconds * 2 ** (failures - 1));
      // Random, so that publishers that were refused together do not return together.
      await sleep(waitMilliseconds ?? Math.random() * most);
      return true;
    },
  };
}

/** An error worth another try, after the wait that the other side asks for. */
export class Transient extends Error {
  readonly waitMilliseconds: number | undefined;

  constructor(message: string, waitMilliseconds?: number) {
    super(message);
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** The wait that `Retry-After` asks for, at most `mostSeconds`; undefined if it asks for none. */
export function waitOf({ headers }: Response, mostSeconds: number): number | undefined {
  const wait = retryAfter(headers, Date.now());
  return wait > 0 ? Math.min(wait, mostSeconds * 1000) : undefined;
}

/** Runs until the call succeeds, fails for good, or the attempts are used up, which are counted again from one after a failure with progress. */
export async function withRetries<Result>(
  policy: RetryPolicy,
  isTransient: (error: unknown) => boolean,
  run: () => Promise<Result>,
  isProgress: (error: unknown) => boolean = () => false,
): Promise<Result> {
  const attempts = createAttempts(policy);
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const wait = error instanceof Transient ? error.waitMilliseconds : undefined;
      if (!isTransient(error) || !(await attempts.again(wait, isProgress(error)))) throw error;
    }
  }
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
 * Runs a call that must finish within `milliseconds` plus the time that its bytes may take: `sizeBytes` are sent, and `moved`
 * reports progress. It fails in time even if `work` ignores the signal.
 * @throws Error named TimeoutError
 */
export async function withDeadline<Result>(
  milliseconds: number,
  work: (deadline: Deadline) => Promise<Result>,
  sizeBytes = 0,
): Promise<Result> {
  const timeOf = (bytes: number) => (bytes / LEAST_BYTES_PER_SECOND) * 1000;
  const most = milliseconds + timeOf(Math.min(sizeBytes, MOST_UNSEEN_BYTES));
  const abort = new AbortController();
  let ends = performance.now() + most;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const look = () => {
      const left = ends - performance.now();
      if (left > 0) {
        timer = setTimeout(look, left);
        return;
      }
      const seconds = Math.round(most / 100) / 10;
      const error = Object.assign(new Error(`no response, or only a part of it, within ${seconds} s`), {
        name: "TimeoutError",
        code: "ETIMEDOUT",
      });
      reject(error);
      abort.abort(error);
    };
    look();
  });
  const moved = (bytes: number) => {
    ends = Math.min(ends + timeOf(bytes), performance.now() + most);
  };
  try {
    return await Promise.race([work({ signal: abort.signal, moved }), expired]);
  } finally {
    clearTimeout(timer);
  }
}
