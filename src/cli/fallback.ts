/** `vitrine fallback` */
import type { Command } from "commander";
import { CONFIG_FILE } from "../config/inputs.ts";
import { addListenOptions, DAY_SECONDS, decimalSeconds, wholeNumber } from "./inputs.ts";
import { addressOf } from "./metrics.ts";
import { addStoreOptions } from "./remote.ts";
import type { FallbackFlags } from "./run-fallback.ts";

const EXAMPLES = `
Examples:
  vitrine fallback --catalog out/catalog.sqlite
  vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081
  vitrine fallback --catalog s3://shop-catalog/v1 --cache /var/cache/vitrine
  vitrine fallback --catalog out/catalog.sqlite --metrics 9464
  curl http://127.0.0.1:8081/readyz`;

export function addFallback(program: Command): void {
  const command = program
    .command("fallback")
    .description("answer what has no file, from the catalog alone: the small server behind a CDN")
    .option(
      "--catalog <place>",
      "a catalog file, or s3://BUCKET/PREFIX whose live release is followed; successors are loaded " +
        "(else catalog.sqlite in `out` of the configuration, else out/catalog.sqlite)",
    )
    .option("--config <file>", `configuration (default: ${CONFIG_FILE}, where there is one)`)
    .option(
      "--cache <folder>",
      "where the catalog of a bucket, and the copy that is read of any, is kept (default: a temporary folder)",
    )
    .option(
      "--workers <number>",
      "processes that answer on one address, each with the lists in memory: at most one for each core; SIGHUP starts " +
        "them anew, one after the other",
      wholeNumber(1, 64),
      1,
    )
    .option("--metrics <port>", "tell Prometheus at 127.0.0.1:PORT/metrics; or ADDRESS:PORT", addressOf)
    .option(
      "--drain <seconds>",
      "how long to go on listening when told to stop, while clients are told to close",
      decimalSeconds,
      2,
    )
    .option(
      "--ready-max-age <seconds>",
      "/readyz fails when the last successful look for a release is older",
      wholeNumber(1),
      DAY_SECONDS,
    )
    .option("--target-header", "answer the target in X-Vitrine-Target: only behind CloudFront or the Worker")
    .option("--quiet", "no access log");
  addStoreOptions(addListenOptions(command, 8081))
    .addHelpText("after", EXAMPLES)
    .action(async (flags: FallbackFlags) => (await import("./run-fallback.ts")).runFallback(flags));
}
