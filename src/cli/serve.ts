/** `vitrine serve` */

import type { Command } from "commander";
import { addListenOptions, addOutOptions, findOut, type OutFlags } from "./inputs.ts";
import { runServer } from "./server.ts";
import { terminalLog } from "./terminal.ts";

interface ServeFlags extends OutFlags {
  readonly host: string;
  readonly port: number;
  readonly rateLimit: boolean;
  readonly trustProxy?: true;
}

const EXAMPLES = `
Examples:
  vitrine serve
  vitrine serve --out public --port 9000 --no-rate-limit
  curl -i 'http://127.0.0.1:8080/api/v1/products?category=scripts'`;

export function addServe(program: Command): void {
  const command = program
    .command("serve")
    .description("serve a snapshot as the edge would: files first, the fallback on a miss");
  addListenOptions(addOutOptions(command), 8080)
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
      const layout = await findOut(flags);
      const log = terminalLog(false);
      const catalog = followCatalog(layout.catalog, log);
      const server = createHttpServer({
        answer: (target) => answerAtEdge(catalog.current(), layout.site, target),
        config: () => catalog.current().config,
        limiter: flags.rateLimit
          ? createRateLimiter(() => catalog.current().config.rateLimit.requests)
          : null,
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
