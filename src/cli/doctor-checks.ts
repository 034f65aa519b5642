/**
 * Runs checks in a process beside this one. What waits for a disk or a database may not be ended otherwise: where a check takes
 * too long its process is, and the next check gets another.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Finding } from "../doctor/finding.ts";
import { CHECK_NAMES, type DoctorOptions } from "../doctor.ts";
import { startedModule } from "../package.ts";
import { onInterrupt } from "./interrupt.ts";

export interface CheckOrder {
  readonly name: string;
  readonly options: DoctorOptions;
}

/** A process says this once it can be given orders: its start is not a check's time. */
export const READY = "ready";

const START_SECONDS = 60;

function start(): ChildProcess {
  return fork(startedModule("cli/doctor-process"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** The next message of a process; a text where there is none: why. */
async function messageOf(child: ChildProcess, seconds: number): Promise<readonly Finding[] | string> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const silence = sleep(seconds * 1000, `No answer within ${seconds} s`, { signal });
  const ended = once(child, "exit", { signal }).then(() => "The process of this check has ended");
  const message = once(child, "message", { signal }).then(([value]) => value as Finding[] | typeof READY);
  try {
    return await Promise.race([message, silence, ended]);
  } finally {
    waiting.abort();
    await Promise.allSettled([message, silence, ended]);
  }
}

/** A process for checks, started where none is ready, and ended with a check that does not answer. */
class CheckProcess {
  #child: ChildProcess | null = null;

  async #ready(): Promise<ChildProcess | null> {
    if (this.#child !== null) return this.#child;
    this.#child = start();
    if ((await messageOf(this.#child, START_SECONDS)) !== READY) this.end();
    return this.#child;
  }

  /** What a check found; a text where it does not say: why. */
  async run(order: CheckOrder): Promise<readonly Finding[] | string> {
    const child = await this.#ready();
    if (child === null) return "No process for this check starts";
    child.send(order);
    const findings = await messageOf(child, order.options.timeoutSeconds);
    if (typeof findings === "string") this.end();
    return findings;
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }
}

/** Tells what each check found, as soon as it has. */
export async function runChecks(
  options: DoctorOptions,
  tell: (findings: readonly Finding[]) => void,
): Promise<void> {
  const checks = new CheckProcess();
  const release = onInterrupt(() => checks.end());
  try {
    for (const name of CHECK_NAMES) {
      const found = await checks.run({ name, options });
      const next = "Look what hangs there, or give it more time with --timeout.";
      tell(typeof found === "string" ? [{ check: name, level: "problem", what: found, next }] : found);
    }
  } finally {
    checks.end();
    release();
  }
}
