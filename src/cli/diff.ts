/** `vitrine diff` */
import { Argument } from "commander";
import { VitrineError } from "../base/error.ts";
import { changeLine, diffLines } from "./diff-words.ts";
import { JSON_FLAG } from "./inputs.ts";
import { withTemporaryFolder } from "./interrupt.ts";
import { commandOf, type Flags, flag, text } from "./options.ts";
import { STORE_FLAGS } from "./remote.ts";
import { printResult, terminalLog } from "./terminal.ts";

const FLAGS = {
  ...STORE_FLAGS,
  keys: flag("list the files that are new, changed or gone"),
  key: text("<key>", "show what differs in the answer of one key, as JSON paths"),
  exitCode: flag("exit with 4 where something differs"),
  ...JSON_FLAG,
};

/** Compares, and says what differs. */
async function compare(from: string, to: string, flags: Flags<typeof FLAGS>): Promise<boolean> {
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

const PLACE = "an output folder, a catalog file, or a release of s3://BUCKET/PREFIX or file:///FOLDER";

export const addDiff = commandOf(
  {
    name: "diff",
    does: "say what changed between two snapshots, catalogs or releases",
    takes: [
      new Argument("<from>", `${PLACE}: the live one, or PLACE#RELEASE by its id or the beginning of it`),
      new Argument("<to>", "the same"),
    ],
    flags: FLAGS,
    examples: [
      "vitrine diff s3://shop/catalog out",
      "vitrine diff s3://shop/catalog#00000041 s3://shop/catalog --keys",
      "vitrine diff yesterday.sqlite out/catalog.sqlite --json",
      "vitrine diff before out --key api/v1/product/slug=invoice-kit.json",
    ],
  },
  async (flags, from = "", to = "") => {
    if (flags.key !== undefined && flags.keys === true)
      throw new VitrineError("usage", "--keys lists all files, --key shows one: use one of them.");
    const same = await compare(from, to, flags);
    if (!same && flags.exitCode === true) throw new VitrineError("check_failed", `${from} and ${to} differ.`);
  },
);
