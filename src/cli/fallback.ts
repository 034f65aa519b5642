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
import type { AnsweringFlags } from "./answering.ts";
import { addListenOptions, DAY_SECONDS, decimalSeconds, findOut, wholeNumber } from "./inputs.ts";
import { openServerLog } from "./log.ts";
import { type Address, addressOf, serveMetrics } from "./metrics.ts";
import { addStoreOptions, openPlace } from "./remote.ts";
import { type GivenSockets, givenSockets } from "./supervise.ts";

interface FallbackFlags extends AnsweringFlags {
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
  const [{ followRelease }, bucket] = await Promise.all([
    import("../publish/follow-release.ts"),
    openPlace({ ...flags, to: place }),
  ]);
  // Without a folder of its own a new one each time: a name that others could guess, they could fill.
  const folder = flags.cache ?? mkdtempSync(join(tmpdir(), "vitrine-"));
  const name = hash("sha256", place, "hex").slice(0, 16);
  const file = join(folder, `catalog-${name}.sqlite`);
  let tell = async (_: readonly string[]): Promise<void> => {};
  const end = () => {
    bucket.close?.();
    if (flags.cache === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const arrived = ({ deltas }: { readonly deltas: readonly string[] | null }) => tell(deltas ?? []);
  const followed = await followRelease(bucket, file, log, { arrived, looked }).catch((error: unknown) => {
    end();
    throw error;
  });
  return {
    file,
    onArrival: (given) => {
      tell = given;
    },
    [Symbol.dispose]: () => {
      followed.stop();
      end();
    },
  };
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
function pollMetrics(polled: Float64Array): { readonly steps: StepMetrics; readonly looked: Looked } {
  const steps = new StepMetrics(["poll"], Date.now);
  const looked: Looked = ({ seconds, error }) => {
    if (error === null) steps.succeeded("poll", seconds);
    else steps.failed("poll", seconds, error);
    polled[0] = steps.lastSuccess("poll");
  };
  looked({ seconds: 0, error: null });
  return { steps, looked };
}

/** Follows the catalog and answers from it, until it is told to stop. */
async function answer(flags: FallbackFlags, given: GivenSockets | null): Promise<void> {
  const [{ followCatalog }, { metricsMemory, serverFamilies }, { processFamilies }, answering] =
    await Promise.all([
      import("../serve/follow.ts"),
      import("../serve/server-metrics.ts"),
      import("../serve/process-metrics.ts"),
      import("./answering.ts"),
    ]);
  using log = await openServerLog(flags.quiet === true);
  const notes = { info: log.note, progress: () => {} };
  const shared = {
    metrics: metricsMemory(given?.sockets.length ?? 1),
    polled: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  };
  const { steps, looked } = pollMetrics(shared.polled);
  using local = await bringCatalog(flags, notes, looked);
  const { mirror, run } = await (given === null
    ? answering.answerHere(flags, shared, log)
    : answering.answerInThreads(given, flags, shared, log));
  const options = { copyTo: flags.cache ?? tmpdir(), looked: local.looked, mirror };
  await using catalog = await followCatalog(local.file, notes, options);
  local.onArrival(catalog.follow);
  const families = () => [
    ...catalogFamilies(catalog.current(), catalog.appliedSeconds()),
    ...steps.families(),
    ...serverFamilies(shared.metrics),
    ...processFamilies(),
  ];
  await run(
    () => catalog.current(),
    async () => {
      if (flags.metrics === undefined) return null;
      const metrics = await serveMetrics(given?.metrics ?? flags.metrics, families);
      notes.info(`metrics at ${metrics.url}/metrics`);
      return metrics;
    },
  );
}

async function runFallback(flags: FallbackFlags): Promise<void> {
  const given = givenSockets();
  if (flags.workers === 1 || given !== null) return answer(flags, given);
  const { supervise } = await import("./supervise.ts");
  const { metrics, workers } = flags;
  const log = (message: string) => process.stderr.write(`${message}\n`);
  return supervise({ address: flags, metrics, workers, log });
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
      "threads that answer, sharing the lists in memory: one for each core; SIGHUP then starts anew",
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
