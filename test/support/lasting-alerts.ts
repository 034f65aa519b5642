/**
 * Which alerts fire while a state lasts: metrics that processes gave, laid out over hours, and judged by Prometheus' own tests of rules,
 * whose time is simulated. The rules are as shipped, with all their times.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSamples } from "../../src/base/metrics.ts";

/** One target's answer to Prometheus, and when it came. */
interface Scrape {
  readonly job: string;
  readonly instance: string;
  /** Null: no answer. */
  readonly text: string | null;
  readonly atSeconds: number;
}
/** Answers of all targets at about the same moment. */
export type State = readonly Scrape[];

const RULES = "templates/operate/prometheus/alerts.yml";
/** Each state lasts so long; the newest one longer than any alert waits that is for failures, and shorter than for old builds. */
const PAST_MINUTES = 2;
const LASTING_MINUTES = 90;

type Samples = ReadonlyMap<string, number>;

/** `up` and all samples of a state, by their series with its target: `up{job="vitrine-publish",instance="127.0.0.1:9100"}`. */
function samplesOf(state: State): Samples {
  const samples = new Map<string, number>();
  for (const { job, instance, text } of state) {
    const target = `job="${job}",instance="${instance}"`;
    samples.set(`up{${target}}`, Number(text !== null));
    for (const [series, value] of parseSamples(text ?? "")) {
      const [name = "", labels = ""] = series.split(/[{}]/);
      samples.set(`${name}{${target}${labels === "" ? "" : `,${labels}`}}`, value);
    }
  }
  return samples;
}

/** A value of a series in a state, by the minute of the state; null: none. */
type Values = (series: string, minute: number) => number | null;

/** @param begins in minutes @param before the state before; null: counters stand still */
function valuesOf(state: State, begins: number, before: Samples | null): Values {
  const samples = samplesOf(state);
  const atSeconds = Math.max(...state.map((scrape) => scrape.atSeconds));
  return (series, minute) => {
    const value = samples.get(series);
    if (value === undefined) return null;
    if (/^\w+_timestamp_seconds\{/.test(series)) {
      if (value === 0) return 0;
      // While a step fails, it has no newer success; what else has a date is done again and again.
      const failures = series.replace(/^\w+/, "vitrine_consecutive_failures");
      const isOver = series.startsWith("vitrine_last_success_") && (samples.get(failures) ?? 0) > 0;
      return 60 * (begins + (isOver ? 0 : minute)) - (atSeconds - value);
    }
    if (before !== null && /^\w+_(?:total|bucket|count|sum)\{/.test(series))
      return value + minute * Math.max(0, value - (before.get(series) ?? value));
    return value;
  };
}

export class LastingAlerts {
  readonly #folder: string;
  #past: State[] = [];

  /** @param folder for promtool's file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was before no longer matters. */
  forget(): void {
    this.#past = [];
  }

  /**
   * Expects exactly these alerts to fire while a state lasts, after the states before it. Returns what promtool says against it, or "".
   * `only`: others may fire, too. `isGrowing`: counters go on as they did since the state before.
   */
  judge(
    state: State,
    wanted: readonly { readonly alert: string; readonly instance: string }[],
    { only, isGrowing = false }: { readonly only?: string; readonly isGrowing?: boolean } = {},
  ): string {
    const states = [...this.#past, state];
    const begins = PAST_MINUTES * this.#past.length;
    const before = this.#past.at(-1);
    const lanes = states.map((one, at) => {
      const growth = one === state && isGrowing && before !== undefined ? samplesOf(before) : null;
      return valuesOf(one, PAST_MINUTES * at, growth);
    });
    const lengths = states.map((one) => (one === state ? LASTING_MINUTES + 1 : PAST_MINUTES));
    const names = new Set(states.flatMap((one) => [...samplesOf(one).keys()]));
    const input_series = [...names].map((series) => {
      let last: number | null = null;
      const values = lanes.flatMap((valueAt, at) =>
        Array.from({ length: lengths[at] ?? 0 }, (_, minute) => {
          const value = valueAt(series, minute);
          const text = value === null ? (last === null ? "_" : "stale") : String(value);
          last = value;
          return text;
        }),
      );
      return { series, values: values.join(" ") };
    });
    const firing = `ALERTS{alertstate="firing"${only === undefined ? "" : `,alertname="${only}"`}}`;
    const expr = `group by (alertname, instance) (max_over_time(${firing}[${LASTING_MINUTES}m]))`;
    const exp_samples = wanted.map(({ alert, instance }) => ({
      labels: `{alertname="${alert}"${instance === "" ? "" : `, instance="${instance}"`}}`,
      value: 1,
    }));
    const eval_time = `${begins + LASTING_MINUTES}m`;
    const tests = [{ interval: "1m", input_series, promql_expr_test: [{ expr, eval_time, exp_samples }] }];
    const file = join(this.#folder, "lasting.yml");
    writeFileSync(file, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: "1m", tests }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    return status === 0 ? "" : `${stdout}${stderr}`;
  }

  /** The state is one of those before. */
  add(state: State): void {
    this.#past.push(state);
  }
}
