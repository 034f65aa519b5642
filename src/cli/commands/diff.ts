/** `vitrine diff` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import type { JsonChange } from "../../base/json-difference.ts";
import { formatCount } from "../../base/log.ts";
import type { DiffReport } from "../../pipeline/diff.ts";
import { CONFIG_FLAG, JSON_FLAG } from "../inputs.ts";
import { commandOf, type Flags, flag, text } from "../options.ts";
import { PLACE, SERVICE_FLAGS, withPlace } from "../remote.ts";
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
  if (keys.length === 0) return ["no file differs, but the catalogs do: searches may have other results"];
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
  key: text("<key>", "compare one file, and show what differs in it as JSON paths"),
  exitCode: flag("exit with 4 if something differs"),
  ...CONFIG_FLAG,
  ...SERVICE_FLAGS,
  ...JSON_FLAG,
};

/** The place that a side names, without its release: `s3://shop-api#00000041` → `s3://shop-api`. Undefined for a folder. */
function placeIn(side: string): string | undefined {
  return /^(?:s3|file):\/\/[^#]*/.exec(side)?.[0];
}

/** Prints what differs; true if nothing does. */
async function compare(before: string, after: string, given: Flags<typeof FLAGS>): Promise<boolean> {
  const { diff, diffAnswer } = await import("../../pipeline/diff.ts");
  const log = terminalLog(given.json === true);
  const [place, other] = [before, after].flatMap((side) => placeIn(side) ?? []);
  // Of two places, the configuration's endpoint could belong to one only.
  const flags = other === undefined || other === place ? await withPlace({ ...given, to: place }) : given;
  const { endpoint, region, concurrency, timeout, key } = flags;
  const options = { from: before, to: after, endpoint, region, concurrency, timeoutSeconds: timeout, log };
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

export const addDiff = commandOf(
  {
    name: "diff",
    does: "list the files that differ between two snapshots or releases",
    takes: [
      new Argument(
        "<before>",
        `an output folder, or ${PLACE}: its live release, or PLACE#RELEASE with the id or its beginning`,
      ),
      new Argument("<after>", "the same"),
    ],
    flags: FLAGS,
    examples: [
      "vitrine diff s3://shop-api out",
      "vitrine diff s3://shop-api#00000041 s3://shop-api",
      "vitrine diff before out --key api/v1/product/slug=invoice-kit.json",
    ],
  },
  async (flags, before = "", after = "") => {
    const same = await compare(before, after, flags);
    if (!same && flags.exitCode === true)
      throw new VitrineError("check_failed", `${before} and ${after} differ.`);
  },
);
