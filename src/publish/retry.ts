/** Repeating what failed for a while, and working on many things at once, as many as the store bears. */
import { setTimeout as sleep } from "node:timers/promises";

export interface RetryPolicy {
  readonly attempts: number;
  /** The first pause is up to this long; each next one up to twice the last. */
  readonly baseMilliseconds: number;
  readonly maxMilliseconds: number;
  /** A call that has not moved for so long has failed. */
  readonly callMilliseconds: number;
  /** No attempt begins so long after the first failure. */
  readonly budgetMilliseconds: number;
}

/** A call's time is a third of the standard lease: a renewal that hangs is tried again before the lease is lost. */
export const STANDARD_RETRIES: RetryPolicy = {
  attempts: 8,
  baseMilliseconds: 100,
  maxMilliseconds: 20_000,
  callMilliseconds: 20_000,
  budgetMilliseconds: 120_000,
};

export type Pauses = Pick<RetryPolicy, "baseMilliseconds" | "maxMilliseconds">;

/** Full jitter: many publishers that were refused together do not come back together. */
export async function pause(policy: Pauses, attempt: number): Promise<void> {
  const most = Math.min(policy.maxMilliseconds, policy.baseMilliseconds * 2 ** attempt);
  await sleep(Math.random() * most);
}

export interface Attempts {
  /**
   * Called after a failure. False: the attempts or their time are used up. True: it is time for the next one, after a
   * pause; `waitMilliseconds` where the other side says for how long.
   */
  again(waitMilliseconds?: number): Promise<boolean>;
}

export function createAttempts(policy: RetryPolicy): Attempts {
  let failures = 0;
  let firstFailure = 0;
  return {
    async again(waitMilliseconds) {
      const now = performance.now();
      if (failures === 0) firstFailure = now;
      failures += 1;
      if (failures >= policy.attempts || now - firstFailure >= policy.budgetMilliseconds) return false;
      if (waitMilliseconds === undefined) await pause(policy, failures - 1);
      else await sleep(waitMilliseconds);
      return true;
    },
  };
}

/** Runs until it succeeds, fails for good, or the attempts are used up. */
export async function withRetries<Result>(
  policy: RetryPolicy,
  isTransient: (error: unknown) => boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const attempts = createAttempts(policy);
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || !(await attempts.again())) throw error;
    }
  }
}

export interface Concurrency {
  readonly now: number;
  /** The store is too busy: half as many. Several responses to one burst count once. */
  slower(): void;
  /** One more request went well. */
  succeeded(): void;
}

/** Additive increase, multiplicative decrease, as TCP does it. */
export function createConcurrency(most: number): Concurrency {
  let limit = Math.min(most, 32);
  let successes = 0;
  let slowedAt = 0;
  return {
    get now() {
      return limit;
    },
    slower() {
      const now = performance.now();
      if (now - slowedAt < 250) return;
      slowedAt = now;
      successes = 0;
      limit = Math.max(1, Math.floor(limit / 2));
    },
    succeeded() {
      successes += 1;
      if (successes < limit || limit >= most) return;
      successes = 0;
      limit += 1;
    },
  };
}

/**
 * Works through a sequence with as many at once as `concurrency` says at the time. The first error stops it; what is
 * under way is waited for: nothing of ours reaches the store after this returns.
 */
export async function forEachAdaptive<Item>(
  items: Iterable<Item>,
  concurrency: { readonly now: number },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let running = 0;
  let more = true;
  const failures: unknown[] = [];
  // No race of promises: each would hold on to all the others, thousands of times.
  await new Promise<void>((resolve) => {
    const fail = (error: unknown) => {
      failures.push(error);
      if (more) iterator.return?.();
      more = false;
    };
    const begin = () => {
      try {
        const next = iterator.next();
        if (next.done) more = false;
        else {
          const task = work(next.value);
          running += 1;
          task.catch(fail).finally(end);
        }
      } catch (error) {
        fail(error);
      }
    };
    const end = () => {
      running -= 1;
      fill();
    };
    const fill = () => {
      while (more && running < concurrency.now) begin();
      if (running === 0) resolve();
    };
    fill();
  });
  if (failures.length > 0) throw failures[0];
}
