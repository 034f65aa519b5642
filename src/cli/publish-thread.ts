/** The thread in which a snapshot is published: only there can the memory that short-lived objects take be bounded. */
import { parentPort, workerData } from "node:worker_threads";
import { publish } from "../publish-snapshot.ts";
import type { PublishOrder } from "./publishing.ts";
import { reportFromThread } from "./thread.ts";

const abort = new AbortController();
// The only message is that a signal came.
parentPort?.once("message", () => abort.abort());
parentPort?.unref();

const order = workerData as PublishOrder;
await reportFromThread((log) => publish({ ...order, log, signal: abort.signal }));
