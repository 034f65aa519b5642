/** What is made once for all test files of a run: the first to ask makes it. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const WAIT_MILLISECONDS = 240_000;
const POLL_MILLISECONDS = 20;

/** What it was at first: a test may set another. */
let temporary: string | undefined;

/** One folder for each run: vitest's main process is the parent of its workers. */
export function runFolder(run: number): string {
  temporary ??= tmpdir();
  return join(temporary, `vitrine-run-${run}`);
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MILLISECONDS);
}

/** A folder that `make` fills once per run. All tests read it, no test writes there; it is deleted after the run. */
export function onceARun(name: string, make: (folder: string) => void): string {
  const made = join(runFolder(process.ppid), name);
  if (existsSync(made)) return made;
  const [making, failed] = [`${made}.making`, `${made}.failed`];
  mkdirSync(runFolder(process.ppid), { recursive: true });
  try {
    mkdirSync(making);
  } catch {
    const deadline = performance.now() + WAIT_MILLISECONDS;
    while (!existsSync(made)) {
      if (existsSync(failed)) throw new Error(`Another test file could not make ${name}`);
      if (performance.now() > deadline) throw new Error(`Waited in vain for ${name}`);
      pause();
    }
    return made;
  }
  try {
    make(making);
  } catch (error) {
    writeFileSync(failed, "");
    throw error;
  }
  renameSync(making, made);
  return made;
}
