/** What a server counts: requests, their times, what it refused. */
import { ERROR_STATUS } from "../api/errors.ts";
import type { Family, Sample } from "../base/metrics.ts";
import type { ApiResponse } from "./answer.ts";
import { CLOSED_REASONS, type ClosedReason } from "./connections.ts";

type Source = ApiResponse["source"];

const SOURCES: readonly Source[] = ["fallback", "none"];
/** Told from the start, so that a rate sees the first one. */
const STATUSES = [200, 204, 302, 304, 308, ...Object.values(ERROR_STATUS)];
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

class SourceMetrics {
  readonly statuses = new Map([...new Set(STATUSES)].sort((a, b) => a - b).map((status) => [status, 0]));
  /** By the bound that they stay below, the last one being none. */
  readonly buckets: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  seconds = 0;

  add(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const bound = BOUNDS.findIndex((most) => seconds <= most);
    const bucket = bound < 0 ? BOUNDS.length : bound;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.seconds += seconds;
  }

  durations(source: Source): Sample[] {
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

  request(source: Source, status: number, milliseconds: number): void {
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

  families(): Family[] {
    const sources = [...this.#sources];
    const requests = sources.flatMap(([source, { statuses }]) =>
      [...statuses].map(([status, value]): Sample => ({ labels: { source, code: `${status}` }, value })),
    );
    return [
      { name: "vitrine_requests", kind: "counter", help: "Requests answered or refused.", samples: requests },
      {
        name: "vitrine_request_duration_seconds",
        kind: "histogram",
        unit: "seconds",
        help: "From a request read to its response written.",
        samples: sources.flatMap(([source, metrics]) => metrics.durations(source)),
      },
      {
        name: "vitrine_requests_shed",
        kind: "counter",
        help: "Requests refused with 503 because more came than could be answered.",
        samples: [{ value: this.#shed }],
      },
      {
        name: "vitrine_connections_closed",
        kind: "counter",
        help: "Connections closed: there was no room (full), or too many requests sent ahead (pipelined).",
        samples: [...this.#closed].map(([reason, value]) => ({ labels: { reason }, value })),
      },
      {
        name: "vitrine_connections",
        kind: "gauge",
        help: "Connections of clients.",
        samples: [{ value: this.#connections }],
      },
    ];
  }
}
