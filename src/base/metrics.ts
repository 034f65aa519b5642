/**
 * Metrics as text for Prometheus and compatible readers: OpenMetrics 1.0, and the older text format. Also the metrics that
 * every pipeline has: how its steps went.
 */
import { CLOCK, type Clock, secondsSince } from "./clock.ts";
import { type ErrorCode, VitrineError } from "./error.ts";
import { explainMachineFailure } from "./write-failure.ts";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** For histograms only. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

export interface MetricFamily {
  /** Without `_total` and `_info`, which follow from the kind: `vitrine_requests`. */
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram" | "info";
  /** The name's last part. */
  readonly unit?: "seconds" | "bytes" | "ratio";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A gauge with one value. */
export function gauge(name: string, help: string, value: number, unit?: MetricFamily["unit"]): MetricFamily {
  return { name, kind: "gauge", help, samples: [{ value }], ...(unit === undefined ? {} : { unit }) };
}

/** A counter by one label, or with one value. */
export function counter(name: string, help: string, ...samples: readonly Sample[]): MetricFamily {
  return { name, kind: "counter", help, samples };
}

export type MetricsFormat = "openmetrics" | "text";

export const METRICS_TYPES: Readonly<Record<MetricsFormat, string>> = {
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  text: "text/plain; version=0.0.4; charset=utf-8",
};

const SUFFIXES = { counter: "_total", info: "_info", gauge: "", histogram: "" } as const;

function escapeLabel(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

/** `("vitrine_failures_total", { step: "build" })` → `vitrine_failures_total{step="build"}` */
function seriesName(name: string, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function formatFamily({ name, kind, unit, help, samples }: MetricFamily, format: MetricsFormat): string[] {
  const full = name + SUFFIXES[kind];
  // The older format has no info type, and names a counter like its samples.
  const [family, type] = format === "openmetrics" ? [name, kind] : [full, kind === "info" ? "gauge" : kind];
  return [
    `# TYPE ${family} ${type}`,
    ...(format === "openmetrics" && unit !== undefined ? [`# UNIT ${family} ${unit}`] : []),
    `# HELP ${family} ${help}`,
    ...samples.map(({ labels, value, suffix = "" }) => `${seriesName(full + suffix, labels)} ${value}`),
  ];
}

/** All families, in one of the two formats. */
export function formatMetrics(families: readonly MetricFamily[], format: MetricsFormat): string {
  const lines = families.flatMap((family) => formatFamily(family, format));
  return `${[...lines, ...(format === "openmetrics" ? ["# EOF"] : [])].join("\n")}\n`;
}

/** Earlier output as values by the names that {@link seriesName} makes; other lines are ignored. */
export function parseSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([a-z_]+(?:\{[^\n]*\})?) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && Number.isFinite(Number(value))) samples.set(name, Number(value));
  }
  return samples;
}

/** A step of a pipeline whose runs are counted and timed. */
export type Step = "build" | "publish" | "poll";

const GAUGES = {
  ran: ["vitrine_last_run_timestamp_seconds", "When the step last ended, successfully or not."],
  succeeded: [
    "vitrine_last_success_timestamp_seconds",
    "When the step last succeeded, or a watch found that there was nothing to publish; 0: not yet.",
  ],
  took: ["vitrine_last_run_duration_seconds", "How long the step took when it last ran."],
  failed: ["vitrine_consecutive_failures", "How often in a row the step has failed; 0: it succeeded."],
} as const;
type Gauge = keyof typeof GAUGES;
const GAUGE_NAMES = Object.keys(GAUGES) as readonly Gauge[];

const FAILURES = "vitrine_failures";

/** The label of a failure: its permanent code, or `bug`. */
export function failureCode(error: unknown): ErrorCode | "bug" {
  const explained = explainMachineFailure(error);
  return explained instanceof VitrineError ? explained.code : "bug";
}

export class StepMetrics {
  readonly #steps: Map<Step, Record<Gauge, number>>;
  readonly #failures: Map<Step, Map<string, number>>;
  readonly #clock: Clock;

  /** `before`: the metrics text of the process that this one continues. */
  constructor(steps: readonly Step[], before = "", clock: Clock = CLOCK) {
    const known = parseSamples(before);
    this.#clock = clock;
    this.#steps = new Map(
      steps.map((step) => {
        const lastOf = (name: Gauge) => known.get(seriesName(GAUGES[name][0], { step })) ?? 0;
        return [
          step,
          {
            ran: lastOf("ran"),
            succeeded: lastOf("succeeded"),
            took: lastOf("took"),
            failed: lastOf("failed"),
          },
        ];
      }),
    );
    this.#failures = new Map(steps.map((step) => [step, new Map([["bug", 0]])]));
    for (const [name, count] of known) {
      const [, code, step] = /^vitrine_failures_total\{code="(\w+)",step="(\w+)"\}$/.exec(name) ?? [];
      if (code !== undefined) this.#failures.get(step as Step)?.set(code, count);
    }
  }

  /** Seconds since 1970. */
  get #now(): number {
    return this.#clock.now().getTime() / 1000;
  }

  succeeded(step: Step, seconds: number): void {
    const ran = this.#now;
    this.#steps.set(step, { ran, succeeded: ran, took: seconds, failed: 0 });
  }

  /** The step did not have to run: its result is current. */
  holds(step: Step): void {
    const former = this.#steps.get(step);
    if (former !== undefined) this.#steps.set(step, { ...former, succeeded: this.#now });
  }

  failed(step: Step, seconds: number, error: unknown): void {
    const former = this.#steps.get(step);
    const failed = (former?.failed ?? 0) + 1;
    this.#steps.set(step, {
      ran: this.#now,
      succeeded: former?.succeeded ?? 0,
      took: seconds,
      failed,
    });
    const counts = this.#failures.get(step) ?? new Map<string, number>();
    this.#failures.set(step, counts.set(failureCode(error), (counts.get(failureCode(error)) ?? 0) + 1));
  }

  /** Runs a step and records its time and outcome. */
  async run<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
    const started = this.#clock.elapsed();
    const seconds = () => secondsSince(started, this.#clock);
    try {
      const result = await work();
      this.succeeded(step, seconds());
      return result;
    } catch (error) {
      this.failed(step, seconds(), error);
      throw error;
    }
  }

  families(): MetricFamily[] {
    const steps = [...this.#steps];
    const gauges = GAUGE_NAMES.map((about): MetricFamily => {
      const [name, help] = GAUGES[about];
      const samples = steps.map(([step, state]): Sample => ({ labels: { step }, value: state[about] }));
      return { name, kind: "gauge", help, samples, ...(about === "failed" ? {} : { unit: "seconds" }) };
    });
    const failures = [...this.#failures].flatMap(([step, counts]) =>
      [...counts].map(([code, value]): Sample => ({ labels: { code, step }, value })),
    );
    return [...gauges, counter(FAILURES, "How often a step has failed, by the error's code.", ...failures)];
  }
}
