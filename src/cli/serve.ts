/** `vitrine serve` */

import type { Server } from "node:http";
import type { Command } from "commander";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { outLayout } from "./inputs.ts";
import { terminalLog } from "./terminal.ts";

interface ServeFlags {
  readonly out?: string;
  readonly host: string;
  readonly port: string;
  readonly rateLimit: boolean;
  readonly trustProxy?: true;
}

const EXAMPLES = `
Examples:
  vitrine serve
  vitrine serve --out public --port 9000 --no-rate-limit
  curl -i 'http://127.0.0.1:8080/api/v1/products?category=scripts'`;

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

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("serve a snapshot as the edge would: files first, the fallback on a miss")
    .option("--out <folder>", "where the snapshot stands (default: out)")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", "8080")
    .option("--no-rate-limit", "do not limit requests")
    .option(
      "--trust-proxy",
      "count requests for the last X-Forwarded-For address: only behind a proxy of yours",
    )
    .addHelpText("after", EXAMPLES)
    .action(async (flags: ServeFlags) => {
      const [{ followCatalog }, { answerAtEdge }, { createHttpServer }, { createRateLimiter }] =
        await Promise.all([
          import("../serve/follow.ts"),
          import("../serve/edge.ts"),
          import("../serve/http.ts"),
          import("../serve/rate-limit.ts"),
        ]);
      const layout = outLayout(flags.out);
      const log = terminalLog(false);
      const catalog = followCatalog(layout.catalog, log);
      const server = createHttpServer({
        answer: (target) => answerAtEdge(catalog.current(), layout.site, target),
        config: () => catalog.current().config,
        limiter: flags.rateLimit ? createRateLimiter() : null,
        trustProxy: flags.trustProxy === true,
        access: ({ method, target, status, source, milliseconds }) => {
          log.info(`${status} ${method} ${target} ${source} ${milliseconds.toFixed(1)} ms`);
        },
        failed: (error, target) =>
          log.info(`500 ${target}: ${error instanceof Error ? error.stack : String(error)}`),
      });
      await runServer(server, flags, log);
      catalog.close();
    });
}
