/** `vitrine erase`: removes what the shop has withdrawn from everything that is kept. */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { formatCount } from "../../base/log.ts";
import { tidyText } from "../../base/text.ts";
import type { Sought } from "../../catalog/sought.ts";
import type { EraseReport } from "../../pipeline/erase.ts";
import { INPUT_FLAGS, JSON_FLAG, resolveBuild, SHRINK_FLAG } from "../inputs.ts";
import { commandOf, flag, text } from "../options.ts";
import {
  EMPTY_FLAG,
  LOCAL_FLAGS,
  LOCK_FLAGS,
  PURGE_FLAG,
  placeOf,
  SERVICE_FLAGS,
  TO_FLAG,
  withPlace,
} from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";

async function soughtOf(
  record: string | undefined,
  id: string | undefined,
  text: string | undefined,
): Promise<Sought> {
  if (text !== undefined) {
    if (record === undefined && tidyText(text) !== "") return { text };
    throw new VitrineError("usage", "--text takes words, and no record beside them. Leave out one of both.");
  }
  const [{ RECORDS }, { didYouMean }] = await Promise.all([
    import("../../api/records.ts"),
    import("../../base/nearest.ts"),
  ]);
  const names = RECORDS.map(({ name }) => name);
  if (record === undefined)
    throw new VitrineError(
      "usage",
      `Name the record, one of ${names.join(", ")}, and its id, or --text WORDS.`,
    );
  const name = names.find((known) => known === record);
  if (name === undefined)
    throw new VitrineError("usage", `There is no kind of record ${record}. ${didYouMean(record, names)}`);
  if (id !== undefined && /^\d{1,15}$/.test(id)) return { record: name, id: Number(id) };
  throw new VitrineError(
    "usage",
    `Name the id of the ${record}, a whole number: vitrine erase ${record} 123.`,
  );
}

function count(number: number, one: string, many: string): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

function localLines({ out, local, dryRun }: EraseReport): string[] {
  const { deleted, others } = local;
  const gone = `${count(deleted.length, "answer", "answers")} that the snapshot no longer has`;
  return [
    dryRun ? `${out}: would delete ${gone}` : `${out}: deleted ${gone}; rewrote the catalog and the manifest`,
    ...(others.length === 0
      ? []
      : [
          `${out}/site has ${count(others.length, "file", "files")} of others, like ${others[0]}: it was not found in them`,
        ]),
  ];
}

function remoteLines({ remote, dryRun }: EraseReport): string[] {
  if (remote === null) return [];
  const { to, release, heldBy, dropped, files, putBack, deleted, purges } = remote;
  const verb = dryRun
    ? "would delete these releases"
    : "deleted these releases, so no rollback brings it back";
  return [
    heldBy.length === 0 ? `${to}: no kept release had it` : `${to}: it was in ${heldBy.join(", ")}`,
    ...(dropped.length === 0 ? [] : [`${verb}: ${dropped.join(", ")}`]),
    ...(dryRun
      ? []
      : [
          `release ${release} is live; read ${count(files, "answer", "answers")}, put back ${formatCount(putBack.length)}, ` +
            `deleted ${count(deleted.length, "object", "objects")} of no release`,
          ...purges.map(({ cdn, amount }) => `purged ${cdn}, everything: ${amount}`),
        ]),
  ];
}

function linesOf(report: EraseReport): string[] {
  const { local, remote } = report;
  const isFound = local.deleted.length > 0 || (remote?.heldBy.length ?? 0) > 0;
  const would = isFound ? `${report.erased} would be erased` : `${report.erased} was not found`;
  // A rewritten file or a deleted object may have had it without being asked.
  const mayHaveHad = remote === null || remote.putBack.length > 0 || remote.deleted.length > 0;
  const done = isFound || mayHaveHad ? `erased ${report.erased}` : `${report.erased} was not found`;
  const places = remote === null ? `${report.out} only` : `${report.out} and at ${remote.to}`;
  const head = report.dryRun ? `dry run in ${places}, nothing was written: ${would}` : `${done} in ${places}`;
  return [
    head,
    ...localLines(report),
    ...remoteLines(report),
    "it may still be in:",
    ...report.mayStillHold.map((place) => `  ${place}`),
  ];
}

export const addErase = commandOf(
  {
    name: "erase",
    does: "remove everywhere what the shop has withdrawn",
    takes: [
      new Argument("[record]", "kind of record, like review or product"),
      new Argument("[id]", "id of the record"),
    ],
    flags: {
      text: text("<words>", "instead of a record: everything that had these words"),
      ...TO_FLAG,
      ...INPUT_FLAGS,
      ...SHRINK_FLAG,
      ...LOCAL_FLAGS,
      ...EMPTY_FLAG,
      ...SERVICE_FLAGS,
      ...PURGE_FLAG,
      ...LOCK_FLAGS,
      dryRun: flag("show where it is and what would be deleted; write nothing"),
      ...JSON_FLAG,
    },
    examples: [
      "vitrine erase review 123 --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL",
      "vitrine erase review 123 --to file:///srv/www/shop-api --dry-run",
      "vitrine erase --text 'Jane Doe' --to s3://shop-api",
    ],
  },
  async (given, record?: string, id?: string) => {
    const sought = await soughtOf(record, id, given.text);
    const flags = await withPlace(given, true);
    const inputs = await resolveBuild(flags);
    const { erase } = await import("../../pipeline/erase.ts");
    const { to, dryRun, allowShrink, allowLocal, force, singlePublisher, lease, wait, purge, keep, json } =
      flags;
    const log = terminalLog(json === true);
    const place = placeOf({ ...flags, to });
    const locks = { singlePublisher, leaseSeconds: lease, waitSeconds: wait };
    const rules = { dryRun, allowShrink, allowLocal, force, purge, keep, ...locks };
    const report = await erase({ sought, inputs, ...place, ...rules, log }).finally(() => log.done());
    printSummary(json === true, report, linesOf(report));
  },
);
