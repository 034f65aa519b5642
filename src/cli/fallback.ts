/** `vitrine fallback` */
import { resolve } from "node:path";
import type { Command } from "commander";
import { runServer } from "./server.ts";

interface FallbackFlags {
  readonly catalog: string;
  readonly host: string;
  readonly port: string;
  readonly targetHeader?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Examples:
  vitrine fallback --catalog out/catalog.sqlite
  vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081
  curl http://127.0.0.1:8081/healthz`;

export function addFallback(program: Command): void {
  program
    .command("fallback")
    .description("answer what has no file, from the catalog alone: the small server behind a CDN")
    .option(
      "--catalog <file>",
      "the catalog; when the file is replaced, its successor is taken up",
      "out/catalog.sqlite",
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", "8081")
    .option("--target-header", "answer the target in X-Vitrine-Target: only behind CloudFront or the Worker")
    .option("--quiet", "no access log")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: FallbackFlags) => {
      const [{ pino }, { followCatalog }, { createFallback }] = await Promise.all([
        import("pino"),
        import("../serve/follow.ts"),
        import("../serve/fallback.ts"),
      ]);
      // Lines are gathered, so that most requests write none; every second, and at the end, what is left is written.
      const lines = pino.destination({ sync: true, minLength: 8192 });
      setInterval(() => lines.flush(), 1000).unref();
      const log = pino({ level: flags.quiet === true ? "warn" : "info" }, lines);
      const catalog = followCatalog(resolve(flags.catalog), { info: (message) => log.warn(message) });
      const server = createFallback(() => catalog.current(), {
        targetHeader: flags.targetHeader === true,
        access: (record) => log.info(record, "request"),
        failed: (error, target) => log.error({ err: error, target }, "failed"),
      });
      await runServer(server, flags, { info: (message) => log.warn(message), progress: () => {} });
      catalog.close();
      lines.flushSync();
    });
}
