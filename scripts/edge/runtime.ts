/** What Cloudflare's runtime costs while a benchmark asks it: processor time, the isolate's heap, the process's memory. */
import { readdirSync, readFileSync } from "node:fs";

/** Seconds of processor time of all threads of a process. */
export function processorSeconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [own] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(own);
  });
  return nanoseconds.reduce((sum, own) => sum + own, 0) / 1e9;
}

/** The runtime that this process started. */
export function runtimeProcess(): number {
  for (const pid of readdirSync("/proc")) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (status.startsWith("Name:\tworkerd") && status.includes(`PPid:\t${process.pid}\n`))
        return Number(pid);
    } catch {
      // Not a process, or one that has ended.
    }
  }
  throw new Error("the runtime was not started");
}

/** The largest memory of a process so far, in bytes. */
export function mostProcessBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

interface HeapUsage {
  readonly usedSize: number;
  /** Memory of buffers and typed arrays. */
  readonly backingStorageSize?: number;
}

/** Looks at the isolate's heap five times a second by the runtime's debugger. It does not collect garbage: that would evict the object. */
export class HeapWatch implements Disposable {
  /** In bytes, with what the next collection would free. */
  most = 0;
  readonly #socket: WebSocket;
  readonly #timer: NodeJS.Timeout;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { result } = JSON.parse(String(data)) as { result?: HeapUsage };
      this.most = Math.max(this.most, (result?.usedSize ?? 0) + (result?.backingStorageSize ?? 0));
    });
    let id = 0;
    this.#timer = setInterval(() => {
      socket.send(JSON.stringify({ id: ++id, method: "Runtime.getHeapUsage" }));
    }, 200);
  }

  static async open(port: number): Promise<HeapWatch> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
      id: string;
      webSocketDebuggerUrl: string;
    }[];
    const target = targets.find(({ id }) => id.includes("user")) ?? targets[0];
    const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
    await new Promise((done, fail) => {
      socket.addEventListener("open", done);
      socket.addEventListener("error", fail);
    });
    return new HeapWatch(socket);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }
}
