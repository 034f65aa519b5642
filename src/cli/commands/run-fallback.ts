/** Runs `vitrine fallback`: follows a catalog and answers from it until it is stopped. */
import { hash } from "node:crypto";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MCP_PATH } from "../../api/endpoints.ts";
import { CLOCK, secondsSince } from "../../base/clock.ts";
import { VitrineError } from "../../base/error.ts";
import { makeFolder, PRIVATE_FOLDER } from "../../base/files.ts";
import type { Notes } from "../../base/log.ts";
import { forgive } from "../../base/memory.ts";
import { failureCode, gauge, type Labels, type MetricFamily, StepMetrics } from "../../base/metrics.ts";
import { EXCLUSIVE, takeLock } from "../../base/sqlite.ts";
import { type TemporaryFolder, temporaryFolder } from "../../base/temporary-folder.ts";
import type { createMcpFetch } from "../../mcp/server.ts";
import { TOOL_VERSION } from "../../package.ts";
import { borrowCopy, CatalogCopy, type Polled } from "../../serve/catalog-copy.ts";
import { type CatalogSource, fileSource, followReleases } from "../../serve/catalog-source.ts";
import { createFallback } from "../../serve/fallback.ts";
import { LiveCatalog } from "../../serve/live-catalog.ts";
import { mcpPorts } from "../../serve/mcp.ts";
import { processFamilies, ServerMetrics } from "../../serve/metrics.ts";
import { findOutFolder } from "../inputs.ts";
import { serveMetrics } from "../metrics.ts";
import { openNamedBucket, withPlace } from "../remote.ts";
import { openServerLog, runServer, type ServerLog } from "../server.ts";
import type { FallbackFlags } from "./fallback-flags.ts";

/** Follows the catalog and answers from it until the process is stopped. */
export async function runFallback(flags: FallbackFlags): Promise<void> {
  using log = await openServerLog(flags.quiet === true);
  const polls = new Polls();
  const createMcp = await loadMcp(flags);
  await using place = await openSource(flags, log);
  await using copy = await CatalogCopy.open(place.source, place.home, { log, polled: polls.polled, mayPass });
  using catalog = await LiveCatalog.open(copy.file, log, (error) => copy.replaceIfDamaged(error));
  copy.follow(catalog, { isBehind: catalog.found === null });
  const { server, families } = serverOf(copy, catalog, { ...flags, createMcp }, log, polls);
  await runServer(server, flags, log, () =>
    openMetrics(flags, () => [...polls.steps.families(), ...families()], log),
  );
}

/** Counts how polls went. */
class Polls {
  readonly steps = new StepMetrics(["poll"]);
  /** When a poll last succeeded, from `Clock.elapsed`; before the first one, when the process started. */
  #succeededAt = CLOCK.elapsed();
  /** The error code of the last poll; null if it succeeded. */
  failure: string | null = null;

  /** A release of a newer version counts as a successful look: the fallback stays ready, and another try would change nothing. */
  readonly polled: Polled = ({ seconds, error }) => {
    if (error === null) this.steps.succeeded("poll", seconds);
    else this.steps.failed("poll", seconds, error);
    this.failure = error === null ? null : failureCode(error);
    if (error === null || failureCode(error) === "newer_format") this.#succeededAt = CLOCK.elapsed();
  };

  get ageSeconds(): number {
    return secondsSince(this.#succeededAt);
  }
}

/** Loads the library that answers agents only if `--mcp` asks for it. */
async function loadMcp({ mcp }: FallbackFlags): Promise<typeof createMcpFetch | undefined> {
  return mcp === true ? (await import("../../mcp/server.ts")).createMcpFetch : undefined;
}

async function openSource(given: FallbackFlags, log: Notes): Promise<CopyFolder> {
  if (given.from !== undefined) return openMirrored(given.from, given, log);
  if (given.catalog !== undefined && /^[a-z0-9]+:\/\//.test(given.catalog))
    throw new VitrineError(
      "usage",
      `--catalog takes a file. Write --to ${given.catalog} for a published place.`,
    );
  const namesFile = given.catalog !== undefined || given.out !== undefined;
  const flags = namesFile && given.to === undefined ? given : await withPlace(given);
  if (flags.to === undefined) {
    const home = flags.cache === undefined ? await temporaryFolder() : await passingFolder(flags.cache, log);
    const source = fileSource(resolve(flags.catalog ?? (await findOutFolder(flags)).catalog));
    return { source, home: home.path, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
  }
  const place = flags.to;
  const { releaseSource } = await import("../../publish/release-source.ts");
  const bucket = await openNamedBucket({ ...flags, to: place });
  const home = await homeOf(place, given, log);
  return {
    source: followReleases(releaseSource(bucket)),
    home: home.path,
    async [Symbol.asyncDispose]() {
      bucket[Symbol.dispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The source of the catalog, and a folder for its copy. */
interface CopyFolder extends AsyncDisposable {
  readonly source: CatalogSource;
  readonly home: string;
}

/**
 * A place's folder in `--cache`, where the next process finds the copy. A temporary one while another process uses it, and if the folder
 * cannot be written to: then with the copy that can be read there.
 */
async function keptFolder(place: string, cache: string, log: Notes) {
  const path = join(cache, `catalog-${hash("sha256", place, "hex").slice(0, 16)}`);
  try {
    makeFolder(path, PRIVATE_FOLDER);
    const unlock = takeLock(join(path, ".vitrine-lock"), EXCLUSIVE);
    if (unlock !== null) return { path, [Symbol.asyncDispose]: async () => unlock() };
    log.warn(`another process follows ${place} in ${cache}: this one fetches a second copy`);
    return await temporaryFolder(cache);
  } catch (error) {
    const home = await insteadOf(cache, error, log);
    borrowCopy(path, home.path, log);
    return home;
  }
}

/** A temporary folder, if `--cache` cannot be used. @throws the error, if no memory expects it */
async function insteadOf(cache: string, error: unknown, log: Notes): Promise<TemporaryFolder> {
  forgive(
    { file: cache, what: "the copy of the catalog", follows: `it is kept in ${tmpdir()} until the end`, log },
    error,
  );
  return temporaryFolder();
}

async function openMirrored(from: string, flags: FallbackFlags, log: Notes): Promise<CopyFolder> {
  const { openShop } = await import("../shop-address.ts");
  const { base, source } = await openShop(from, log);
  const home = await homeOf(base, flags, log);
  return {
    source: followReleases(source),
    home: home.path,
    async [Symbol.asyncDispose]() {
      source[Symbol.dispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Without `--cache`, a new temporary folder: others could fill one whose name they can guess. */
function homeOf(place: string, { cache }: FallbackFlags, log: Notes) {
  return cache === undefined ? temporaryFolder() : keptFolder(place, cache, log);
}

/** A folder in `--cache` for a copy that ends with this process. */
async function passingFolder(cache: string, log: Notes): Promise<TemporaryFolder> {
  try {
    makeFolder(cache, PRIVATE_FOLDER);
    return await temporaryFolder(cache);
  } catch (error) {
    return insteadOf(cache, error, log);
  }
}

/**
 * A bucket, a shop or a file may get its first release later, or be out of reach, damaged or closed to these credentials for a
 * while. All that can be mended at the other end, so the fallback tries again. A wrong call stays wrong, and after a bug a new
 * process is the better try: these end it.
 */
function mayPass(error: unknown): boolean {
  return error instanceof VitrineError && !["usage", "config_invalid"].includes(error.code);
}

/** A server that answers from a catalog, and its metrics. */
function serverOf(
  copy: CatalogCopy,
  catalog: LiveCatalog,
  flags: FallbackFlags & { readonly createMcp: typeof createMcpFetch | undefined },
  log: ServerLog,
  polls: Polls,
): { readonly server: Server; readonly families: () => MetricFamily[] } {
  const { createMcp } = flags;
  const replaceIfDamaged = (error: unknown) => copy.replaceIfDamaged(error);
  const agentFailed = (error: unknown) => {
    if (!replaceIfDamaged(error)) log.failed(error, MCP_PATH);
  };
  const metrics = new ServerMetrics();
  const ports = {
    access: log.access,
    failed: log.failed,
    replaceIfDamaged,
    metrics,
    targetHeader: flags.targetHeader === true,
    mostPollAgeSeconds: flags.readyMaxAge,
    pollAgeSeconds: () => polls.ageSeconds,
    pollFailure: () => polls.failure,
    ...(createMcp && { mcp: createMcp(mcpPorts(() => catalog.current, TOOL_VERSION, agentFailed)) }),
  };
  const families = () => [...catalogFamilies(catalog), ...metrics.families(), ...processFamilies()];
  return {
    server: createFallback(() => catalog.found, ports, { connections: flags.maxConnections }),
    families,
  };
}

const PROGRAM = infoFamily("vitrine_build", "The program.", { version: TOOL_VERSION, node: process.version });

/** Metrics of the catalog; before the first catalog only those of the program. */
export function catalogFamilies({
  found,
  appliedSeconds,
}: {
  readonly found: { readonly digest: string; readonly generatedAt: string } | null;
  readonly appliedSeconds: number;
}): MetricFamily[] {
  if (found === null) return [PROGRAM];
  const moment = (name: string, help: string, value: number) =>
    gauge(`vitrine_catalog_${name}_timestamp_seconds`, help, value, "seconds");
  return [
    PROGRAM,
    infoFamily("vitrine_catalog", "The catalog that is answered from.", {
      release: found.digest.slice(0, 12),
    }),
    moment("generated", "When the catalog's content last changed.", Date.parse(found.generatedAt) / 1000),
    moment("applied", "When the fallback began to answer from it.", appliedSeconds),
  ];
}

function infoFamily(name: string, help: string, labels: Labels): MetricFamily {
  return { name, kind: "info", help, samples: [{ labels, value: 1 }] };
}

async function openMetrics(
  { metrics }: FallbackFlags,
  families: () => readonly MetricFamily[],
  log: ServerLog,
): Promise<AsyncDisposable | null> {
  if (metrics === undefined) return null;
  const stopped = await serveMetrics(metrics, families);
  log.info(`metrics at ${stopped.url}/metrics`);
  return stopped;
}
