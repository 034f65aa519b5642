/** Who answers a fallback's requests: this thread, or several that share its lists. */
import { MessageChannel, Worker } from "node:worker_threads";
import type { Catalog } from "../catalog/catalog.ts";
import { startedModule } from "../package.ts";
import { type Mirror, NO_MIRROR } from "../serve/mirror.ts";
import type { AnsweringOrder } from "./answering-thread.ts";
import type { ServerLog } from "./log.ts";
import { runServer, type ServerFlags } from "./server.ts";
import type { GivenSockets } from "./supervise.ts";

export interface AnsweringFlags extends ServerFlags {
  readonly drain: number;
  readonly maxConnections: number;
  readonly readyMaxAge: number;
  readonly targetHeader?: true;
  readonly quiet?: true;
}

export interface Answering {
  /** Is told of the catalog, before the first request. */
  readonly mirror: Mirror;
  /** Answers until it is told to stop. */
  run(catalog: () => Catalog): Promise<void>;
}

interface Shared {
  readonly metrics: SharedArrayBuffer;
  readonly polled: Float64Array;
}

/** In this thread, at the address of the flags. */
export async function answerHere(
  flags: AnsweringFlags,
  { metrics, polled }: Shared,
  { access, failed, note }: ServerLog,
): Promise<Answering> {
  const [{ createFallback }, { ServerMetrics }] = await Promise.all([
    import("../serve/fallback.ts"),
    import("../serve/server-metrics.ts"),
  ]);
  const ports = {
    ...{ access, failed, targetHeader: flags.targetHeader === true, mostPollAgeSeconds: flags.readyMaxAge },
    metrics: new ServerMetrics(metrics, 0),
    pollAgeSeconds: () => Date.now() / 1000 - (polled[0] ?? 0),
  };
  return {
    mirror: NO_MIRROR,
    async run(catalog) {
      const server = createFallback(catalog, ports, { connections: flags.maxConnections });
      await runServer(server, flags, { info: note, progress: () => {} });
    },
  };
}

/** Of short-lived objects, for each thread: V8 would let them take some 50 MB. */
const YOUNG_MEGABYTES = 8;

/** Told by a signal, by the supervisor's signal after it where all of a group got one, or by the supervisor's end. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
    process.once("disconnect", () => resolve());
  });
}

/** In a thread for each of the sockets, which somebody else has bound and keeps. */
export async function answerInThreads(
  { sockets, url }: GivenSockets,
  flags: AnsweringFlags,
  { metrics, polled }: Shared,
  { note }: ServerLog,
): Promise<Answering> {
  const { mirrorIn } = await import("../serve/mirror.ts");
  const file = startedModule("cli/answering-thread");
  const channels = sockets.map(() => new MessageChannel());
  const threads = sockets.map((socket, part) => {
    const mirror = (channels[part] as MessageChannel).port2;
    const workerData: AnsweringOrder = {
      ...{ mirror, socket, metrics, part, polled },
      mostPollAgeSeconds: flags.readyMaxAge,
      connections: Math.ceil(flags.maxConnections / sockets.length),
      targetHeader: flags.targetHeader === true,
      quiet: flags.quiet === true,
    };
    // An error that a thread does not expect ends the process, and whoever started it starts another.
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
    return new Worker(file, { workerData, transferList: [mirror], resourceLimits });
  });
  const tell = async (told: number | "listen") => {
    const done = threads.map((thread) => new Promise((resolve) => thread.once("message", resolve)));
    for (const thread of threads) thread.postMessage(told);
    await Promise.all(done);
  };
  return {
    mirror: mirrorIn(channels.map(({ port1 }) => port1)),
    async run() {
      await tell("listen");
      note(`listening on ${url}`);
      process.send?.("listening");
      await untilTold();
      await tell(flags.drain * 1000);
      for (const { port1 } of channels) port1.close();
      if (process.connected) process.disconnect();
    },
  };
}
