/** `vitrine build` */
import type { Command } from "commander";
import { formatBytes, formatCount } from "../base/log.ts";
import type { PlannedBand } from "../render/plan.ts";
import { summaryLines } from "./build-summary.ts";
import { addBuildOptions, addShrinkOption, type BuildFlags, resolveBuild } from "./inputs.ts";
import { nameOf } from "./plan.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine build --store shop.sqlite
  vitrine build --store shop.sqlite --queries my-queries --config shop.config.json --out public
  vitrine build --as-of 2026-12-01T00:00:00Z --json`;

function leftOutLine(bands: readonly PlannedBand[]): string {
  const files = bands.reduce((sum, band) => sum + band.files, 0);
  return `${formatCount(files)} more would be over maxFiles and are left to the fallback: vitrine plan says which`;
}

export function addBuild(program: Command): void {
  addShrinkOption(
    addBuildOptions(program.command("build").description("read the store, write the catalog and its files")),
  )
    .addHelpText("after", EXAMPLES)
    .action(async (flags: BuildFlags) => {
      const { runStage } = await import("./stages.ts");
      const inputs = await resolveBuild(flags);
      const log = terminalLog(flags.json === true);
      const report = await runStage("build", inputs, log).finally(() => log.done());
      const { plan, extraction, ...result } = report;
      const leftOut = plan.bands.filter((band) => !band.kept);
      const { extract, render, commit } = report.seconds;
      const lines = [
        ...summaryLines(extraction),
        `${formatCount(report.files)} files, ${formatBytes(report.sizeBytes)}: ${formatCount(report.written)} written, ` +
          `${formatCount(report.deleted)} deleted, the others untouched`,
        `extracted in ${extract.toFixed(1)} s, rendered in ${render.toFixed(1)} s, put in place in ${commit.toFixed(1)} s`,
        ...Object.entries(extraction.leftOut).map(
          ([file, count]) =>
            `${formatCount(count)} rows of ${file}.sql left out: their product is not public`,
        ),
        ...(leftOut.length > 0 ? [leftOutLine(leftOut)] : []),
        ...(extraction.nextChangeAt === null
          ? []
          : [`the clock alone changes an answer at ${extraction.nextChangeAt}`]),
      ];
      printResult(
        flags.json === true,
        { ...result, ...extraction, leftToFallback: leftOut.map(nameOf), out: inputs.out },
        lines,
      );
    });
}
