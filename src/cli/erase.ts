/** `vitrine erase`: what the shop has withdrawn, out of everything that is kept of former times. */
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { tidyText } from "../base/text.ts";
import type { Sought } from "../catalog/sought.ts";
import type { EraseReport } from "../erase.ts";
import { DEFAULTS } from "../publish/options.ts";
import { addInputOptions, addShrinkOption, type BuildFlags, resolveBuild, wholeNumber } from "./inputs.ts";
import { eraseInThread } from "./publishing.ts";
import { addPurgeOption, addStoreOptions, type PublishFlags, placeOf } from "./remote.ts";
import { printSummary, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine erase review 123 --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL
  vitrine erase review 123 --to file:///srv/www/shop-api --dry-run
  vitrine erase --text 'Jane Doe' --to s3://shop-api`;

interface EraseFlags
  extends BuildFlags,
    Pick<PublishFlags, "singlePublisher" | "lease" | "purge" | "dryRun"> {
  readonly text?: string;
  readonly to?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly concurrency: number;
  readonly timeout: number;
}

async function soughtOf(
  record: string | undefined,
  id: string | undefined,
  text: string | undefined,
): Promise<Sought> {
  const { RECORDS } = await import("../api/records.ts");
  const names = RECORDS.map(({ name }) => name);
  const name = names.find((known) => known === record);
  if (text !== undefined) {
    if (record === undefined && tidyText(text) !== "") return { text };
    throw new VitrineError(
      "usage",
      "--text takes words, and stands for a record and its id: name one of both.",
    );
  }
  if (name !== undefined && id !== undefined && /^\d{1,15}$/.test(id))
    return { record: name, id: Number(id) };
  throw new VitrineError(
    "usage",
    `Erase what? Write a record and its id, like "vitrine erase review 123" (records: ${names.join(", ")}), or --text WORDS.`,
  );
}

function count(number: number, one: string, many: string): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

function localLines({ out, local, dryRun }: EraseReport): string[] {
  const { deltas, deleted, others } = local;
  const gone = `${count(deltas, "delta", "deltas")} and ${count(deleted.length, "answer", "answers")} that no snapshot has`;
  return [
    dryRun ? `${out}: would delete ${gone}` : `${out}: ${gone} deleted, catalog and manifest written anew`,
    ...(others.length === 0
      ? []
      : [
          `${out}/site has ${count(others.length, "file", "files")} of others, like ${others[0]}: look what they hold`,
        ]),
  ];
}

function remoteLines({ remote, dryRun }: EraseReport): string[] {
  if (remote === null) return [];
  const { to, release, heldBy, dropped, files, putBack, deleted, purges } = remote;
  const verb = dryRun ? "would be gone" : "gone, and cannot be gone back to";
  return [
    heldBy.length === 0 ? `${to}: no kept release had it` : `${to}: it stood in ${heldBy.join(", ")}`,
    ...(dropped.length === 0 ? [] : [`${verb}: ${dropped.join(", ")}`]),
    ...(dryRun
      ? []
      : [
          `release ${release} is live; ${count(files, "answer", "answers")} read, ${formatCount(putBack.length)} put again, ` +
            `${count(deleted.length, "object", "objects")} of no release deleted`,
          ...purges.map(({ cdn, cost }) => `purged ${cdn}, everything: ${cost}`),
        ]),
  ];
}

function linesOf(report: EraseReport): string[] {
  const head = report.dryRun
    ? `dry run, nothing was written: ${report.erased} would be erased`
    : `erased: ${report.erased}`;
  return [
    head,
    ...localLines(report),
    ...remoteLines(report),
    "it may still stand in:",
    ...report.mayStillHold.map((place) => `  ${place}`),
  ];
}

export function addErase(program: Command): void {
  const command = program
    .command("erase")
    .description(
      "erase what the store shows no more from all that is kept: releases, deltas, free pages, CDNs",
    )
    .argument("[record]", "what kind of record it was, like review")
    .argument("[id]", "its id")
    .option("--text <words>", "instead, whatever had these words")
    .option("--to <place>", "where it was published: s3://BUCKET/PREFIX or file:///FOLDER");
  addPurgeOption(addStoreOptions(addShrinkOption(addInputOptions(command))))
    .option("--single-publisher", "go without conditional writes: nobody else ever publishes there")
    .option(
      "--lease <seconds>",
      "how long the lock of a publisher that died stands",
      wholeNumber(5, 86_400),
      DEFAULTS.leaseSeconds,
    )
    .option("--dry-run", "say where it stands and what would go; write nothing")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (record: string | undefined, id: string | undefined, flags: EraseFlags) => {
      const sought = await soughtOf(record, id, flags.text);
      const inputs = await resolveBuild(flags);
      const { to, dryRun, allowShrink, singlePublisher, lease, purge, json } = flags;
      const log = terminalLog(json === true);
      const place = { ...placeOf({ ...flags, to: "" }), to };
      const rules = { dryRun, allowShrink, singlePublisher, leaseSeconds: lease, purge };
      const report = await eraseInThread({ erase: { sought, inputs, ...place, ...rules } }, log).finally(() =>
        log.done(),
      );
      printSummary(json === true, report, linesOf(report));
    });
}
