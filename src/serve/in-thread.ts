/** Runs a task on a catalog in a separate thread, so that requests are answered meanwhile. */
import { runInThread } from "../base/thread.ts";
import { startedModule } from "../package.ts";
import type { CatalogTask } from "./catalog-thread.ts";

/** Starts a thread for a task and returns its result; the thread ends with the task or at the signal. */
export function runTask<Result = void>(task: CatalogTask, signal?: AbortSignal): Promise<Result> {
  return runInThread<CatalogTask, Result>(startedModule("serve/catalog-thread"), task, signal);
}
