/** Metrics as text for Prometheus and its kin: OpenMetrics 1.0, and the older text format. Knows no metric by name. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** Only of histograms. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

export interface Family {
  /** Without `_total` and `_info`, which the kind says: `vitrine_requests`. */
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram" | "info";
  /** The name's last part. */
  readonly unit?: "seconds" | "bytes" | "ratio";
  readonly help: string;
  readonly samples: readonly Sample[];
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
export function seriesName(name: string, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function formatFamily({ name, kind, unit, help, samples }: Family, format: MetricsFormat): string[] {
  const full = name + SUFFIXES[kind];
  // The older format has no info, and names a counter as its samples.
  const [family, type] = format === "openmetrics" ? [name, kind] : [full, kind === "info" ? "gauge" : kind];
  return [
    `# TYPE ${family} ${type}`,
    ...(format === "openmetrics" && unit !== undefined ? [`# UNIT ${family} ${unit}`] : []),
    `# HELP ${family} ${help}`,
    ...samples.map(({ labels, value, suffix = "" }) => `${seriesName(full + suffix, labels)} ${value}`),
  ];
}

/** All families, in one of the two formats. */
export function formatMetrics(families: readonly Family[], format: MetricsFormat): string {
  const lines = families.flatMap((family) => formatFamily(family, format));
  return `${[...lines, ...(format === "openmetrics" ? ["# EOF"] : [])].join("\n")}\n`;
}

/** One of two values of a sample, or both: counts are summed up, of moments the earlier is kept. */
function mergeValues({ kind, unit }: Family, one: number, other: number): number {
  if (kind === "info") return one;
  return kind === "gauge" && unit === "seconds" ? Math.min(one, other) : one + other;
}

/** What several processes tell, as one of them. */
export function sumFamilies(told: readonly (readonly Family[])[]): Family[] {
  const sums = new Map<string, { readonly family: Family; readonly samples: Map<string, Sample> }>();
  for (const family of told.flat()) {
    const { samples } = sums.get(family.name) ?? { samples: new Map<string, Sample>() };
    sums.set(family.name, { family, samples });
    for (const sample of family.samples) {
      const series = seriesName(sample.suffix ?? "", sample.labels);
      const former = samples.get(series);
      const value = former === undefined ? sample.value : mergeValues(family, former.value, sample.value);
      samples.set(series, { ...sample, value });
    }
  }
  return [...sums.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

/** What was written before, by the names that {@link seriesName} gives; lines that are none are passed over. */
export function parseSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([a-z_]+(?:\{[^\n]*\})?) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && Number.isFinite(Number(value))) samples.set(name, Number(value));
  }
  return samples;
}
