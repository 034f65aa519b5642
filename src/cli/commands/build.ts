/** `vitrine build` */
import { join } from "node:path";
import type { PublicConfig } from "../../api/config.ts";
import { formatBytes, formatCount } from "../../base/log.ts";
import type { LeftOut } from "../../build/left-out.ts";
import { type BuildInputs, outLayout } from "../../config/inputs.ts";
import type { LeftOutBand } from "../../render/bands.ts";
import { feedLines, leftOutLines, madeForHost, notPublicLines, summaryLines } from "../build-summary.ts";
import { BUILD_FLAGS, type BuildFlags, resolveBuild, SHRINK_FLAG } from "../inputs.ts";
import { commandOf, flag, text } from "../options.ts";
import { printSummary, terminalLog } from "../terminal.ts";
import { inThread, repair } from "../worker.ts";

function leftOutLine(bands: readonly LeftOutBand[], { for: host }: PublicConfig): string {
  const files = bands.reduce((sum, band) => sum + band.files, 0);
  return `${formatCount(files)} more are left ${host === undefined ? "to the fallback" : "out"} (grid.pages, grid.maxFiles): vitrine plan says which`;
}

/** @throws VitrineError rows_invalid where nothing would be public */
async function leftOutOf(inputs: BuildInputs): Promise<LeftOut> {
  const { productsLeftOut, refuseNothing } = await import("../../build/left-out.ts");
  const found = await productsLeftOut(inputs);
  refuseNothing(found, "Change the SQL files: vitrine doctor --left-out lists the products.");
  return found;
}

async function build(flags: BuildFlags & { readonly report: string | undefined }): Promise<void> {
  const { lookAhead } = await import("../../build/present.ts");
  const inputs = await resolveBuild(flags);
  const log = terminalLog(flags.json === true);
  // Most builds of a schedule find nothing: they need neither the stages nor a thread for them.
  const untouched = lookAhead(inputs);
  if (untouched === null) log.progress(() => "extracting");
  const notPublic = untouched === null ? await leftOutOf(inputs) : null;
  const report =
    untouched ?? (await inThread("build", inputs, log, () => repair(inputs.out)).finally(() => log.done()));
  const { leftToFallback, nextChangeAt, difference } = report;
  const { extract, render, commit } = report.seconds;
  const { first, last } = notPublicLines(notPublic, report.records.product ?? 0);
  const lines = [
    ...first,
    ...summaryLines(report),
    `${formatCount(report.files)} files, ${formatBytes(report.sizeBytes)}: ${formatCount(report.written)} written, ` +
      `${formatCount(report.deleted)} deleted, the others untouched`,
    `extracted in ${extract.toFixed(1)} s, rendered in ${render.toFixed(1)} s, put in place in ${commit.toFixed(1)} s`,
    ...leftOutLines(report),
    ...feedLines(report.feeds, inputs.config.for),
    ...last,
    ...(leftToFallback.length === 0 ? [] : [leftOutLine(leftToFallback, inputs.config)]),
    ...(nextChangeAt === null ? [] : [`the clock alone changes an answer at ${nextChangeAt}`]),
    ...madeForHost(inputs.config, report.sizeBytes, join(outLayout(report.out).host, "README.md")),
  ];
  const names = leftToFallback.map(({ name }) => name);
  const result = {
    ...report,
    notPublic: Object.fromEntries(notPublic?.reasons ?? []),
    leftToFallback: names,
  };
  printSummary(flags.json === true, result, lines);
  if (flags.report !== undefined) await (await import("./report.ts")).reportOnBuild(flags.report, report);
  if (difference !== null) {
    log.info(
      `${formatCount(difference.keys)} files had come out otherwise when only what changed was built: this is a fault of ` +
        `Vitrine, please report it with ${difference.file}. The files are right now.`,
    );
    process.exitCode = 1;
  }
}

export const addBuild = commandOf(
  {
    name: "build",
    does: "read the store, write the catalog and its files",
    flags: {
      ...BUILD_FLAGS,
      ...SHRINK_FLAG,
      full: flag("make everything, and say whether the builds of what changed had made the same"),
      report: text("<file>", "also write a page about the snapshot, with the time of each stage"),
    },
    examples: [
      "vitrine build --store shop.sqlite",
      "vitrine build --store shop.sqlite --queries my-queries --config shop.config.json --out public",
      "vitrine build --as-of 2026-12-01T00:00:00Z --json",
    ],
  },
  build,
);
