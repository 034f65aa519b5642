/** `vitrine report` */
import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { explainWriteFailure } from "../base/write-failure.ts";
import type { BuildReport } from "../build/report.ts";
import { findOut } from "./inputs.ts";
import { withTemporaryFolder } from "./interrupt.ts";
import { addStoreOptions, type TargetFlags } from "./remote.ts";
import { printSummary, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine report
  vitrine report out --file report.html
  vitrine report s3://shop/catalog#00000041
  vitrine build --report report.html`;

const DEFAULT_FILE = "report.html";

interface ReportFlags extends Omit<TargetFlags, "to"> {
  readonly file: string;
}

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw explainWriteFailure(error, file);
  }
}

/** What `build --report` does once the snapshot stands. */
export async function reportOnBuild(file: string, report: BuildReport): Promise<void> {
  const { makeReport } = await import("../report.ts");
  writePage(file, await makeReport(report.out, report.out, {}, report));
}

export function addReport(program: Command): void {
  const command = program
    .command("report")
    .description(
      "write a page about a snapshot or a release: what it is made of, and what the fallback answers",
    )
    .argument(
      "[place]",
      "an output folder, or s3://BUCKET/PREFIX or file:///FOLDER, with #RELEASE for an older one",
    )
    .option("--file <file>", "where to write the page", DEFAULT_FILE);
  addStoreOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (named: string | undefined, flags: ReportFlags) => {
      const { makeReport } = await import("../report.ts");
      const { endpoint, region, concurrency, timeout } = flags;
      const log = terminalLog(false);
      const options = { endpoint, region, concurrency, timeoutSeconds: timeout, log };
      const place = named ?? (await findOut({})).catalog.replace(/[^/\\]+$/, "");
      const page = await withTemporaryFolder((folder) => makeReport(place, folder, options)).finally(() =>
        log.done(),
      );
      writePage(flags.file, page);
      printSummary(false, {}, [`${flags.file} written: open it in a browser`]);
    });
}
