/** One of the threads in which a fallback answers: with a listening socket and numbers of its own, and lists that all share. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createFallback } from "../serve/fallback.ts";
import { listenOn, stop } from "../serve/http.ts";
import { mirroredCatalog } from "../serve/mirror.ts";
import { ServerMetrics } from "../serve/server-metrics.ts";
import { openServerLog } from "./log.ts";

export interface AnsweringOrder {
  readonly mirror: MessagePort;
  /** The descriptor of a bound socket, of which this thread has its own duplicate. */
  readonly socket: number;
  readonly metrics: SharedArrayBuffer;
  readonly part: number;
  /** When what is followed was last looked at with success, in seconds since 1970. */
  readonly polled: Float64Array;
  readonly mostPollAgeSeconds: number;
  readonly connections: number;
  readonly targetHeader: boolean;
  readonly quiet: boolean;
}

const order = workerData as AnsweringOrder;
const { mirror, polled, mostPollAgeSeconds, targetHeader } = order;
const catalog = mirroredCatalog(mirror);
const current = () => {
  const found = catalog();
  if (found === undefined) throw new Error("a thread was asked before it had a catalog");
  return found;
};
const { access, failed, flush } = await openServerLog(order.quiet);
const server = createFallback(
  current,
  {
    ...{ access, failed, targetHeader, mostPollAgeSeconds },
    metrics: new ServerMetrics(order.metrics, order.part),
    pollAgeSeconds: () => Date.now() / 1000 - (polled[0] ?? 0),
  },
  { connections: order.connections },
);
/** A number: listen no longer, after so many milliseconds. Anything else: listen. */
parentPort?.on("message", async (told: number | "listen") => {
  if (told === "listen") await listenOn(server, order.socket);
  else {
    await stop(server, told);
    current().close();
    flush();
    mirror.close();
  }
  parentPort?.postMessage("done");
  if (told !== "listen") parentPort?.close();
});
