/** `vitrine diff` */
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { changeLine, diffLines } from "./diff-words.ts";
import { withTemporaryFolder } from "./interrupt.ts";
import { addStoreOptions, type TargetFlags } from "./remote.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine diff s3://shop/catalog out
  vitrine diff s3://shop/catalog#00000041 s3://shop/catalog --keys
  vitrine diff yesterday.sqlite out/catalog.sqlite --json
  vitrine diff before out --key api/v1/product/slug=invoice-kit.json`;

interface DiffFlags extends Omit<TargetFlags, "to"> {
  readonly keys?: true;
  readonly key?: string;
  readonly exitCode?: true;
  readonly json?: true;
}

/** Compares, and says what differs. */
async function compare(from: string, to: string, flags: DiffFlags): Promise<boolean> {
  const { diffIn, diffAnswerIn } = await import("../build/diff.ts");
  const log = terminalLog(flags.json === true);
  const { endpoint, region, concurrency, timeout, key, keys } = flags;
  const options = { from, to, endpoint, region, concurrency, timeoutSeconds: timeout, keys, log };
  return withTemporaryFolder(async (folder) => {
    if (key === undefined) {
      const report = await diffIn(folder, options).finally(() => log.done());
      printResult(flags.json === true, report, diffLines(report));
      return report.same;
    }
    const report = await diffAnswerIn(folder, { ...options, key }).finally(() => log.done());
    printResult(
      flags.json === true,
      report,
      report.same ? ["nothing differs"] : report.changes.map(changeLine),
    );
    return report.same;
  });
}

export function addDiff(program: Command): void {
  const place = "an output folder, a catalog file, or a release of s3://BUCKET/PREFIX or file:///FOLDER";
  const command = program
    .command("diff")
    .description("say what changed between two snapshots, catalogs or releases")
    .argument("<from>", `${place}: the live one, or PLACE#RELEASE by its id or the beginning of it`)
    .argument("<to>", "the same");
  addStoreOptions(command)
    .option("--keys", "list the files that are new, changed or gone")
    .option("--key <key>", "show what differs in the answer of one key, as JSON paths")
    .option("--exit-code", "exit with 4 where something differs")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (from: string, to: string, flags: DiffFlags) => {
      if (flags.key !== undefined && flags.keys === true)
        throw new VitrineError("usage", "--keys lists all files, --key shows one: use one of them.");
      const same = await compare(from, to, flags);
      if (same || flags.exitCode !== true) return;
      throw new VitrineError("check_failed", `${from} and ${to} differ.`);
    });
}
