/** How a command ends by SIGINT (Ctrl-C) or SIGTERM (systemd, cron, Docker). */
import { constants } from "node:os";
import { CLOCK } from "../base/clock.ts";
import type { Changing } from "../publish/options.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
type StopSignal = (typeof SIGNALS)[number];

/**
 * Programs that start others (concurrently, npm-run-all) pass on the Ctrl-C that the terminal has sent to all of them: a second signal
 * within this time is the same.
 */
const SAME_MILLISECONDS = 500;

/** Calls `stop` at the first signal. The next one ends the process at once. */
function onceStopped(stop: (signal: StopSignal) => void): Disposable {
  let isStopped = false;
  const hear = (signal: StopSignal) => {
    if (isStopped) return;
    isStopped = true;
    void CLOCK.sleep(SAME_MILLISECONDS, undefined, true).then(forget);
    stop(signal);
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, hear);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return { [Symbol.dispose]: forget };
}

/** Resolves at the first signal: for a command that then ends by itself. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => void onceStopped(() => resolve()));
}

/** Ends the process as the signal would have ended it. */
function endBy(signal: StopSignal): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The kernel ignores it for the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

const LEFT: Readonly<Record<Changing, string>> = {
  answers: "a part of its files may be live",
  deletions: "the release is live, but files that are gone may still be there, and caches not purged",
};

/**
 * Says what a signal leaves of a publish, and ends the process. Only while files are changed, which waits for others: a listener keeps the
 * system from ending the process, and runs between two steps. To read a store, or to plan a publish, has steps of many seconds.
 */
export function sayWhenStopped(changing: Changing): Disposable {
  return onceStopped((signal) => {
    process.stderr.write(
      `\nstopped by ${signal}: ${LEFT[changing]}; run the same command again, which finishes it\n`,
    );
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
