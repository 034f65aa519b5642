/**
 * Keeps the listening socket of a fallback, and a process that answers on it: another one where that ends by itself, and
 * another one first where SIGHUP asks for it. The socket stays, so whoever connects meanwhile waits a moment and is answered.
 */
import { type ChildProcess, spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { VitrineError } from "../base/error.ts";
import { FEW_ARENAS } from "./malloc.ts";
import type { Address } from "./metrics.ts";

/** Where a process finds the sockets that it has been given: `{"url": …, "sockets": [4, 5], "metrics": 6}`. */
const GIVEN = "VITRINE_SOCKETS";

export interface GivenSockets {
  readonly url: string;
  readonly sockets: readonly number[];
  readonly metrics: number | null;
}

/** What a supervisor gave to this process; null where there is none. */
export function givenSockets(): GivenSockets | null {
  const text = process.env[GIVEN];
  return text === undefined ? null : (JSON.parse(text) as GivenSockets);
}

/** A bound socket as Node's own cluster has it: nobody listens on it in this process. */
interface BoundSocket {
  readonly fd: number;
  getsockname(out: { port?: number }): number;
}

/** Node has no other way to bind a socket without accepting on it; node:cluster uses this one. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle(host: string, port: number, family: 4 | 6, descriptor: -1): BoundSocket | number;
};

/** @throws VitrineError usage */
function bind({ host, port }: Address, option: string): { socket: BoundSocket; url: string } {
  const isLong = net.isIPv6(host);
  const bound = createHandle(host === "localhost" ? "127.0.0.1" : host, port, isLong ? 6 : 4, -1);
  if (typeof bound === "number")
    throw new VitrineError("usage", `Cannot listen on ${host}:${port}. Choose another with ${option}.`);
  const name: { port?: number } = {};
  bound.getsockname(name);
  return { socket: bound, url: `http://${isLong ? `[${host}]` : host}:${name.port ?? port}` };
}

export interface SuperviseOptions {
  readonly address: Address;
  readonly metrics: Address | undefined;
  readonly workers: number;
  readonly log: (message: string) => void;
}

/** How long a process that ended by itself is waited for before another one follows. */
const PAUSE_MILLISECONDS = 1000;
/** Descriptors 0 to 2 are a process's own, 3 is the channel to it. */
const FIRST_DESCRIPTOR = 4;

/** The thread that follows makes much that lives for a moment only; V8 would let it take some 50 MB. */
const YOUNG = "--max-semi-space-size=4";

interface Answerer {
  readonly child: ChildProcess;
  /** Resolves to true when it listens, to false where it ended before. */
  readonly listens: Promise<boolean>;
  readonly ended: Promise<number>;
}

class Supervisor {
  readonly #start: () => Answerer;
  readonly #log: (message: string) => void;
  #current: Answerer;
  #isStopping = false;
  #renewing = Promise.resolve();

  constructor(start: () => Answerer, log: (message: string) => void) {
    this.#start = start;
    this.#log = log;
    this.#current = start();
  }

  /** Starts another one; when it listens, the present one drains. */
  renew(): void {
    this.#renewing = this.#renewing.then(async () => {
      if (this.#isStopping) return;
      this.#log("starting anew");
      const next = this.#start();
      if (await next.listens) {
        const former = this.#current;
        this.#current = next;
        former.child.kill("SIGTERM");
        await former.ended;
        this.#log("started anew");
      } else this.#log("the new process ended before it listened; the present one goes on");
    });
  }

  stop(): void {
    this.#isStopping = true;
    this.#current.child.kill("SIGTERM");
  }

  /** Resolves with an exit code: that of a start that failed, or of a stop. */
  async run(): Promise<number> {
    if (!(await this.#current.listens)) return this.#current.ended;
    for (;;) {
      const watched = this.#current;
      const code = await watched.ended;
      if (this.#isStopping) return code;
      if (watched !== this.#current) continue;
      this.#log(`the process that answers ended with ${code}; another one follows`);
      await sleep(PAUSE_MILLISECONDS);
      if (this.#isStopping) return 0;
      if (watched === this.#current) this.#current = this.#start();
    }
  }
}

function startAnswerer(given: GivenSockets, descriptors: readonly number[]): Answerer {
  const child = spawn(process.execPath, [...process.execArgv, YOUNG, ...process.argv.slice(1)], {
    stdio: ["ignore", "inherit", "inherit", "ipc", ...descriptors],
    env: { ...FEW_ARENAS, ...process.env, [GIVEN]: JSON.stringify(given) },
  });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  const said = new Promise<boolean>((resolve) => child.once("message", () => resolve(true)));
  return { child, ended, listens: Promise.race([said, ended.then(() => false)]) };
}

/** Runs until it is told to stop; sets the exit code. @throws VitrineError usage */
export async function supervise({ address, metrics, workers, log }: SuperviseOptions): Promise<void> {
  const { socket, url } = bind(address, "--port or --host");
  const scraped = metrics === undefined ? null : bind(metrics, "--metrics");
  const sockets = Array.from({ length: workers }, (_, at) => FIRST_DESCRIPTOR + at);
  const given = { url, sockets, metrics: scraped === null ? null : FIRST_DESCRIPTOR + workers };
  const descriptors = [...sockets.map(() => socket.fd), ...(scraped === null ? [] : [scraped.socket.fd])];
  const supervisor = new Supervisor(() => startAnswerer(given, descriptors), log);
  process.on("SIGHUP", () => supervisor.renew());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => supervisor.stop());
  process.exitCode = await supervisor.run();
  process.removeAllListeners("SIGHUP");
}
