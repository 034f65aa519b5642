/** Work that may stop between its steps, so that whoever does it can see to others there. */
import { setImmediate } from "node:timers/promises";

export type Steps<Result> = Generator<void, Result>;

/** Does all of it now. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does all of it, and lets others go first between two steps. @throws the signal's reason once that is aborted */
export async function finishStepsInTurns<Result>(
  steps: Steps<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    steps.return(undefined as never);
  }
}
