/** `vitrine build` */
import type { Command } from "commander";
import { formatBytes, formatCount } from "../base/log.ts";
import { summaryLines } from "./build-summary.ts";
import { addBuildOptions, type BuildFlags, resolveBuild } from "./inputs.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine build --store shop.sqlite
  vitrine build --store shop.sqlite --queries my-queries --config shop.config.json --out public
  vitrine build --as-of 2026-12-01T00:00:00Z --json`;

export function addBuild(program: Command): void {
  addBuildOptions(program.command("build").description("read the store, write the catalog and its files"))
    .addHelpText("after", EXAMPLES)
    .action(async (flags: BuildFlags) => {
      const { build } = await import("./pipeline.ts");
      const inputs = await resolveBuild(flags);
      const log = terminalLog(flags.json === true);
      const report = build(inputs, log);
      log.done();
      const { plan, extraction, ...result } = report;
      const leftOut = plan.families.filter((family) => !family.kept).map(({ family }) => family.name);
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
        ...(leftOut.length > 0
          ? [`${leftOut.length} families left to the fallback, for maxFiles: vitrine plan names them`]
          : []),
        ...(report.nextChangeAt === null
          ? []
          : [`the clock alone changes an answer at ${report.nextChangeAt}`]),
      ];
      printResult(
        flags.json === true,
        { ...result, ...extraction, leftToFallback: leftOut, out: inputs.out },
        lines,
      );
    });
}
