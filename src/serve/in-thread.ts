/** Runs work in a separate thread, so that requests are answered meanwhile. */
import { ThreadPool } from "../base/thread-pool.ts";
import { startedModule } from "../package.ts";
import type { CatalogTask } from "./catalog-thread.ts";

/** Starts a thread for a task and returns its result; the thread ends with the task or at the signal. */
export async function runInThread<Result = void>(task: CatalogTask, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted();
  const thread = new ThreadPool<CatalogTask, Result>(startedModule("serve/catalog-thread"), 1, null);
  const end = () => void thread.close();
  signal?.addEventListener("abort", end);
  try {
    return await thread.run(task);
  } finally {
    signal?.removeEventListener("abort", end);
    await thread.close();
  }
}
