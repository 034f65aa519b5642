/** How commands that serve listen and stop. */
import type { Server } from "node:http";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";

/** The bound on connections of a command that serves. @throws VitrineError usage */
export function connectionsOf(flag: string): number {
  const connections = Number(flag);
  if (Number.isInteger(connections) && connections > 0) return connections;
  throw new VitrineError("usage", `--max-connections ${flag} is no number of connections: use one from 1.`);
}

export const MAX_CONNECTIONS = [
  "--max-connections <number>",
  "connections at once; more are closed, so that memory is bounded",
  "1024",
] as const;

/** Listens until it is told to stop; requests in flight are finished. */
export async function runServer(
  server: Server,
  flags: { host: string; port: string },
  log: Log,
  onListen: (url: string) => void = () => {},
): Promise<void> {
  const { listen, stop } = await import("../serve/http.ts");
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new VitrineError("usage", `--port ${flags.port} is no port: use a number from 0 to 65535.`);
  }
  const url = await listen(server, flags.host, port).catch((error: unknown) => {
    throw new VitrineError("usage", `${messageOf(error)}. Choose another with --port or --host.`, {
      cause: error,
    });
  });
  log.info(`listening on ${url}`);
  onListen(url);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await stop(server);
}
