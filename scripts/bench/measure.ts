/** Measures processes for benchmarks: wall and processor time, peak memory as Linux counts it, and output. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

/** A new folder: in memory, if the machine has such a file system and TMPDIR does not name another place. */
export function benchFolder(): string {
  const isNamed = process.env["TMPDIR"] !== undefined;
  return mkdtempSync(join(!isNamed && existsSync(MEMORY) ? MEMORY : tmpdir(), "vitrine-bench-"));
}

export interface Ran {
  readonly seconds: number;
  /** Of the processor, without the last 50 ms. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const PEAK_MILLISECONDS = 50;

/** Peak memory of a process so far; 0 if unknown. */
export function peakBytesOf(pid: number | undefined): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0; // The process has ended, or this is not Linux.
  }
}

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** Processor time of a process so far, of all its threads; 0 if unknown. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    // The name before `)` may have blanks: utime and stime are the 12th and 13th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0; // The process has ended, or this is not Linux.
  }
}

/** Runs a process from start to end. @throws if its exit code is not 0 */
export function runProcess(
  command: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ran> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...surroundings, stdio: ["ignore", "pipe", "inherit"] });
    const stdout: Buffer[] = [];
    let peakBytes = 0;
    let cpuSeconds = 0;
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    const timer = setInterval(() => {
      peakBytes = Math.max(peakBytes, peakBytesOf(child.pid));
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child.pid));
    }, PEAK_MILLISECONDS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      if (code === 0) resolve({ seconds, cpuSeconds, peakBytes, stdout: Buffer.concat(stdout).toString() });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
