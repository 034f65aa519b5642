/** How the steps of a pipeline went, as metrics: when each last ran and succeeded, and how often in a row it failed. */
import { type ErrorCode, VitrineError } from "./error.ts";
import { type Family, parseSamples, type Sample, seriesName } from "./metrics.ts";

export type Step = "build" | "publish" | "poll";

const GAUGES = {
  ran: ["vitrine_last_run_timestamp_seconds", "When the step last ended, whatever came of it."],
  succeeded: ["vitrine_last_success_timestamp_seconds", "When the step last succeeded; 0: not yet."],
  took: ["vitrine_last_run_duration_seconds", "How long the step took when it last ran."],
  failed: ["vitrine_consecutive_failures", "How often in a row the step has failed; 0: it succeeded."],
} as const;
type Gauge = keyof typeof GAUGES;
const GAUGE_NAMES = Object.keys(GAUGES) as readonly Gauge[];

const FAILURES = "vitrine_failures";

/** The label of a failure: its permanent code, or `bug`. */
export function failureCode(error: unknown): ErrorCode | "bug" {
  return error instanceof VitrineError ? error.code : "bug";
}

export class StepMetrics {
  readonly #steps: Map<Step, Record<Gauge, number>>;
  readonly #failures: Map<Step, Map<string, number>>;
  readonly #now: () => number;

  /** `before`: what was formatted by another process, which this one follows. */
  constructor(steps: readonly Step[], now: () => number, before = "") {
    const known = parseSamples(before);
    this.#now = now;
    this.#steps = new Map(
      steps.map((step) => {
        const lastOf = (gauge: Gauge) => known.get(seriesName(GAUGES[gauge][0], { step })) ?? 0;
        const state = {
          ran: lastOf("ran"),
          succeeded: lastOf("succeeded"),
          took: lastOf("took"),
          failed: lastOf("failed"),
        };
        return [step, state];
      }),
    );
    this.#failures = new Map(steps.map((step) => [step, new Map([["bug", 0]])]));
    for (const [name, count] of known) {
      const [, code, step] = /^vitrine_failures_total\{code="(\w+)",step="(\w+)"\}$/.exec(name) ?? [];
      if (code !== undefined) this.#failures.get(step as Step)?.set(code, count);
    }
  }

  succeeded(step: Step, seconds: number): void {
    const ran = this.#now() / 1000;
    this.#steps.set(step, { ran, succeeded: ran, took: seconds, failed: 0 });
  }

  failed(step: Step, seconds: number, error: unknown): void {
    const former = this.#steps.get(step);
    const failed = (former?.failed ?? 0) + 1;
    this.#steps.set(step, {
      ran: this.#now() / 1000,
      succeeded: former?.succeeded ?? 0,
      took: seconds,
      failed,
    });
    const counts = this.#failures.get(step) ?? new Map<string, number>();
    this.#failures.set(step, counts.set(failureCode(error), (counts.get(failureCode(error)) ?? 0) + 1));
  }

  /** Runs a step and notes how it went. */
  async run<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    try {
      const result = await work();
      this.succeeded(step, seconds());
      return result;
    } catch (error) {
      this.failed(step, seconds(), error);
      throw error;
    }
  }

  families(): Family[] {
    const steps = [...this.#steps];
    const gauges = GAUGE_NAMES.map((gauge): Family => {
      const [name, help] = GAUGES[gauge];
      const samples = steps.map(([step, state]): Sample => ({ labels: { step }, value: state[gauge] }));
      return { name, kind: "gauge", help, samples, ...(gauge === "failed" ? {} : { unit: "seconds" }) };
    });
    const failures = [...this.#failures].flatMap(([step, counts]) =>
      [...counts].map(([code, value]): Sample => ({ labels: { code, step }, value })),
    );
    const help = "How often a step has failed, by the error's code.";
    return [...gauges, { name: FAILURES, kind: "counter", help, samples: failures }];
  }
}
