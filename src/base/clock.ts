/**
 * Time, as two clocks. No other file asks the machine for the time: what waits, or judges an age, takes a `Clock` beside its log, with
 * the machine's as default, so that a test needs no waiting. Runs in every JavaScript engine.
 */

export interface Clock {
  /**
   * Milliseconds since some moment, by a clock that cannot be set and never goes back: for durations, deadlines, pauses, and ages
   * of what this process has seen. Other processes have another beginning.
   */
  elapsed(): number;
  /**
   * The moment, by a clock that people and NTP set forward and back: for what is shown, stored or compared with a date of the shop or of
   * another machine. An age of what another process stored has to use it: then bound it in both directions.
   */
  now(): Date;
  /**
   * Resolves once this many milliseconds have passed by `elapsed`, never earlier, and not before the event loop's next turn.
   * @param isBackground the process may end meanwhile
   * @throws the signal's reason as soon as it is aborted
   */
  sleep(milliseconds: number, signal?: AbortSignal, isBackground?: boolean): Promise<void>;
}

export interface ClockOption {
  /** Default: the machine's clocks. */
  readonly clock?: Clock | undefined;
}

/** A timer for longer would end at once (HTML, "timer initialization steps"; the same in Node). */
const MOST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** One timer, which may end a little early. */
function timer(milliseconds: number, signal?: AbortSignal, isBackground = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(started);
      reject(signal?.reason);
    };
    const started = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(MOST_TIMER_MILLISECONDS, Math.max(0, Math.ceil(milliseconds || 0))),
    );
    if (isBackground) started.unref?.();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The machine's clocks. */
export const CLOCK: Clock = {
  elapsed: () => performance.now(),
  now: () => new Date(),
  async sleep(milliseconds, signal, isBackground) {
    signal?.throwIfAborted();
    const end = performance.now() + milliseconds;
    let left = milliseconds;
    do {
      await timer(left, signal, isBackground);
      left = end - performance.now();
    } while (left > 0);
  },
};

/** The seconds since a moment of `elapsed`. */
export function secondsSince(start: number, clock: Clock = CLOCK): number {
  return (clock.elapsed() - start) / 1000;
}

/** The work's result, or another value once the time is over; the work itself is not ended. */
export async function within<Value, Late>(
  milliseconds: number,
  work: Promise<Value>,
  late: () => Late,
  { clock = CLOCK, isBackground = false }: ClockOption & { readonly isBackground?: boolean } = {},
): Promise<Value | Late> {
  const done = new AbortController();
  // Its rejection means that the work came first.
  const timeIsOver = clock.sleep(milliseconds, done.signal, isBackground).then(late);
  timeIsOver.catch(() => undefined);
  try {
    return await Promise.race([work, timeIsOver]);
  } finally {
    done.abort();
  }
}

/**
 * The work's result, or null once the signal is aborted; the work itself is not ended. Nothing of it stays at the signal: a promise that
 * waits for the abort, shared by many races, would keep the result of each for as long as it waits.
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  const aborted = Promise.withResolvers<null>();
  const abort = () => aborted.resolve(null);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Works after each pause until the returned function is called. The process may end meanwhile. */
export function every(milliseconds: number, work: () => void, clock: Clock = CLOCK): () => void {
  const end = new AbortController();
  const run = async () => {
    while (!end.signal.aborted) {
      await clock.sleep(milliseconds, end.signal, true).then(work, () => undefined);
    }
  };
  void run();
  return () => end.abort();
}
