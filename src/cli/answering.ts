/** Who answers a fallback's requests: this thread, or others too that share its lists. */
import type { Server } from "node:http";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { itemAt } from "../base/item-at.ts";
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
  /** Answers until it is told to stop. `onListen` is called when it listens; what it gives back is ended last. */
  run(catalog: () => Catalog, onListen: () => Promise<AsyncDisposable | null>): Promise<void>;
}

interface Shared {
  readonly metrics: SharedArrayBuffer;
  readonly polled: Float64Array;
}

/** Makes the server of this thread, whose requests are counted as those of the first part. */
async function makeServer(
  flags: AnsweringFlags,
  { metrics, polled }: Shared,
  { access, failed }: ServerLog,
  connections: number,
): Promise<(catalog: () => Catalog) => Server> {
  const [{ createFallback }, { ServerMetrics }] = await Promise.all([
    import("../serve/fallback.ts"),
    import("../serve/server-metrics.ts"),
  ]);
  const ports = {
    ...{ access, failed, targetHeader: flags.targetHeader === true, mostPollAgeSeconds: flags.readyMaxAge },
    metrics: new ServerMetrics(metrics, 0),
    pollAgeSeconds: () => Date.now() / 1000 - (polled[0] ?? 0),
  };
  return (catalog) => createFallback(catalog, ports, { connections });
}

/** In this thread, at the address of the flags. */
export async function answerHere(flags: AnsweringFlags, shared: Shared, log: ServerLog): Promise<Answering> {
  const serverOf = await makeServer(flags, shared, log, flags.maxConnections);
  return {
    mirror: NO_MIRROR,
    run: (catalog, onListen) =>
      runServer(serverOf(catalog), flags, { info: log.note, progress: () => {} }, onListen),
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

/** Threads beside this one, each for one of the sockets: they share the lists of the catalog that is followed here. */
function startThreads(
  sockets: readonly number[],
  order: Omit<AnsweringOrder, "mirror" | "socket" | "part">,
): { mirrors: MessagePort[]; tell(told: number | "listen"): Promise<void> } {
  const file = startedModule("cli/answering-thread");
  const channels = sockets.map(() => new MessageChannel());
  const threads = channels.map(({ port2: mirror }, at) => {
    const workerData: AnsweringOrder = { ...order, mirror, socket: itemAt(sockets, at), part: at + 1 };
    // An error that a thread does not expect ends the process, and whoever started it starts another.
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
    return new Worker(file, { workerData, transferList: [mirror], resourceLimits });
  });
  return {
    mirrors: channels.map(({ port1 }) => port1),
    async tell(told) {
      const done = threads.map((thread) => new Promise((resolve) => thread.once("message", resolve)));
      for (const thread of threads) thread.postMessage(told);
      await Promise.all(done);
    },
  };
}

/** In this thread and one more for each further socket; somebody else has bound them and keeps them. */
export async function answerInThreads(
  { sockets, url }: GivenSockets,
  flags: AnsweringFlags,
  shared: Shared,
  log: ServerLog,
): Promise<Answering> {
  const connections = Math.ceil(flags.maxConnections / sockets.length);
  const [{ mirrorIn }, { listenOn, stop }, serverOf] = await Promise.all([
    import("../serve/mirror.ts"),
    import("../serve/http.ts"),
    makeServer(flags, shared, log, connections),
  ]);
  const { mirrors, tell } = startThreads(sockets.slice(1), {
    ...{ ...shared, connections, mostPollAgeSeconds: flags.readyMaxAge },
    targetHeader: flags.targetHeader === true,
    quiet: flags.quiet === true,
  });
  return {
    mirror: mirrorIn(mirrors),
    async run(catalog, onListen) {
      const server = serverOf(catalog);
      await Promise.all([listenOn(server, itemAt(sockets, 0)), tell("listen")]);
      await using _ = await onListen();
      log.note(`listening on ${url}`);
      process.send?.("listening");
      await untilTold();
      const drain = flags.drain * 1000;
      await Promise.all([stop(server, drain), tell(drain)]);
      for (const mirror of mirrors) mirror.close();
      if (process.connected) process.disconnect();
    },
  };
}
