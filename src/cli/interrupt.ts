/** What a command still does when SIGINT or SIGTERM ends it: the exit code is then a shell's, 128 and the signal. */

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
type Duty = () => void | Promise<void>;

const duties = new Set<Duty>();
const signals = Object.keys(EXIT_CODES) as Signal[];

async function end(signal: Signal): Promise<void> {
  // A second signal ends the process at once.
  ignoreSignals();
  try {
    for (const duty of [...duties].reverse()) await duty();
  } finally {
    process.exit(EXIT_CODES[signal]);
  }
}

function ignoreSignals(): void {
  for (const signal of signals) process.removeListener(signal, end);
}

/** Adds what is to be done; the last added is done first. The returned function takes it back. */
export function onInterrupt(duty: Duty): () => void {
  if (duties.size === 0) for (const signal of signals) process.on(signal, end);
  duties.add(duty);
  return () => {
    duties.delete(duty);
    if (duties.size === 0) ignoreSignals();
  };
}

/**
 * Runs work that ends early once its signal is aborted. Where that happens, nothing is said of it and nothing follows: the
 * process ends when the work has.
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const running = work(abort.signal);
  const release = onInterrupt(async () => {
    abort.abort();
    await running.catch(() => "the exit code tells it");
  });
  try {
    return await running;
  } finally {
    if (abort.signal.aborted) await new Promise(() => undefined);
    release();
  }
}

/** Works in a folder that is gone after it, interrupted or not. */
export async function withTemporaryFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { temporaryFolder } = await import("../base/temporary-folder.ts");
  await using folder = await temporaryFolder();
  const release = onInterrupt(() => folder[Symbol.dispose]());
  try {
    return await work(folder.path);
  } finally {
    release();
  }
}
