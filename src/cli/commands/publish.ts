/** `vitrine publish` */
import { formatBytes, formatCount } from "../../base/log.ts";
import type { PublishReport } from "../../pipeline/publish.ts";
import { OUT_FLAGS } from "../inputs.ts";
import { METRICS_FLAG, MetricsFile } from "../metrics.ts";
import { describeMissing } from "../missing-objects.ts";
import { commandOf, flag } from "../options.ts";
import {
  EMPTY_FLAG,
  FIRST_FLAG,
  LOCAL_FLAGS,
  PUBLISH_FLAGS,
  publishOptions,
  requirePlace,
} from "../remote.ts";
import { sayWhenStopped } from "../stop.ts";
import { printSummary, terminalLog } from "../terminal.ts";

function countLine({ counts, outcome }: Pick<PublishReport, "counts" | "outcome">): string {
  const parts = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.headers, "with other headers"],
    [counts.uncertain, "uploaded again after a publish that was cut off"],
    [counts.deleted, outcome === "planned" ? "to delete" : "deleted"],
    [counts.kept, "unchanged"],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return `${words.join(", ") || "nothing"}: ${formatBytes(counts.putBytes)} ${outcome === "planned" ? "to upload" : "uploaded"}`;
}

/** At most this many are listed. */
const SHOWN = 20;

function repairLines(repaired: PublishReport["repaired"]): string[] {
  if (repaired === null) return [];
  const { files, putBack, deleted } = repaired;
  const named = [...putBack.map((key) => `  put back ${key}`), ...deleted.map((key) => `  deleted ${key}`)];
  const more = named.length > SHOWN ? [`  … and ${formatCount(named.length - SHOWN)} more`] : [];
  return [
    `${formatCount(files)} answers read: ${formatCount(putBack.length)} put back, ` +
      `${formatCount(deleted.length)} that belong to no release deleted`,
    ...named.slice(0, SHOWN),
    ...more,
  ];
}

/** The lines that people read after a publish or a rollback. */
export function reportLines(
  report: Omit<PublishReport, "to" | "repaired"> & Partial<Pick<PublishReport, "repaired">>,
): string[] {
  const {
    outcome,
    release,
    purges,
    dropped,
    finished,
    unpurged,
    verified,
    seconds,
    repaired = null,
  } = report;
  const first = [
    ...(finished === null ? [] : [finished]),
    ...unpurged.map(
      (place) =>
        `not purged: ${place}. An earlier publish was cut off before it purged this CDN, and this one does not name it: ` +
        `publish again with --purge ${place} if it is yours`,
    ),
  ];
  const hold = report.held
    ? ["a rollback holds it: nothing newer goes live before vitrine publish --resume"]
    : [];
  const purgeLines = purges.map(({ cdn, requests, amount }) => {
    const kinds = [...new Set(requests.map(({ kind }) => kind))].join(", ");
    return `${outcome === "planned" ? "would purge" : "purged"} ${cdn}, ${kinds}: ${amount}`;
  });
  if (outcome === "unchanged") {
    const gone = dropped.length === 0 ? [] : [`no longer kept: ${dropped.join(", ")}`];
    return [
      ...first,
      `nothing changed: release ${release} stays live`,
      ...hold,
      ...purgeLines,
      ...gone,
      ...repairLines(repaired),
    ];
  }
  const head =
    outcome === "planned"
      ? "dry run, nothing was written"
      : `release ${release} is live after ${seconds.toFixed(1)} s`;
  const tail = verified > 0 ? [`${formatCount(verified)} answers asked for at the public address: OK`] : [];
  return [
    ...first,
    head,
    ...(outcome === "planned" ? [] : hold),
    countLine(report),
    ...purgeLines,
    ...tail,
    ...repairLines(repaired),
  ];
}

export const addPublish = commandOf(
  {
    name: "publish",
    does: "make the snapshot live: upload what changed, then purge the CDN",
    flags: {
      ...PUBLISH_FLAGS,
      ...FIRST_FLAG,
      ...LOCAL_FLAGS,
      ...EMPTY_FLAG,
      ...OUT_FLAGS,
      ...METRICS_FLAG,
      resume: flag("end the hold of a rollback, and make the built snapshot live"),
      repair: {
        ...flag("also read everything at the place, and put back what is missing or wrong"),
        conflicts: "dryRun",
      },
    },
    examples: [
      "vitrine publish --to file:///srv/www/shop-api",
      "vitrine publish --to s3://shop-api --dry-run",
      "vitrine publish --to s3://shop-api --purge cloudfront:E1ABCDEFGHIJKL --verify 20",
      "vitrine publish --to s3://shop-api --endpoint https://ACCOUNT.r2.cloudflarestorage.com --region auto",
    ],
  },
  async (given) => {
    const flags = await requirePlace(given, given.out === undefined);
    const { countObjectsAt, publishFolder } = await import("../../pipeline/publish.ts");
    const log = terminalLog(flags.json === true);
    const options = { ...publishOptions(flags, log), out: flags.out, configFile: flags.config };
    const metrics = new MetricsFile(flags.metricsFile, ["publish"]);
    const report = await metrics
      .publish(() => publishFolder(options, { changing: sayWhenStopped }))
      .finally(() => log.done());
    const count = flags.dryRun === true ? null : await countObjectsAt(options);
    if (count !== null) metrics.counted(count);
    const missing = count === null ? null : describeMissing(count, report.to);
    if (missing !== null) log.warn(missing);
    const isResumed = flags.resume === true && flags.dryRun !== true;
    const resumed = isResumed ? ["no rollback holds it now: later releases go live again"] : [];
    printSummary(flags.json === true, { ...report, look: count }, [...reportLines(report), ...resumed]);
  },
);
