/** How commands that serve listen and stop. */
import type { Server } from "node:http";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";

/** Listens until it is told to stop; requests in flight are finished. */
export async function runServer(
  server: Server,
  flags: { host: string; port: string },
  log: Log,
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
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await stop(server);
}
