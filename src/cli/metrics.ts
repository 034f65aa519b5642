/** Where commands tell their metrics: at an address of their own, or in a file for node_exporter. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { messageOf, VitrineError } from "../base/error.ts";
import { type Family, formatMetrics } from "../base/metrics.ts";
import { type Step, StepMetrics } from "../base/step-metrics.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { PublishReport } from "../publish-snapshot.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads an option's port, before which a host may stand: `9464`, `0.0.0.0:9464`, `[::]:9464`. */
export function addressOf(text: string): Address {
  const [, host = "127.0.0.1", digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new InvalidArgumentError("Use a port, or an address and a port like 0.0.0.0:9464.");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** Listens for Prometheus, at an address or on a bound socket; resolves to its address. */
export async function serveMetrics(
  place: Address | number,
  families: () => readonly Family[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const [{ createMetricsServer }, { listen, listenOn }] = await Promise.all([
    import("../serve/metrics-server.ts"),
    import("../serve/http.ts"),
  ]);
  const server = createMetricsServer(families);
  const ending = { [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
  if (typeof place === "number") return { ...ending, url: await listenOn(server, place) };
  const url = await listen(server, place.host, place.port).catch((error: unknown) => {
    throw new VitrineError("usage", `${messageOf(error)}. Choose another with --metrics.`, { cause: error });
  });
  return { ...ending, url };
}

export function addMetricsFileOption(command: Command): Command {
  return command.option(
    "--metrics-file <file>",
    "write there how each step went, for node_exporter's textfile collector: a name that ends in .prom",
  );
}

function readBefore(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // There is none yet.
  }
}

/** How steps went, kept in a file from process to process. Without a file, only in memory. */
export class MetricsFile {
  readonly #file: string | undefined;
  readonly #steps: StepMetrics;
  #published: Family[] = [];

  /** @throws VitrineError write_failed */
  constructor(file: string | undefined, steps: readonly Step[]) {
    this.#file = file;
    this.#steps = new StepMetrics(steps, Date.now, file === undefined ? "" : readBefore(file));
    try {
      this.#write();
    } catch (error) {
      throw explainWriteFailure(error, file ?? "");
    }
  }

  /** Runs a step, and writes how it went. */
  async run<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#steps.run(step, work);
    } finally {
      try {
        this.#write();
      } catch {
        // It could be written at the start. The step has been done; node_exporter tells that the file has grown old.
      }
    }
  }

  /** Runs a publish, and writes how it went and what it did. */
  publish(work: () => Promise<PublishReport>): Promise<PublishReport> {
    return this.run("publish", async () => {
      const report = await work();
      this.#published = publishFamilies(report);
      return report;
    });
  }

  /** Beside it first: a scraper never reads half of it. */
  #write(): void {
    if (this.#file === undefined) return;
    const text = formatMetrics([...this.#steps.families(), ...this.#published], "text");
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.next`, text);
    renameSync(`${this.#file}.next`, this.#file);
  }
}

function publishFamilies({ counts }: PublishReport): Family[] {
  const put = counts.new + counts.changed + counts.headers + counts.uncertain;
  return [
    {
      name: "vitrine_publish_objects",
      kind: "gauge",
      help: "Objects that the last publish put and deleted.",
      samples: [
        { labels: { kind: "put" }, value: put },
        { labels: { kind: "delete" }, value: counts.deleted },
      ],
    },
    {
      name: "vitrine_publish_bytes",
      kind: "gauge",
      unit: "bytes",
      help: "Bytes that the last publish put.",
      samples: [{ value: counts.putBytes }],
    },
  ];
}
