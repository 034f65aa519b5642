/** Repeating what failed for a while, and working on many things at once, as many as the store bears. */
import { setTimeout as sleep } from "node:timers/promises";

export interface RetryPolicy {
  readonly attempts: number;
  /** The first pause is up to this long; each next one up to twice the last. */
  readonly baseMilliseconds: number;
  readonly maxMilliseconds: number;
}

export const STANDARD_RETRIES: RetryPolicy = { attempts: 8, baseMilliseconds: 100, maxMilliseconds: 20_000 };

/** Full jitter: many publishers that were refused together do not come back together. */
export async function pause(policy: RetryPolicy, attempt: number): Promise<void> {
  const most = Math.min(policy.maxMilliseconds, policy.baseMilliseconds * 2 ** attempt);
  await sleep(Math.random() * most);
}

/** Runs until it succeeds, is not worth repeating, or the attempts are used up. */
export async function withRetries<Result>(
  policy: RetryPolicy,
  isTransient: (error: unknown) => boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt + 1 >= policy.attempts || !isTransient(error)) throw error;
      await pause(policy, attempt);
    }
  }
}

export interface Concurrency {
  readonly now: number;
  /** The store is too busy: half as many. Several answers to one burst count once. */
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

/** Works through a sequence with as many at once as `concurrency` says at the time. The first error stops it. */
export async function forEachAdaptive<Item>(
  items: Iterable<Item>,
  concurrency: { readonly now: number },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  for (const item of items) {
    while (running.size >= concurrency.now) await Promise.race(running);
    if (failure !== undefined) break;
    const task: Promise<void> = work(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(task));
    running.add(task);
  }
  // What is under way is waited for: nothing of ours reaches the store after this returns.
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
