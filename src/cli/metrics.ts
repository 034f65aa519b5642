/** Exposes the metrics of a command: at an address, or in a file for node_exporter. */
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { InvalidArgumentError } from "commander";
import { CLOCK, type Clock, every } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { makeOpenFolder, OPEN_FILE } from "../base/files.ts";
import {
  formatMetrics,
  gauge,
  type MetricFamily,
  parseSamples,
  type Step,
  StepMetrics,
} from "../base/metrics.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { PublishReport } from "../pipeline/publish.ts";
import type { ObjectsCount } from "../publish/lost-objects.ts";
import { rare, text } from "./options.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads a port with an optional host: `9464`, `0.0.0.0:9464`, `[::]:9464`. */
export function addressOf(text: string): Address {
  const [, host = "127.0.0.1", digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new InvalidArgumentError("Use a port, or an address and a port like 0.0.0.0:9464.");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** Listens for Prometheus; returns its address. */
export async function serveMetrics(
  { host, port }: Address,
  families: () => readonly MetricFamily[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const [{ createMetricsServer }, { listen }] = await Promise.all([
    import("../serve/metrics.ts"),
    import("../serve/http.ts"),
  ]);
  const server = createMetricsServer(families);
  const url = await listen(server, host, port).catch((error: unknown) => {
    throw new VitrineError("usage", `${messageOf(error)}. Choose another with --metrics.`, { cause: error });
  });
  return { url, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

export const METRICS_FLAG = {
  metricsFile: rare(text("<file>", "write metrics of each step to this .prom file, for node_exporter")),
};

function readBefore(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Missing or not readable: counters begin again, as after any loss of the file.
  }
}

/** Metrics of the steps, kept in a file from process to process; without a file, only in memory. */
export class MetricsFile {
  readonly #file: string | undefined;
  readonly #clock: Clock;
  readonly #steps: StepMetrics;
  #published: MetricFamily[] = [];
  #isAlive = false;
  #missedAt: number;
  /** Objects that the last count missed; undefined before the first count. */
  #missingObjects: number | undefined;
  #freshSeconds: number | undefined;

  /** @throws VitrineError write_failed */
  constructor(file: string | undefined, steps: readonly Step[], clock: Clock = CLOCK) {
    this.#clock = clock;
    this.#file = file;
    const before = file === undefined ? "" : readBefore(file);
    this.#steps = new StepMetrics(steps, before, clock);
    const known = parseSamples(before);
    this.#missedAt = known.get(MISSED) ?? 0;
    this.#freshSeconds = known.get(FRESH);
    this.#missingObjects = known.get(MISSING_OBJECTS);
    try {
      this.#write();
    } catch (error) {
      throw explainWriteFailure(error, file ?? "");
    }
  }

  /** Runs a step and writes its metrics. */
  async run<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#steps.run(step, work);
    } finally {
      try {
        this.#write();
      } catch {
        // The constructor could write the file. The step is done, and node_exporter reports the file's age.
      }
    }
  }

  /** For a process that keeps running: regularly writes that it is alive, independent of its steps. */
  stayAlive(): void {
    this.#isAlive = true;
    const write = () => {
      try {
        this.#write();
      } catch {
        // Reported by the file's age, as above.
      }
    };
    write();
    if (this.#file !== undefined) every(ALIVE_MILLISECONDS, write, this.#clock);
  }

  /** Call it when a reading of all rows has found a change that `changed.sql` missed; written with the next step. */
  missed(): void {
    this.#missedAt = this.#clock.now().getTime() / 1000;
  }

  /** Call it after a count of whether the place still has all objects of its kept releases. */
  counted({ missing }: ObjectsCount): void {
    if (this.#missingObjects === missing) return;
    this.#missingObjects = missing;
    try {
      this.#write();
    } catch {
      // As after a step.
    }
  }

  /**
   * Call it when the store's content is live: so many seconds after a watch noticed the change, or null if there was nothing to
   * publish. Without it, no alert could tell a quiet shop from a publish that never runs. Written with the next sign of life.
   */
  live(freshSeconds: number | null): void {
    if (freshSeconds === null) this.#steps.holds("publish");
    else this.#freshSeconds = freshSeconds;
  }

  /** Runs a publish and writes its metrics. */
  async publish(work: () => Promise<PublishReport>): Promise<PublishReport> {
    let hold: unknown = null;
    const report = await this.run("publish", async () => {
      try {
        const done = await work();
        this.#published = [...publishFamilies(done), heldFamily(done.held)];
        return done;
      } catch (error) {
        if (!(error instanceof VitrineError && error.code === "release_held")) throw error;
        // A rollback wanted that: it has its own metric, and is not a failure of the step.
        hold = error;
        this.#published = [heldFamily(true)];
        return null;
      }
    });
    if (report === null) throw hold;
    return report;
  }

  /** Writes a second file and renames it, so that a scraper never reads half of it. */
  #write(): void {
    if (this.#file === undefined) return;
    const alive = this.#isAlive ? [aliveFamily(this.#clock.now().getTime() / 1000)] : [];
    const missing = this.#missingObjects === undefined ? [] : [missingFamily(this.#missingObjects)];
    const text = formatMetrics(
      [
        ...this.#steps.families(),
        missedFamily(this.#missedAt),
        ...(this.#freshSeconds === undefined ? [] : [freshFamily(this.#freshSeconds)]),
        ...this.#published,
        ...missing,
        ...alive,
      ],
      "text",
    );
    // node_exporter runs as another user, so the file must be readable whatever the umask is.
    makeOpenFolder(dirname(this.#file));
    writeFileSync(`${this.#file}.next`, text);
    chmodSync(`${this.#file}.next`, OPEN_FILE);
    renameSync(`${this.#file}.next`, this.#file);
  }
}

/** Well below the two minutes after which the alert takes the process for dead. */
const ALIVE_MILLISECONDS = 15_000;

function aliveFamily(value: number): MetricFamily {
  const help = "When a watch last wrote a sign of life, every 15 s, also while it builds.";
  return gauge("vitrine_watch_alive_timestamp_seconds", help, value, "seconds");
}

const MISSED = "vitrine_changes_missed_timestamp_seconds";

function missedFamily(value: number): MetricFamily {
  const help = "When a reading of all rows last found a change that changed.sql had not shown; 0: never.";
  return gauge(MISSED, help, value, "seconds");
}

const MISSING_OBJECTS = "vitrine_release_objects_missing";

function missingFamily(value: number): MetricFamily {
  const help = "Objects of kept releases that the place has lost, as the last count found, once an hour.";
  return gauge(MISSING_OBJECTS, help, value);
}

const FRESH = "vitrine_freshness_seconds";

function freshFamily(value: number): MetricFamily {
  const help =
    "How long the last release took, from a watch noticing the store's change to the release being live.";
  return gauge(FRESH, help, value, "seconds");
}

function heldFamily(isHeld: boolean): MetricFamily {
  const help =
    "1: a rollback holds the live release, and nothing newer goes live before vitrine publish --resume.";
  return gauge("vitrine_release_held", help, Number(isHeld));
}

function publishFamilies({ counts }: PublishReport): MetricFamily[] {
  const put = counts.new + counts.changed + counts.headers + counts.uncertain;
  const samples = [
    { labels: { kind: "put" }, value: put },
    { labels: { kind: "delete" }, value: counts.deleted },
  ];
  const help = "Objects that the last publish put and deleted.";
  return [
    { name: "vitrine_publish_objects", kind: "gauge", help, samples },
    gauge("vitrine_publish_bytes", "Bytes that the last publish put.", counts.putBytes, "bytes"),
  ];
}
