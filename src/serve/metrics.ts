/** A server's metrics for Prometheus: its own counters, those of its process, and a server that exposes them. */
import { createServer, type Server } from "node:http";
import { ERROR_STATUS } from "../api/errors.ts";
import { CLOCK } from "../base/clock.ts";
import {
  counter,
  formatMetrics,
  gauge,
  METRICS_TYPES,
  type MetricFamily,
  type MetricsFormat,
  type Sample,
} from "../base/metrics.ts";
import type { ApiResponse } from "./answer.ts";
import { CLOSED_REASONS, type ClosedReason } from "./connections.ts";

type AnswerSource = ApiResponse["source"];

const SOURCES: readonly AnswerSource[] = ["fallback", "none"];
/** Reported from the start with 0, so that a rate includes the first one. */
const STATUSES = [200, 204, 302, 304, 308, ...Object.values(ERROR_STATUS)];
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

class SourceMetrics {
  readonly statuses = new Map([...new Set(STATUSES)].sort((a, b) => a - b).map((status) => [status, 0]));
  /** Counts by upper bound; the last one has no bound. */
  readonly buckets: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  seconds = 0;

  add(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const bound = BOUNDS.findIndex((most) => seconds <= most);
    const bucket = bound < 0 ? BOUNDS.length : bound;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.seconds += seconds;
  }

  durations(source: AnswerSource): Sample[] {
    let count = 0;
    const buckets = [...BOUNDS.map(String), "+Inf"].map((le, at): Sample => {
      count += this.buckets[at] ?? 0;
      return { suffix: "_bucket", labels: { source, le }, value: count };
    });
    return [
      ...buckets,
      { suffix: "_sum", labels: { source }, value: this.seconds },
      { suffix: "_count", labels: { source }, value: count },
    ];
  }
}

export class ServerMetrics {
  readonly #sources = new Map(SOURCES.map((source) => [source, new SourceMetrics()]));
  readonly #closed = new Map(CLOSED_REASONS.map((reason) => [reason, 0]));
  #shed = 0;
  #connections = 0;

  request(source: AnswerSource, status: number, milliseconds: number): void {
    this.#sources.get(source)?.add(status, milliseconds / 1000);
  }

  shed(): void {
    this.#shed += 1;
  }

  closed(reason: ClosedReason): void {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
  }

  connection(change: 1 | -1): void {
    this.#connections += change;
  }

  families(): MetricFamily[] {
    const sources = [...this.#sources];
    const requests = sources.flatMap(([source, { statuses }]) =>
      [...statuses].map(([status, value]): Sample => ({ labels: { source, code: `${status}` }, value })),
    );
    const closed = [...this.#closed].map(([reason, value]) => ({ labels: { reason }, value }));
    return [
      counter(
        "vitrine_requests",
        "Responses, also to probes; source: the catalog was asked (fallback), or it was not (none).",
        ...requests,
      ),
      {
        name: "vitrine_request_duration_seconds",
        kind: "histogram",
        unit: "seconds",
        help: "From a request read to its response written.",
        samples: sources.flatMap(([source, metrics]) => metrics.durations(source)),
      },
      counter(
        "vitrine_requests_shed",
        "Requests refused with 503 because more came than could be answered.",
        {
          value: this.#shed,
        },
      ),
      counter(
        "vitrine_connections_closed",
        "Connections closed: there was no room (full), or too many requests sent ahead (pipelined).",
        ...closed,
      ),
      gauge("vitrine_connections", "Connections of clients.", this.#connections),
    ];
  }
}

/** Computed once, in whole seconds: the clocks give a different fraction each time, and each would count as a restart. */
const STARTED = Math.round(CLOCK.now().getTime() / 1000 - process.uptime());

/** Metrics of the process, the same for every program. */
export function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const value = (user + system) / 1e6;
  return [
    {
      ...counter("process_cpu_seconds", "Processor time used, user and system.", { value }),
      unit: "seconds",
    },
    gauge(
      "process_resident_memory_bytes",
      "Memory that the process holds.",
      process.memoryUsage.rss(),
      "bytes",
    ),
    gauge("process_start_time_seconds", "When the process started, since 1970.", STARTED, "seconds"),
  ];
}

/** OpenMetrics if the scraper accepts it. */
function formatFor(accept: string | undefined): MetricsFormat {
  return accept?.includes("application/openmetrics-text") === true ? "openmetrics" : "text";
}

/** A separate server for `/metrics`, so that no edge exposes it; it does not listen yet. */
export function createMetricsServer(families: () => readonly MetricFamily[]): Server {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("Metrics are at /metrics.\n");
      return;
    }
    const format = formatFor(request.headers.accept);
    const text = formatMetrics(families(), format);
    response.writeHead(200, { "Content-Type": METRICS_TYPES[format], "Cache-Control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : text);
  });
  server.maxConnections = 16;
  return server;
}
