/** The table of docs/metrics.md, made from what a scraper reads: each metric with its labels and its help text. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLOCK, type Clock } from "../../src/base/clock.ts";
import { formatMetrics, StepMetrics } from "../../src/base/metrics.ts";
import { catalogFamilies } from "../../src/cli/commands/run-fallback.ts";
import { MetricsFile } from "../../src/cli/metrics.ts";
import type { PublishReport } from "../../src/pipeline/publish.ts";
import { processFamilies, ServerMetrics } from "../../src/serve/metrics.ts";

/** Absolute path of the page. */
export const METRICS_PAGE = fileURLToPath(new URL("../../docs/metrics.md", import.meta.url));

/** Replaces the table of the page. */
export async function fillMetrics(page: string): Promise<string> {
  const [fallback, file] = [readMetrics(fallbackText()), readMetrics(await fileText())];
  const rows = [...new Map([...fallback, ...file])].map(([name, { labels, help }]) => {
    const from = [fallback.has(name) ? "fallback" : "", file.has(name) ? "file" : ""];
    const by = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${from.filter((each) => each !== "").join(", ")} | ${by} | ${help} |`;
  });
  const head = ["| metric | from | labels | is |", "| --- | --- | --- | --- |"];
  return page.replace(/^\| metric \|.*\n(?:\|.*\n)*/m, `${[...head, ...rows].join("\n")}\n`);
}

/** What a fallback answers to a scraper. */
function fallbackText(): string {
  const found = { digest: "", generatedAt: "2026-01-01T00:00:00Z" };
  const families = [
    ...catalogFamilies({ found, appliedSeconds: 0 }),
    ...new StepMetrics(["poll"]).families(),
    ...new ServerMetrics().families(),
    ...processFamilies(),
  ];
  return formatMetrics(families, "text");
}

/** A second sign of life would make the folder again. */
const STOPPED: Clock = { ...CLOCK, sleep: () => new Promise(() => undefined) };

/** The file of a `watch` that has built, published and counted. */
async function fileText(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-metrics-"));
  try {
    const file = join(folder, "vitrine.prom");
    const metrics = new MetricsFile(file, ["build", "publish"], STOPPED);
    metrics.live(1);
    const counts = { new: 0, changed: 0, headers: 0, uncertain: 0, deleted: 0, kept: 0, putBytes: 0 };
    await metrics.publish(async () => ({ counts, held: false }) as PublishReport);
    metrics.counted({ lookedAt: "", missing: 0, releases: [], isLive: false });
    metrics.stayAlive();
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Metric {
  readonly help: string;
  readonly labels: readonly string[];
}

function readMetrics(text: string): Map<string, Metric> {
  const helps = text.matchAll(/^# HELP (\w+) (.*)$/gm);
  return new Map(
    [...helps].map(([, name = "", help = ""]) => {
      const samples = [...text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, "gm"))];
      const labels = samples.flatMap(([, pairs = ""]) =>
        [...pairs.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      );
      return [name, { help, labels: [...new Set(labels)] }];
    }),
  );
}
