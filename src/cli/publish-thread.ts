/** The thread in which a snapshot is published, or an older release again, or former ones erased: only there can the memory that short-lived objects take be bounded. */
import { parentPort, workerData } from "node:worker_threads";
import { publish } from "../publish-snapshot.ts";
import type { EraseOrder, PublishOrder, RollbackOrder } from "./publishing.ts";
import { reportFromThread } from "./thread.ts";

const abort = new AbortController();
// The only message is that a signal came.
parentPort?.once("message", () => abort.abort());
parentPort?.unref();

const order = workerData as PublishOrder | RollbackOrder | EraseOrder;
await reportFromThread<object>(async (log): Promise<object> => {
  const ports = { log, signal: abort.signal };
  if ("erase" in order) return (await import("../erase.ts")).erase({ ...order.erase, ...ports });
  if (!("rollback" in order)) return publish({ ...order, ...ports });
  const { rollback } = await import("../rollback.ts");
  return rollback(order.rollback ?? undefined, { ...order.options, ...ports });
});
