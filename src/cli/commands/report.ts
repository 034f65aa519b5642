/** `vitrine report` */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Argument } from "commander";
import { explainWriteFailure } from "../../base/write-failure.ts";
import type { BuildReport } from "../../build/report.ts";
import { CONFIG_FLAG, findOutFolder } from "../inputs.ts";
import { byDefault, commandOf, text } from "../options.ts";
import { STORE_FLAGS } from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";

function writePage(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw explainWriteFailure(error, file);
  }
}

/** What `build --report` does once the snapshot stands. */
export async function reportOnBuild(file: string, report: BuildReport): Promise<void> {
  const { makeReport } = await import("../../build/report-page.ts");
  writePage(file, await makeReport(report.out, report.out, {}, report));
}

export const addReport = commandOf(
  {
    name: "report",
    does: "write a page about a snapshot or a release: what it is made of, and what the fallback answers",
    takes: [
      new Argument(
        "[place]",
        "an output folder, or s3://BUCKET/PREFIX or file:///FOLDER, with #RELEASE for an older one",
      ),
    ],
    flags: {
      file: byDefault(text("<file>", "where to write the page"), "report.html"),
      ...CONFIG_FLAG,
      ...STORE_FLAGS,
    },
    examples: [
      "vitrine report out --file report.html",
      "vitrine report",
      "vitrine report s3://shop/catalog#00000041",
      "vitrine build --report report.html",
    ],
  },
  async ({ file, config, timeout, ...options }, named?: string) => {
    const [{ makeReport }, { temporaryFolder }] = await Promise.all([
      import("../../build/report-page.ts"),
      import("../../base/temporary-folder.ts"),
    ]);
    const log = terminalLog(false);
    const place = named ?? dirname((await findOutFolder({ config })).catalog);
    await using folder = await temporaryFolder();
    const page = await makeReport(place, folder.path, { ...options, timeoutSeconds: timeout, log }).finally(
      () => log.done(),
    );
    writePage(file, page);
    printSummary(false, {}, [`${file} written: open it in a browser`]);
  },
);
