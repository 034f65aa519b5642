/** `vitrine diff` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import type { JsonChange } from "../../base/json-difference.ts";
import { formatCount } from "../../base/log.ts";
import type { DiffReport } from "../../pipeline/diff.ts";
import { JSON_FLAG } from "../inputs.ts";
import { commandOf, type Flags, flag, text } from "../options.ts";
import { STORE_FLAGS } from "../remote.ts";
import { escapeForTerminal, printResult, terminalLog } from "../terminal.ts";

/** `data.price: 9 → 12`, `+ data.faqs[id=7]: {…}`, `- data.faqs[id=3]: {…}` */
export function changeLine({ path, before, after }: JsonChange): string {
  const place = path === "" ? "" : `${path}: `;
  const [old, now] = [before, after].map((value) => JSON.stringify(value));
  const line =
    old === undefined
      ? `+ ${place}${now}`
      : now === undefined
        ? `- ${place}${old}`
        : `${place}${old} → ${now}`;
  return escapeForTerminal(line);
}

/** `3 new, 12 changed, 1 gone, 20,411 the same`, then a line for each file that differs. */
function diffLines({ same, unchanged, keys }: DiffReport): string[] {
  if (same) return ["nothing differs"];
  if (keys.length === 0) return ["no file differs, but the catalogs do: search may answer differently"];
  const counts = (["new", "changed", "gone"] as const)
    .map((kind) => [kind, keys.filter((key) => key.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatCount(count)} ${kind}`);
  return [
    `${counts.join(", ")}, ${formatCount(unchanged)} the same`,
    ...keys.map(({ kind, key }) => `${kind} ${key}`),
  ];
}

const FLAGS = {
  ...STORE_FLAGS,
  key: text("<key>", "show what differs in the answer of one key, as JSON paths"),
  exitCode: flag("exit with 4 where something differs"),
  ...JSON_FLAG,
};

/** Compares, and says what differs. */
async function compare(from: string, to: string, flags: Flags<typeof FLAGS>): Promise<boolean> {
  const { diff, diffAnswer } = await import("../../pipeline/diff.ts");
  const log = terminalLog(flags.json === true);
  const { endpoint, region, concurrency, timeout, key } = flags;
  const options = { from, to, endpoint, region, concurrency, timeoutSeconds: timeout, log };
  if (key === undefined) {
    const report = await diff(options).finally(() => log.done());
    printResult(flags.json === true, report, diffLines(report));
    return report.same;
  }
  const report = await diffAnswer({ ...options, key }).finally(() => log.done());
  const lines = report.same ? ["nothing differs"] : report.changes.map(changeLine);
  printResult(flags.json === true, report, lines);
  return report.same;
}

const PLACE = "an output folder, or a release of s3://BUCKET/PREFIX or file:///FOLDER";

export const addDiff = commandOf(
  {
    name: "diff",
    does: "list the files that differ between two snapshots or releases",
    takes: [
      new Argument("<from>", `${PLACE}: the live one, or PLACE#RELEASE by its id or the beginning of it`),
      new Argument("<to>", "the same"),
    ],
    flags: FLAGS,
    examples: [
      "vitrine diff s3://shop/catalog out",
      "vitrine diff s3://shop/catalog#00000041 s3://shop/catalog",
      "vitrine diff before out --key api/v1/product/slug=invoice-kit.json",
    ],
  },
  async (flags, from = "", to = "") => {
    const same = await compare(from, to, flags);
    if (!same && flags.exitCode === true) throw new VitrineError("check_failed", `${from} and ${to} differ.`);
  },
);
