/** How a command ends by SIGINT (Ctrl-C) or SIGTERM (systemd, cron, Docker). */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
type StopSignal = (typeof SIGNALS)[number];

/** Calls `stop` at the first signal. The next one ends the process at once. */
function onceStopped(stop: (signal: StopSignal) => void): Disposable {
  const first = (signal: StopSignal) => {
    forget();
    stop(signal);
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, first);
  };
  for (const signal of SIGNALS) process.on(signal, first);
  return { [Symbol.dispose]: forget };
}

/** Resolves at the first signal: for a command that then ends by itself. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => void onceStopped(() => resolve()));
}

/** Ends the process as the signal would have ended it. */
function endBy(signal: StopSignal): never {
  process.kill(process.pid, signal);
  // The kernel ignores it for the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

/**
 * Says what a signal leaves undone, and ends the process. Only around work that waits for others: a listener keeps the system from ending
 * the process, and runs between two steps. A reading of the store is one step of many seconds, so a build has none.
 */
export function sayWhenPublishStops({ dryRun }: { readonly dryRun?: true | undefined }): Disposable {
  const left =
    dryRun === true
      ? "nothing was changed"
      : "a part of its files may be live; run the same command again, which finishes it";
  return onceStopped((signal) => {
    process.stderr.write(`\nstopped by ${signal}: ${left}\n`);
    endBy(signal);
  });
}

/** Makes signals end the first process of a container (`docker run … vitrine build`), unless a command listens: the kernel would ignore them. */
export function endFirstProcessBySignals(): void {
  if (process.pid !== 1) return;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) endBy(signal);
    });
}
