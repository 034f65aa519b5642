/** `vitrine plan` */
import type { Command } from "commander";
import { formatBytes, formatCount } from "../base/log.ts";
import { nameOf } from "../render/bands.ts";
import type { Plan, PlannedBand } from "../render/plan.ts";
import { type EndpointSummary, summarise } from "../render/plan-summary.ts";
import { addBuildOptions, type BuildFlags, resolveBuild } from "./inputs.ts";
import { printResult, terminalLog } from "./terminal.ts";

/** Price of 1,000 PUT requests in US dollars: S3 Standard, us-east-1. Others differ; the count is what counts. */
const DOLLARS_PER_1000_PUTS = 0.005;

const EXAMPLES = `
Examples:
  vitrine plan --store shop.sqlite
  vitrine plan --store shop.sqlite --verbose
  vitrine plan --store shop.sqlite --explain
  vitrine plan --store shop.sqlite --json`;

interface PlanFlags extends BuildFlags {
  readonly verbose?: true;
  readonly explain?: true;
}

function weightOf({ files, sizeBytes }: { readonly files: number; readonly sizeBytes: number }): string {
  return `${formatCount(files).padStart(10)} files ${formatBytes(sizeBytes).padStart(10)}`;
}

/** `94 %`; never 100 where something is missing. */
function formatShare({ files, of }: EndpointSummary["firstPages"]): string {
  return `${of === 0 ? 0 : Math.floor((100 * files) / of)} %`;
}

/** `1,204 of 58,400 first pages (2 %); 120 pages and 58,000 by id left to the fallback` */
function whatIsStatic({ firstPages, leftOut }: EndpointSummary): string {
  const { files, of } = firstPages;
  if (of === 0) return "always the fallback's";
  const single = of === 1 && files === 1;
  const first = single
    ? "its one page"
    : files === of
      ? `all ${formatCount(of)} first pages`
      : `${formatCount(files)} of ${formatCount(of)} first pages (${formatShare(firstPages)})`;
  const left = [
    ...(leftOut.pages > 0 ? [`${formatCount(leftOut.pages)} pages`] : []),
    ...(leftOut.byId > 0 ? [`${formatCount(leftOut.byId)} by id`] : []),
  ];
  return left.length === 0 ? first : `${first}; ${left.join(" and ")} left to the fallback`;
}

function bandLines(plan: Plan): string[] {
  const row = (planned: PlannedBand) => `${weightOf(planned)}  ${nameOf(planned)}`;
  const left = plan.bands.filter((band) => !band.kept);
  return [
    "",
    "Files, the most important first:",
    ...plan.bands.filter((band) => band.kept).map(row),
    ...(left.length === 0 ? [] : ["Left out for maxFiles, answered by the fallback:", ...left.map(row)]),
  ];
}

interface PlanResult {
  readonly plan: Plan;
  readonly endpoints: readonly EndpointSummary[];
  readonly uploadDollars: number;
}

function linesOf({ plan, endpoints, uploadDollars }: PlanResult, pages: number | undefined): string[] {
  const width = Math.max(...endpoints.map(({ endpoint }) => endpoint.length));
  return [
    ...endpoints.map((one) => `${one.endpoint.padEnd(width)} ${weightOf(one)}  ${whatIsStatic(one)}`),
    `${"in all".padEnd(width)} ${weightOf(plan)}`,
    `A first upload is ${formatCount(plan.files)} PUT requests, about $${uploadDollars.toFixed(2)} at $${DOLLARS_PER_1000_PUTS} a thousand.`,
    ...(pages === undefined ? [] : [`Pages after ${formatCount(pages)} are the fallback's (grid.pages).`]),
  ];
}

/** `vitrine plan --explain`: what reading the store takes, file by file. */
async function explain(flags: PlanFlags): Promise<void> {
  const { explainStore } = await import("../plan.ts");
  const files = await explainStore(await resolveBuild(flags));
  const lines = files.flatMap(({ file, rows, seconds, plan }) => [
    `${file}: ${formatCount(rows)} ${rows === 1 ? "row" : "rows"} in ${seconds.toFixed(3)} s`,
    ...plan.map((step) => `  ${step}`),
  ]);
  printResult(flags.json === true, { files }, lines);
}

export function addPlan(program: Command): void {
  addBuildOptions(
    program.command("plan").description("say which files a build would make, and what they cost"),
  )
    .option("--verbose", "also list every family of the grid and its pages")
    .option("--explain", "instead, read the store: rows, time and the database's plan of each SQL file")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: PlanFlags) => {
      if (flags.explain === true) return explain(flags);
      const { runStage } = await import("./stages.ts");
      const inputs = await resolveBuild(flags);
      const plan = await runStage("plan", inputs, terminalLog(flags.json === true));
      const endpoints = summarise(plan, inputs.config);
      const uploadDollars = (plan.files / 1000) * DOLLARS_PER_1000_PUTS;
      const lines = linesOf({ plan, endpoints, uploadDollars }, inputs.config.grid.pages);
      if (flags.verbose === true) lines.push(...bandLines(plan));
      printResult(flags.json === true, { ...jsonOf(plan), endpoints, uploadDollars }, lines);
    });
}

/** A plan as plain data; the last page of a band without one is null. */
function jsonOf({ files, sizeBytes, bands }: Plan): object {
  return {
    files,
    sizeBytes,
    bands: bands.map(({ band, ...weight }) => ({
      family: band.family.name,
      firstPage: band.firstPage,
      lastPage: band.lastPage === Infinity ? null : band.lastPage,
      form: band.form,
      ...weight,
    })),
  };
}
