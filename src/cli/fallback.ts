/** `vitrine fallback` */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import type { Looked } from "../base/looked.ts";
import type { Family } from "../base/metrics.ts";
import { StepMetrics } from "../base/step-metrics.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { TOOL_VERSION } from "../package.ts";
import { addListenOptions, DAY_SECONDS, decimalSeconds, findOut, wholeNumber } from "./inputs.ts";
import { type Address, addressOf, serveMetrics } from "./metrics.ts";
import { addStoreOptions, openPlace } from "./remote.ts";
import { runServer } from "./server.ts";

interface FallbackFlags {
  readonly catalog?: string;
  readonly config?: string;
  readonly cache?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly concurrency: number;
  readonly timeout: number;
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly metrics?: Address;
  /** Seconds. */
  readonly drain: number;
  readonly readyMaxAge: number;
  readonly targetHeader?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Examples:
  vitrine fallback --catalog out/catalog.sqlite
  vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081
  vitrine fallback --catalog s3://shop-catalog/v1 --cache /var/cache/vitrine
  vitrine fallback --catalog out/catalog.sqlite --metrics 9464
  curl http://127.0.0.1:8081/readyz`;

/** A catalog on this machine, and what ends its following. */
interface LocalCatalog {
  readonly file: string;
  /** Who is told of each look at the file: where a bucket is followed, its looks are what counts. */
  readonly looked?: Looked;
  /** Says who is to be told of the files of the deltas that led to what the file is now. */
  onArrival(tell: (deltas: readonly string[]) => Promise<void>): void;
  stop(): void;
}

/** A file as it is; of a bucket or directory of releases, the live one's catalog in a file that follows it. */
async function bringCatalog(
  flags: FallbackFlags,
  log: Pick<Log, "info">,
  looked: Looked,
): Promise<LocalCatalog> {
  const place = flags.catalog ?? (await findOut(flags)).catalog;
  if (!/^[a-z0-9]+:\/\//.test(place))
    return { file: resolve(place), looked, onArrival: () => {}, stop: () => {} };
  const [{ followRelease }, bucket] = await Promise.all([
    import("../publish/follow-release.ts"),
    openPlace({ ...flags, to: place }),
  ]);
  // Without a folder of its own a new one each time: a name that others could guess, they could fill.
  const folder = flags.cache ?? mkdtempSync(join(tmpdir(), "vitrine-"));
  const name = hash("sha256", place, "hex").slice(0, 16);
  const file = join(folder, `catalog-${name}.sqlite`);
  let tell = async (_: readonly string[]): Promise<void> => {};
  const followed = await followRelease(bucket, file, log, {
    arrived: ({ deltas }) => tell(deltas ?? []),
    looked,
  });
  return {
    file,
    onArrival: (given) => {
      tell = given;
    },
    stop: () => {
      followed.stop();
      bucket.close?.();
      if (flags.cache === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines are gathered, so that most requests write none; every second, and at the end, what is left is written. */
async function openLog(isQuiet: boolean) {
  const { pino } = await import("pino");
  const lines = pino.destination({ sync: true, minLength: 8192 });
  setInterval(() => lines.flush(), 1000).unref();
  return { log: pino({ level: isQuiet ? "warn" : "info" }, lines), flush: () => lines.flushSync() };
}

/** What a fallback says of its catalog. */
function catalogFamilies({ digest, generatedAt }: Catalog, appliedSeconds: number): Family[] {
  const gauge = (name: string, help: string, value: number): Family => {
    return { name, kind: "gauge", unit: "seconds", help, samples: [{ value }] };
  };
  const version = { version: TOOL_VERSION, node: process.version };
  return [
    {
      name: "vitrine_build",
      kind: "info",
      help: "The program.",
      samples: [{ labels: version, value: 1 }],
    },
    {
      name: "vitrine_catalog",
      kind: "info",
      help: "The catalog that is answered from.",
      samples: [{ labels: { release: digest.slice(0, 12) }, value: 1 }],
    },
    gauge(
      "vitrine_catalog_generated_timestamp_seconds",
      "When the catalog's content last changed.",
      Date.parse(generatedAt) / 1000,
    ),
    gauge("vitrine_catalog_applied_timestamp_seconds", "When it was taken up here.", appliedSeconds),
  ];
}

/** Notes how looks went, from now on: what was fetched to begin with was looked at. */
function pollMetrics(): { readonly steps: StepMetrics; readonly looked: Looked } {
  const steps = new StepMetrics(["poll"], Date.now);
  steps.succeeded("poll", 0);
  const looked: Looked = ({ seconds, error }) =>
    error === null ? steps.succeeded("poll", seconds) : steps.failed("poll", seconds, error);
  return { steps, looked };
}

async function runFallback(flags: FallbackFlags): Promise<void> {
  const [{ followCatalog }, { createFallback }, { metricsMemory, ServerMetrics, serverFamilies }] =
    await Promise.all([
      import("../serve/follow.ts"),
      import("../serve/fallback.ts"),
      import("../serve/server-metrics.ts"),
    ]);
  const { processFamilies } = await import("../serve/process-metrics.ts");
  const { log, flush } = await openLog(flags.quiet === true);
  const notes = { info: (message: string) => log.warn(message), progress: () => {} };
  const { steps, looked } = pollMetrics();
  const local = await bringCatalog(flags, notes, looked);
  const catalog = await followCatalog(local.file, notes, {
    copyTo: flags.cache ?? tmpdir(),
    looked: local.looked,
  });
  local.onArrival(catalog.follow);
  const memory = metricsMemory(1);
  const server = createFallback(
    () => catalog.current(),
    {
      targetHeader: flags.targetHeader === true,
      access: (record) => log.info(record, "request"),
      failed: (error, target) => log.error({ err: error, target }, "failed"),
      metrics: new ServerMetrics(memory, 0),
      pollAgeSeconds: () => Date.now() / 1000 - steps.lastSuccess("poll"),
      mostPollAgeSeconds: flags.readyMaxAge,
    },
    { connections: flags.maxConnections },
  );
  const families = () => [
    ...catalogFamilies(catalog.current(), catalog.appliedSeconds()),
    ...steps.families(),
    ...serverFamilies(memory),
    ...processFamilies(),
  ];
  const metrics = flags.metrics === undefined ? null : await serveMetrics(flags.metrics, families);
  if (metrics !== null) notes.info(`metrics at ${metrics.url}/metrics`);
  await runServer(server, flags, notes);
  metrics?.server.close().closeAllConnections();
  local.stop();
  await catalog.close();
  flush();
}

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
  addStoreOptions(addListenOptions(command, 8081)).addHelpText("after", EXAMPLES).action(runFallback);
}
