/** What benchmarks measure of processes: wall time, peak memory as Linux counts it, processor time, and what they print. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

/** A new folder: in memory, where the machine has files there and TMPDIR names no other place. */
export function benchFolder(): string {
  const isNamed = process.env["TMPDIR"] !== undefined;
  return mkdtempSync(join(!isNamed && existsSync(MEMORY) ? MEMORY : tmpdir(), "vitrine-bench-"));
}

export interface Ran {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const PEAK_MILLISECONDS = 50;

/** The most memory that a process has had so far; 0 where that is not known. */
export function peakBytesOf(pid: number | undefined): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0; // At its end, or no Linux.
  }
}

/** A process from start to end. @throws where it ends with anything but 0 */
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
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    const timer = setInterval(() => {
      peakBytes = Math.max(peakBytes, peakBytesOf(child.pid));
    }, PEAK_MILLISECONDS);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      if (code === 0) resolve({ seconds, peakBytes, stdout: Buffer.concat(stdout).toString() });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

export interface Used extends Ran {
  /** User's and system's, of all threads. */
  readonly processorSeconds: number;
}

/** A program's first module, which has it write what the kernel counted of it to a file at its end; any Node from 20 on runs it. */
function usageTo(file: string): string {
  const script = `import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
const write = () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.resourceUsage()));
if (isMainThread) process.on("exit", write);`;
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

/**
 * A program of Node from start to end, with all the time and memory that it took.
 * @param usageFile is written and removed
 * @throws where it ends with anything but 0
 */
export async function runNode(
  node: string,
  args: readonly string[],
  usageFile: string,
  surroundings: Surroundings = {},
): Promise<Used> {
  const ran = await runProcess(node, ["--import", usageTo(usageFile), ...args], surroundings);
  const used = JSON.parse(readFileSync(usageFile, "utf8")) as NodeJS.ResourceUsage;
  rmSync(usageFile);
  return {
    ...ran,
    peakBytes: used.maxRSS * 1024,
    processorSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
