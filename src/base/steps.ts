/** Work that may stop between its steps, so that whoever does it can see to others there. */

export type Steps<Result> = Generator<void, Result>;

/** Does all of it now. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
