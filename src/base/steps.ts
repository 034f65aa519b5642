/** Work that may stop between its steps, so that whoever does it can see to others there. */

export type Steps<Result> = Generator<void, Result>;

/** Does all of it now. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does all of it; between two steps it waits for what `wait` says is to be waited for. */
export async function finishStepsWaiting<Result>(
  steps: Steps<Result>,
  wait: () => Promise<void> | null,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const waiting = wait();
    if (waiting !== null) await waiting;
  }
}
