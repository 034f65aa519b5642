/** Repeating what failed and may succeed later: how often, after which pauses, and until when. */
import { CLOCK, type ClockOption } from "./clock.ts";

/** `clock`: measures the calls and the pauses between them. */
export interface RetryPolicy extends ClockOption {
  readonly attempts: number;
  /** The first pause is up to this long; each next one up to twice the last. */
  readonly baseMilliseconds: number;
  readonly maxMilliseconds: number;
  /** A call without progress for this long has failed. */
  readonly callMilliseconds: number;
  /** No attempt begins later than this after the first failure. */
  readonly budgetMilliseconds: number;
}

interface Attempts {
  /**
   * Called after a failure. False: the attempts or their time are used up. True: the pause is over, try again.
   * `waitMilliseconds`: the pause that the other side asks for, if it does. `isProgress`: the other side does work,
   * so the attempts are counted again from one; the pauses go on growing.
   */
  again(waitMilliseconds?: number, isProgress?: boolean): Promise<boolean>;
}

/** @param pause waits so many milliseconds; by default, the policy's clock does */
export function createAttempts(
  policy: RetryPolicy,
  pause?: (milliseconds: number) => Promise<void>,
): Attempts {
  const { clock = CLOCK } = policy;
  let failures = 0;
  let inVain = 0;
  let firstFailure = 0;
  return {
    async again(waitMilliseconds, isProgress = false) {
      const now = clock.elapsed();
      if (failures === 0) firstFailure = now;
      failures += 1;
      inVain = isProgress ? 0 : inVain + 1;
      if (inVain >= policy.attempts || now - firstFailure >= policy.budgetMilliseconds) return false;
      const most = Math.min(policy.maxMilliseconds, policy.baseMilliseconds * 2 ** (failures - 1));
      // Random, so that callers that were refused together do not return together.
      const milliseconds = waitMilliseconds ?? Math.random() * most;
      await (pause === undefined ? clock.sleep(milliseconds) : pause(milliseconds));
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

/** The wait that an error's sender asked for; undefined if it asked for none. */
export function waitAskedBy(error: unknown): number | undefined {
  return error instanceof Transient ? error.waitMilliseconds : undefined;
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
      if (!isTransient(error) || !(await attempts.again(waitAskedBy(error), isProgress(error)))) throw error;
    }
  }
}
