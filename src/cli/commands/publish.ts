/** `vitrine publish` */
import { formatBytes, formatCount } from "../../base/log.ts";
import type { PublishReport } from "../../pipeline/publish.ts";
import { OUT_FLAGS } from "../inputs.ts";
import { METRICS_FLAG, MetricsFile } from "../metrics.ts";
import { describeMissing } from "../missing-objects.ts";
import { commandOf, flag } from "../options.ts";
import { LOCAL_FLAG, PUBLISH_FLAGS, publishOptions } from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";

function countLine({ counts, outcome }: Pick<PublishReport, "counts" | "outcome">): string {
  const parts = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.headers, "with other headers"],
    [counts.uncertain, "put again after a publish that was cut off"],
    [counts.deleted, outcome === "planned" ? "to delete" : "deleted"],
    [counts.kept, "as they were"],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return `${words.join(", ") || "nothing"}: ${formatBytes(counts.putBytes)} to put`;
}

/** Keys that are named one by one. */
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

/** What people read after a publish or a rollback. */
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
        `not purged: ${place}. An earlier publish was to, and was cut off; this one names no such --purge. If it is ` +
        "yours, purge it there",
    ),
  ];
  const hold = report.held
    ? ["it is held: watch and publish build on, and nothing newer goes live before vitrine publish --resume"]
    : [];
  if (outcome === "unchanged") {
    const gone = dropped.length === 0 ? [] : [`kept no more: ${dropped.join(", ")}`];
    return [
      ...first,
      `nothing changed: release ${release} stays live`,
      ...hold,
      ...gone,
      ...repairLines(repaired),
    ];
  }
  const purgeLines = purges.map(({ cdn, requests, cost }) => {
    const kinds = [...new Set(requests.map(({ kind }) => kind))].join(", ");
    return `${outcome === "planned" ? "would purge" : "purged"} ${cdn}, ${kinds}: ${cost}`;
  });
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
    does: "make a snapshot live: put exactly what changed, then purge",
    flags: {
      ...PUBLISH_FLAGS,
      ...LOCAL_FLAG,
      ...OUT_FLAGS,
      ...METRICS_FLAG,
      resume: flag("go live again after a rollback, which holds the release that it made live"),
      repair: {
        ...flag("also read all that stands there, and put back what is missing or another one"),
        conflicts: "dryRun",
      },
    },
    examples: [
      "vitrine publish --to s3://shop-api --dry-run",
      "vitrine publish --to s3://shop/catalog --purge cloudfront:E1ABCDEFGHIJKL --verify 20",
      "vitrine publish --to s3://shop --endpoint https://ACCOUNT.r2.cloudflarestorage.com --region auto",
      "vitrine publish --to s3://shop-api --repair",
      "vitrine publish --to s3://shop-api --resume",
      "vitrine publish --to file:///srv/www/shop-api",
    ],
  },
  async (flags) => {
    const { lookAtPlace, publish } = await import("../../pipeline/publish.ts");
    const log = terminalLog(flags.json === true);
    const options = { ...publishOptions(flags, log), out: flags.out, configFile: flags.config };
    const metrics = new MetricsFile(flags.metricsFile, ["publish"]);
    const report = await metrics.publish(() => publish(options)).finally(() => log.done());
    const look = flags.dryRun === true ? null : await lookAtPlace(options);
    if (look !== null) metrics.looked(look);
    const missing = look === null ? null : describeMissing(look, report.to);
    if (missing !== null) log.warn(missing);
    printSummary(flags.json === true, { ...report, look }, reportLines(report));
  },
);
