/** Work in a thread of its own, so that requests are answered meanwhile. */
import { setImmediate } from "node:timers/promises";
import { ThreadPool } from "../base/thread-pool.ts";
import { startedModule } from "../package.ts";
import type { CatalogTask } from "./catalog-thread.ts";

/**
 * Starts a thread, which makes one part after the other as they are asked for; between two of them, requests have their turn.
 * It ends with its last part, when nobody asks for more, or at the signal.
 */
export async function* partsFromThread<Part>(task: CatalogTask, signal?: AbortSignal): AsyncGenerator<Part> {
  signal?.throwIfAborted();
  const thread = new ThreadPool<null, Part | null>(startedModule("serve/catalog-thread"), 1, task);
  const end = () => void thread.close();
  signal?.addEventListener("abort", end);
  try {
    for (let part = await thread.run(null); part !== null; part = await thread.run(null)) {
      yield part;
      await setImmediate();
    }
  } finally {
    signal?.removeEventListener("abort", end);
    await thread.close();
  }
}

/** For work whose result is one part, or none. */
export async function runInThread<Result = void>(task: CatalogTask, signal?: AbortSignal): Promise<Result> {
  let result: Result | undefined;
  for await (const part of partsFromThread<Result>(task, signal)) result = part;
  return result as Result;
}
