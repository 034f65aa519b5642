/** `vitrine fallback` */
import cluster from "node:cluster";
import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import type { Looked } from "../base/looked.ts";
import { type Family, sumFamilies } from "../base/metrics.ts";
import { failureCode, StepMetrics } from "../base/step-metrics.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { CONFIG_FILE } from "../config/inputs.ts";
import { TOOL_VERSION } from "../package.ts";
import { addListenOptions, DAY_SECONDS, decimalSeconds, findOut, wholeNumber } from "./inputs.ts";
import { openServerLog, type ServerLog } from "./log.ts";
import { type Address, addressOf, serveMetrics } from "./metrics.ts";
import { addStoreOptions, openPlace } from "./remote.ts";
import { runServer, type ServerFlags, untilTold } from "./server.ts";
import type { WorkerOrder, WorkerReport, Workers } from "./workers.ts";

interface FallbackFlags extends ServerFlags {
  readonly drain: number;
  readonly maxConnections: number;
  readonly readyMaxAge: number;
  readonly targetHeader?: true;
  readonly quiet?: true;
  readonly catalog?: string;
  readonly config?: string;
  readonly cache?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly concurrency: number;
  readonly timeout: number;
  readonly metrics?: Address;
  readonly workers: number;
}

const EXAMPLES = `
Examples:
  vitrine fallback --catalog out/catalog.sqlite
  vitrine fallback --catalog /srv/vitrine/catalog.sqlite --host 127.0.0.1 --port 8081
  vitrine fallback --catalog s3://shop-catalog/v1 --cache /var/cache/vitrine
  vitrine fallback --catalog out/catalog.sqlite --metrics 9464
  curl http://127.0.0.1:8081/readyz`;

/** A catalog on this machine, and what ends its following. */
interface LocalCatalog extends Disposable {
  readonly file: string;
  /** Who is told of each look at the file: where a bucket is followed, its looks are what counts. */
  readonly looked?: Looked;
  /** Says who is to be told of the files of the deltas that led to what the file is now. */
  onArrival(tell: (deltas: readonly string[]) => Promise<void>): void;
}

/** A file as it is; of a bucket or directory of releases, the live one's catalog in a file that follows it. */
async function bringCatalog(
  flags: FallbackFlags,
  log: Pick<Log, "info">,
  looked: Looked,
): Promise<LocalCatalog> {
  const place = flags.catalog ?? (await findOut(flags)).catalog;
  if (!/^[a-z0-9]+:\/\//.test(place))
    return { file: resolve(place), looked, onArrival: () => {}, [Symbol.dispose]: () => {} };
  const [{ followRelease }, { temporaryFolder }, bucket] = await Promise.all([
    import("../publish/follow-release.ts"),
    import("../base/temporary-folder.ts"),
    openPlace({ ...flags, to: place }),
  ]);
  // Without a folder of its own a new one each time: a name that others could guess, they could fill.
  const temporary = flags.cache === undefined ? await temporaryFolder() : null;
  const folder = flags.cache ?? temporary?.path ?? "";
  const name = hash("sha256", place, "hex").slice(0, 16);
  const file = join(folder, `catalog-${name}.sqlite`);
  let isMissed = false;
  let tell = async (_: readonly string[]): Promise<void> => {
    isMissed = true;
  };
  const end = () => {
    bucket[Symbol.dispose]();
    temporary?.[Symbol.dispose]();
  };
  const arrived = ({ deltas }: { readonly deltas: readonly string[] | null }) => tell(deltas ?? []);
  const followed = await followRelease(bucket, file, log, { arrived, looked }).catch((error: unknown) => {
    end();
    throw error;
  });
  isMissed = false;
  return {
    file,
    onArrival: (given) => {
      tell = given;
      // What came while the file was read for the first time: its deltas are gone.
      if (isMissed) void given([]);
    },
    [Symbol.dispose]: () => {
      followed.stop();
      end();
    },
  };
}

const PROGRAM: Family = {
  name: "vitrine_build",
  kind: "info",
  help: "The program.",
  samples: [{ labels: { version: TOOL_VERSION, node: process.version }, value: 1 }],
};

/** What a fallback says of its catalog. */
function catalogFamilies({ digest, generatedAt }: Catalog, appliedSeconds: number): Family[] {
  const gauge = (name: string, help: string, value: number): Family => {
    return { name, kind: "gauge", unit: "seconds", help, samples: [{ value }] };
  };
  return [
    PROGRAM,
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

/**
 * Notes how looks went, from now on: what was fetched to begin with was looked at. Who finds a newer version's release has
 * looked, too, and is ready: there is nothing that another try would bring.
 */
function pollMetrics(told: (seconds: number) => void = () => {}) {
  const steps = new StepMetrics(["poll"], Date.now);
  let lastSeconds = 0;
  const looked: Looked = ({ seconds, error }) => {
    if (error === null) steps.succeeded("poll", seconds);
    else steps.failed("poll", seconds, error);
    if (error !== null && failureCode(error) !== "newer_format") return;
    lastSeconds = Date.now() / 1000;
    told(lastSeconds);
  };
  looked({ seconds: 0, error: null });
  return { steps, looked, lastSeconds: () => lastSeconds };
}

/** Follows the catalog and answers from it, until it is told to stop: alone, or as one of several workers. */
async function answer(flags: FallbackFlags, log: ServerLog): Promise<void> {
  const [{ followCatalog }, { ServerMetrics }, { processFamilies }, { createFallback }] = await Promise.all([
    import("../serve/follow.ts"),
    import("../serve/server-metrics.ts"),
    import("../serve/process-metrics.ts"),
    import("../serve/fallback.ts"),
  ]);
  const notes = { info: log.note, progress: () => {} };
  const { steps, looked, lastSeconds } = pollMetrics();
  using local = await bringCatalog(flags, notes, looked);
  const options = {
    copyTo: flags.cache ?? tmpdir(),
    looked: local.looked,
    // Of a bucket, what arrives is told: one loop looks for it.
    ...(local.looked === undefined ? { everyMilliseconds: null } : {}),
  };
  await using catalog = await followCatalog(local.file, notes, options);
  local.onArrival(catalog.follow);
  const metrics = new ServerMetrics();
  const families = () => [
    ...catalogFamilies(catalog.current(), catalog.appliedSeconds()),
    ...steps.families(),
    ...metrics.families(),
    ...processFamilies(),
  ];
  const polledSeconds = cluster.isWorker
    ? obeyPrimary(families, catalog.follow)
    : () => Number.POSITIVE_INFINITY;
  const ports = {
    ...{ access: log.access, failed: log.failed, metrics },
    targetHeader: flags.targetHeader === true,
    mostPollAgeSeconds: flags.readyMaxAge,
    pollAgeSeconds: () => Date.now() / 1000 - Math.min(lastSeconds(), polledSeconds()),
  };
  const connections = Math.ceil(flags.maxConnections / flags.workers);
  const server = createFallback(() => catalog.current(), ports, { connections });
  await runServer(server, flags, cluster.isWorker ? { ...notes, info: () => {} } : notes, async () => {
    return cluster.isWorker ? null : tellMetrics(flags, families, log);
  });
  if (cluster.isWorker) tellPrimary({ families: families() });
}

async function tellMetrics(
  { metrics }: FallbackFlags,
  families: () => readonly Family[] | Promise<readonly Family[]>,
  log: ServerLog,
): Promise<AsyncDisposable | null> {
  if (metrics === undefined) return null;
  const told = await serveMetrics(metrics, families);
  log.note(`metrics at ${told.url}/metrics`);
  return told;
}

/** In a worker: does what the primary orders. Gives when the primary last looked for a release with success. */
function obeyPrimary(
  families: () => readonly Family[],
  follow: (deltas: readonly string[]) => Promise<void>,
): () => number {
  let polledSeconds = Number.POSITIVE_INFINITY;
  process.on("message", async (order: WorkerOrder) => {
    if ("polledSeconds" in order) {
      if (order.polledSeconds > 0) polledSeconds = order.polledSeconds;
      return;
    }
    if (order.about === "release") await follow(order.deltas);
    tellPrimary({ question: order.question, families: families() });
  });
  // Who tells all of a service's processes to start anew means the primary.
  process.on("SIGHUP", () => {});
  return () => polledSeconds;
}

function tellPrimary(report: WorkerReport): void {
  // Where the primary is gone, so is this process in a moment.
  process.send?.(report, undefined, undefined, () => {});
}

/** Has workers answer from a catalog that this process brings, until it is told to stop. */
async function answerInWorkers(flags: FallbackFlags, log: ServerLog): Promise<void> {
  const [{ Workers }, { processFamilies }, { urlOf }] = await Promise.all([
    import("./workers.ts"),
    import("../serve/process-metrics.ts"),
    import("../serve/http.ts"),
  ]);
  let workers: Workers | undefined;
  const { steps, looked, lastSeconds } = pollMetrics((seconds) => workers?.polled(seconds));
  using local = await bringCatalog(flags, { info: log.note }, looked);
  const told = untilTold();
  await using started = new Workers({
    count: flags.workers,
    args: [...process.argv.slice(2), "--catalog", local.file],
    drainMilliseconds: flags.drain * 1000,
    log: log.note,
  });
  workers = started;
  local.onArrival((deltas) => started.follow(deltas));
  // Of a file, each worker tells itself how its looks go.
  const isFile = local.looked !== undefined;
  if (!isFile) started.polled(lastSeconds());
  const families = async () =>
    sumFamilies([
      [PROGRAM, ...(isFile ? [] : steps.families()), ...processFamilies()],
      await started.families(),
    ]);
  await using _ = await tellMetrics(flags, families, log);
  const first = await Promise.race([started.start(), told]);
  if (first === undefined) return;
  if ("code" in first) {
    process.exitCode = first.code;
    return;
  }
  process.on("SIGHUP", () => started.renew());
  log.note(`listening on ${urlOf(flags.host, first.port)}`);
  await told;
  // Metrics are told to the end.
  await started[Symbol.asyncDispose]();
}

async function runFallback(flags: FallbackFlags): Promise<void> {
  using log = await openServerLog(flags.quiet === true);
  try {
    await (flags.workers > 1 && cluster.isPrimary ? answerInWorkers(flags, log) : answer(flags, log));
  } finally {
    // A worker whose work is over does not wait for orders.
    process.channel?.unref();
  }
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
  addStoreOptions(addListenOptions(command, 8081)).addHelpText("after", EXAMPLES).action(runFallback);
}
