/** `vitrine erase`: what the shop has withdrawn, out of everything that is kept of former times. */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { formatCount } from "../../base/log.ts";
import { tidyText } from "../../base/text.ts";
import type { Sought } from "../../catalog/sought.ts";
import type { EraseReport } from "../../pipeline/erase.ts";
import { INPUT_FLAGS, JSON_FLAG, resolveBuild, SHRINK_FLAG } from "../inputs.ts";
import { commandOf, flag, text } from "../options.ts";
import { LOCK_FLAGS, PURGE_FLAG, placeOf, STORE_FLAGS } from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";

async function soughtOf(
  record: string | undefined,
  id: string | undefined,
  text: string | undefined,
): Promise<Sought> {
  const { RECORDS } = await import("../../api/records.ts");
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
  const { deleted, others } = local;
  const gone = `${count(deleted.length, "answer", "answers")} that no snapshot has`;
  return [
    dryRun ? `${out}: would delete ${gone}` : `${out}: ${gone} deleted, catalog and manifest rewritten`,
    ...(others.length === 0
      ? []
      : [
          `${out}/site has ${count(others.length, "file", "files")} of others, like ${others[0]}: it was found in none`,
        ]),
  ];
}

function remoteLines({ remote, dryRun }: EraseReport): string[] {
  if (remote === null) return [];
  const { to, release, heldBy, dropped, files, putBack, deleted, purges } = remote;
  const verb = dryRun ? "would be gone" : "gone, and cannot be gone back to";
  return [
    heldBy.length === 0 ? `${to}: no kept release had it` : `${to}: it was in ${heldBy.join(", ")}`,
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
  const { local, remote } = report;
  const isFound = local.deleted.length > 0 || (remote?.heldBy.length ?? 0) > 0;
  const would = isFound ? `${report.erased} would be erased` : `nothing that is kept has ${report.erased}`;
  const head = report.dryRun ? `dry run, nothing was written: ${would}` : `erased: ${report.erased}`;
  return [
    head,
    ...localLines(report),
    ...remoteLines(report),
    "it may still stand in:",
    ...report.mayStillHold.map((place) => `  ${place}`),
  ];
}

export const addErase = commandOf(
  {
    name: "erase",
    does: "erase what the store shows no more from all that is kept: releases, free pages, CDNs",
    takes: [
      new Argument("[record]", "what kind of record it was, like review"),
      new Argument("[id]", "its id"),
    ],
    flags: {
      text: text("<words>", "instead, whatever had these words"),
      to: text("<place>", "where it was published: s3://BUCKET/PREFIX or file:///FOLDER"),
      ...INPUT_FLAGS,
      ...SHRINK_FLAG,
      ...STORE_FLAGS,
      ...PURGE_FLAG,
      ...LOCK_FLAGS,
      dryRun: flag("say where it stands and what would go; write nothing"),
      ...JSON_FLAG,
    },
    examples: [
      "vitrine erase review 123 --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL",
      "vitrine erase review 123 --to file:///srv/www/shop-api --dry-run",
      "vitrine erase --text 'Jane Doe' --to s3://shop-api",
    ],
  },
  async (flags, record?: string, id?: string) => {
    const sought = await soughtOf(record, id, flags.text);
    const inputs = await resolveBuild(flags);
    const { erase } = await import("../../pipeline/erase.ts");
    const { to, dryRun, allowShrink, singlePublisher, lease, wait, purge, json } = flags;
    const log = terminalLog(json === true);
    const place = { ...placeOf({ ...flags, to: "" }), to };
    const locks = { singlePublisher, leaseSeconds: lease, waitSeconds: wait };
    const rules = { dryRun, allowShrink, purge, ...locks };
    const report = await erase({ sought, inputs, ...place, ...rules, log }).finally(() => log.done());
    printSummary(json === true, report, linesOf(report));
  },
);
