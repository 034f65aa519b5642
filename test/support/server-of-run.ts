/**
 * Database servers for tests: one of a kind for a whole run of vitest, started by the first test file that wants it and
 * ended by the global teardown. They listen only on the loopback, with separate data folders, and sync nothing to disk.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { runFolder } from "./once.ts";

const START_SECONDS = 120;
const STOP_SECONDS = 20;

export interface ServerKind {
  /** Of its folder. */
  readonly name: string;
  /** The package's own user: the servers refuse to run as root. */
  readonly user: string;
  /** Fills a folder, which the user owns. */
  prepare(folder: string, as: RunAs): void;
  /** Its program, with its arguments. */
  command(folder: string, port: number): readonly [program: string, ...args: string[]];
  /** Rejects until the server answers. */
  ask(port: number): Promise<void>;
}

interface ServerOfRun {
  readonly port: number;
  /** A certificate of `localhost` that is its own authority; the server has it. */
  readonly certificate: string;
}

/** A new database on such a server, as the shop's software sees it. */
export interface TestDatabase {
  /** As its administrator, who needs no password. */
  readonly address: string;
  readonly port: number;
  readonly name: string;
  readonly certificate: string;
  /** Runs statements, several too; gives the rows of the last one. */
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Another connection, whose statements are its own transaction's. */
  another(): Promise<Pick<TestDatabase, "run" | "close">>;
  /** Removes it. */
  close(): Promise<void>;
}

/** Names databases, because test files run in separate processes. */
let made = 0;

export function nextDatabaseName(): string {
  return `test_${process.pid}_${++made}`;
}

/** Null where a kind's tests can run; else says why not, and fails in CI. */
export function missingServer(isThere: boolean, name: string, aptPackage: string): string | null {
  if (isThere) return null;
  const missing = `${name} is not installed (apt-get install ${aptPackage}): stores in it are not tested`;
  if (process.env["CI"] === "true") throw new Error(missing);
  process.stderr.write(`${missing}\n`);
  return missing;
}

interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** A number of a user of this machine, or of its group. */
export function idOf(user: string, flag: "-u" | "-g"): number {
  return Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim());
}

/** Runs a program that prepares something to its end. */
export function runOnce(program: string, args: readonly string[], as: RunAs = {}): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { ...as, cwd: "/", encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${error ?? stderr}${stdout}`);
}

function makeCertificate(folder: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const [keyFile, file] = [join(folder, "server.key"), join(folder, "server.crt")];
  runOnce("openssl", ["req", "-x509", "-days", "2", ...key, keyFile, "-out", file, ...names]);
}

async function start(kind: ServerKind, folder: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: idOf(kind.user, "-u"), gid: idOf(kind.user, "-g") } : {};
  makeCertificate(folder);
  const owned = [folder, join(folder, "server.key"), join(folder, "server.crt")];
  if (isRoot) for (const path of owned) chownSync(path, as.uid ?? 0, as.gid ?? 0);
  chmodSync(join(folder, "server.key"), 0o600);
  kind.prepare(folder, as);
  const port = await freePort();
  const [program, ...args] = kind.command(folder, port);
  const out = openSync(join(folder, "out"), "a");
  const child = spawn(program, args, { ...as, cwd: folder, detached: true, stdio: ["ignore", out, out] });
  child.unref();
  closeSync(out);
  writeFileSync(join(folder, "pid"), String(child.pid));
  await untilAnswers(kind, child, folder, port);
  writeFileSync(join(folder, "port"), String(port));
}

async function untilAnswers(kind: ServerKind, child: ChildProcess, folder: string, port: number) {
  const deadline = Date.now() + START_SECONDS * 1000;
  for (;;) {
    try {
      return await kind.ask(port);
    } catch (error) {
      const out = readFileSync(join(folder, "out"), "utf8");
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`${kind.name} did not start: ${out}`, { cause: error });
    }
    await sleep(50);
  }
}

/** The run's server of a kind, started at its first use. */
export async function serverOfRun(kind: ServerKind): Promise<ServerOfRun> {
  const run = runFolder(process.ppid);
  const folder = join(run, `server-${kind.name}`);
  mkdirSync(run, { recursive: true });
  let isFirst = true;
  try {
    mkdirSync(folder);
  } catch {
    isFirst = false;
  }
  if (isFirst) await start(kind, folder);
  const deadline = Date.now() + START_SECONDS * 1000;
  while (!existsSync(join(folder, "port"))) {
    if (Date.now() > deadline) throw new Error(`${kind.name} was not started by the test file that began to`);
    await sleep(50);
  }
  return {
    port: Number(readFileSync(join(folder, "port"), "utf8")),
    certificate: join(folder, "server.crt"),
  };
}

/** Ends all servers of a run; their folders are the run's. */
export async function stopServersOfRun(run: number): Promise<void> {
  const folder = runFolder(run);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, "pid");
    if (name.startsWith("server-") && existsSync(file)) await stop(Number(readFileSync(file, "utf8")));
  }
}

/** Ends the servers of the folder "$1" and deletes it, once nobody can write to its input any more. */
const CLEAR = `read _
pids=$(cat "$1"/server-*/pid)
kill -QUIT $pids
for _ in $(seq ${STOP_SECONDS * 10}); do kill -0 $pids || break; sleep 0.1; done
rm -rf "$1"`;

/** Clears up after a run whose process, this one, ends without its teardown, by whatever signal: its end of the pipe closes then. */
export function clearAfterDeath(): void {
  const args = ["-c", CLEAR, "sh", runFolder(process.pid)];
  const child = spawn("sh", args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.unref();
  (child.stdin as Socket).unref();
}

async function stop(pid: number): Promise<void> {
  try {
    process.kill(pid, "SIGQUIT");
    const deadline = Date.now() + STOP_SECONDS * 1000;
    for (; Date.now() < deadline; await sleep(50)) process.kill(pid, 0);
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
