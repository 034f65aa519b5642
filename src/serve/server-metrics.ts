/**
 * What a server counts: requests, their times, what it refused. The numbers stand in memory that threads share, a part for
 * each, and are summed up when they are asked for: so nobody is asked, and one that hangs still counts.
 */
import { ERROR_STATUS } from "../api/errors.ts";
import type { Family, Sample } from "../base/metrics.ts";
import type { ApiResponse } from "./answer.ts";
import { CLOSED_REASONS, type ClosedReason } from "./connections.ts";

type Source = ApiResponse["source"];

/** The fallback has no files. */
const SOURCES: readonly Source[] = ["fallback", "none"];
const CODES = [...new Set([200, 204, 304, 405, ...Object.values(ERROR_STATUS)])].sort((a, b) => a - b);
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Where the numbers of one part stand: requests by source and code, then buckets and sum by source, and the rest. */
const TIMES = SOURCES.length * CODES.length;
const TIMES_OF_SOURCE = BOUNDS.length + 2;
const SHED = TIMES + SOURCES.length * TIMES_OF_SOURCE;
const CLOSED = SHED + 1;
const CONNECTIONS = CLOSED + CLOSED_REASONS.length;
const PART_LENGTH = CONNECTIONS + 1;

/** The part of one thread. */
export class ServerMetrics {
  readonly #part: Float64Array;

  /** `at`: which of the parts. */
  constructor(memory: SharedArrayBuffer, at: number) {
    const bytes = PART_LENGTH * Float64Array.BYTES_PER_ELEMENT;
    this.#part = new Float64Array(memory, at * bytes, PART_LENGTH);
  }

  #add(at: number, value: number): void {
    this.#part[at] = (this.#part[at] ?? 0) + value;
  }

  request(source: Source, status: number, milliseconds: number): void {
    const of = SOURCES.indexOf(source);
    const code = CODES.indexOf(status);
    if (of < 0 || code < 0) return;
    this.#add(of * CODES.length + code, 1);
    const seconds = milliseconds / 1000;
    const bound = BOUNDS.findIndex((most) => seconds <= most);
    const times = TIMES + of * TIMES_OF_SOURCE;
    this.#add(times + (bound < 0 ? BOUNDS.length : bound), 1);
    this.#add(times + BOUNDS.length + 1, seconds);
  }

  shed(): void {
    this.#add(SHED, 1);
  }

  closed(reason: ClosedReason): void {
    this.#add(CLOSED + CLOSED_REASONS.indexOf(reason), 1);
  }

  connection(change: 1 | -1): void {
    this.#add(CONNECTIONS, change);
  }
}

/** Memory for so many parts. */
export function metricsMemory(parts: number): SharedArrayBuffer {
  return new SharedArrayBuffer(parts * PART_LENGTH * Float64Array.BYTES_PER_ELEMENT);
}

/** The sum of all parts. */
function sumUp(memory: SharedArrayBuffer): Float64Array {
  const all = new Float64Array(memory);
  const sum = new Float64Array(PART_LENGTH);
  for (let at = 0; at < all.length; at++) {
    const place = at % PART_LENGTH;
    sum[place] = (sum[place] ?? 0) + (all[at] ?? 0);
  }
  return sum;
}

function durations(sum: Float64Array): Sample[] {
  return SOURCES.flatMap((source, of): Sample[] => {
    const from = TIMES + of * TIMES_OF_SOURCE;
    let count = 0;
    const buckets = [...BOUNDS.map(String), "+Inf"].map((le, bucket): Sample => {
      count += sum[from + bucket] ?? 0;
      return { suffix: "_bucket", labels: { source, le }, value: count };
    });
    return [
      ...buckets,
      { suffix: "_sum", labels: { source }, value: sum[from + BOUNDS.length + 1] ?? 0 },
      { suffix: "_count", labels: { source }, value: count },
    ];
  });
}

export function serverFamilies(memory: SharedArrayBuffer): Family[] {
  const sum = sumUp(memory);
  const requests = SOURCES.flatMap((source, of) =>
    CODES.map((code, at): Sample => {
      return { labels: { source, code: `${code}` }, value: sum[of * CODES.length + at] ?? 0 };
    }),
  );
  const closed = CLOSED_REASONS.map((reason, at) => ({ labels: { reason }, value: sum[CLOSED + at] ?? 0 }));
  const gauge = (name: string, help: string, value: number): Family => {
    return { name, kind: "gauge", help, samples: [{ value }] };
  };
  return [
    { name: "vitrine_requests", kind: "counter", help: "Requests answered or refused.", samples: requests },
    {
      name: "vitrine_request_duration_seconds",
      kind: "histogram",
      unit: "seconds",
      help: "From a request read to its response written, waiting included.",
      samples: durations(sum),
    },
    {
      name: "vitrine_requests_shed",
      kind: "counter",
      help: "Requests refused with 503 because more came than could be answered.",
      samples: [{ value: sum[SHED] ?? 0 }],
    },
    {
      name: "vitrine_connections_closed",
      kind: "counter",
      help: "Connections closed: there was no room (full), or too many requests sent ahead (pipelined).",
      samples: closed,
    },
    gauge("vitrine_connections", "Connections of clients.", sum[CONNECTIONS] ?? 0),
  ];
}
