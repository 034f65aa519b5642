/** `vitrine build` */
import type { PublicConfig } from "../../api/config.ts";
import { formatBytes, formatCount } from "../../base/log.ts";
import type { BuildReport } from "../../pipeline/build-report.ts";
import { feedLines, leftOutLines, notPublicLines, summaryLines } from "../build-summary.ts";
import { BUILD_FLAGS, type BuildFlags, FORCE_FLAG, resolveBuild, SHRINK_FLAG, WAIT_FLAG } from "../inputs.ts";
import { commandOf, flag } from "../options.ts";
import { printSummary, terminalLog } from "../terminal.ts";

/** Says how many files the plan leaves out, and how many were too large. */
function leftOutFiles(
  { leftToFallback, plannedFiles, files }: BuildReport,
  { grid }: PublicConfig,
): string[] {
  const left = leftToFallback.reduce((sum, band) => sum + band.files, 0);
  const tooLarge = plannedFiles - files;
  return [
    ...(left === 0
      ? []
      : [
          `${formatCount(left)} more are left to the fallback (grid.pages, grid.maxFiles): vitrine plan shows which`,
        ]),
    ...(tooLarge === 0
      ? []
      : [
          `${formatCount(tooLarge)} planned files are larger than ${formatBytes(grid.maxFileBytes ?? 0)} (grid.maxFileBytes) and were not made`,
        ]),
  ];
}

export async function buildAndReport(flags: BuildFlags): Promise<void> {
  const { buildOnce } = await import("../../pipeline/once.ts");
  const inputs = await resolveBuild(flags);
  const log = terminalLog(flags.json === true);
  const report = await buildOnce(inputs, log).finally(() => log.done());
  const { leftToFallback, nextChangeAt } = report;
  const { extract, render, commit } = report.seconds;
  const { first, last } = notPublicLines(report.notPublic, report.records.product ?? 0);
  const lines = [
    ...first,
    ...summaryLines(report),
    `${formatCount(report.files)} files, ${formatBytes(report.sizeBytes)}: ${formatCount(report.written)} written, ` +
      `${formatCount(report.deleted)} deleted, the others unchanged`,
    `extracted in ${extract.toFixed(1)} s, rendered in ${render.toFixed(1)} s, put in place in ${commit.toFixed(1)} s`,
    ...leftOutLines(report),
    ...feedLines(report.feeds, inputs.config.grid.maxFileBytes),
    ...last,
    ...leftOutFiles(report, inputs.config),
    ...(nextChangeAt === null ? [] : [`the next scheduled change, a sale or a post, is at ${nextChangeAt}`]),
  ];
  const names = leftToFallback.map(({ name }) => name);
  printSummary(flags.json === true, { ...report, leftToFallback: names }, lines);
}

export const addBuild = commandOf(
  {
    name: "build",
    does: "read the store and write the snapshot",
    flags: {
      ...BUILD_FLAGS,
      ...SHRINK_FLAG,
      ...FORCE_FLAG,
      ...WAIT_FLAG,
      full: flag("read and make everything again; files that are missing or damaged are written, too"),
    },
    examples: [
      "vitrine build --store shop.sqlite",
      "vitrine build --store shop.sqlite --queries my-queries --config shop.config.json --out public",
      "vitrine build --as-of 2026-12-01T00:00:00Z --json",
    ],
  },
  buildAndReport,
);
