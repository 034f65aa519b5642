/**
 * A thread beside the one that answers requests. What it makes is asked for part by part, so that between two parts, and
 * while the next is made, requests are answered.
 */
import { setPriority } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { buffersOf } from "../catalog/lists.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { startedModule } from "../package.ts";
import type { CatchUpOrder } from "./catch-up.ts";

export type ThreadOrder =
  | { readonly task: "catch up"; readonly order: CatchUpOrder }
  | { readonly task: "check"; readonly file: string; readonly isBeside: boolean }
  | {
      readonly task: "read";
      readonly file: string;
      readonly isBeside: boolean;
      readonly names: readonly ResourceName[];
      readonly words: boolean;
    };

type Message<Part> = { readonly part: Part } | { readonly done: true };

/** In the thread: makes each part when it is asked for. */
export function handOver(parts: Iterator<unknown>): void {
  parentPort?.on("message", () => {
    const { done, value } = parts.next();
    if (done !== true) {
      parentPort?.postMessage({ part: value }, [...buffersOf(value)]);
      return;
    }
    parentPort?.postMessage({ done });
    parentPort?.close();
  });
}

/** In the thread: lets requests go first. Elsewhere than on Linux only a whole process has a priority. */
export function goBeside(): void {
  if (process.platform === "linux") setPriority(5);
}

export interface Parts<Part> {
  /** The next part; null after the last one. @throws where the thread failed or ended */
  next(): Promise<Part | null>;
  /** Ends the thread, wherever it is. */
  end(): Promise<void>;
}

/** Starts a thread, which ends when its last part is taken, or at the signal. */
export function startThread<Part>(order: ThreadOrder, signal: AbortSignal): Parts<Part> {
  const thread = new Worker(startedModule("serve/reading-thread"), { workerData: order });
  const ended = new Promise<never>((_, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the thread ended before its work did")));
  });
  // It may end when nobody waits for it.
  ended.catch(() => {});
  const end = async () => {
    signal.removeEventListener("abort", end);
    await thread.terminate();
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) void end();
  return {
    async next() {
      const said = new Promise<Message<Part>>((resolve) => thread.once("message", resolve));
      thread.postMessage(null);
      const message = await Promise.race([said, ended]);
      return "part" in message ? message.part : null;
    },
    end,
  };
}

/** Calls for each part, and lets requests have their turn between two. */
export async function takeParts<Part>(parts: Parts<Part>, take: (part: Part) => void): Promise<void> {
  try {
    for (let part = await parts.next(); part !== null; part = await parts.next()) {
      take(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    await parts.end();
  }
}
