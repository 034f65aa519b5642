/** `vitrine check` */
import { VitrineError } from "../../base/error.ts";
import type { Log } from "../../base/log.ts";
import { counted, formatBytes, formatCount } from "../../base/log.ts";
import type { ServedReport } from "../../publish/served.ts";
import type { FeedLeftOut } from "../../site/feeds/feeds.ts";
import { oneLine } from "../../site/feeds/text.ts";
import { findOutFolder, JSON_FLAG, OUT_FLAGS, type OutFlags, WAIT_FLAG } from "../inputs.ts";
import { commandOf, type Flags, flag, text, whole } from "../options.ts";
import { openBucket, PURGE_FLAG, placeOf, STORE_FLAGS, type TargetFlags } from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";
import { reportLines } from "./publish.ts";

const SHOWN = 20;
const TITLE_LETTERS = 80;
const FLAGS = {
  ...OUT_FLAGS,
  ...STORE_FLAGS,
  ...PURGE_FLAG,
  remote: text("<place>", "check what s3://…, file:///… or https://… really serves"),
  sample: whole("<number>", "with --remote: only so many, spread over all", 1),
  repair: {
    ...flag(
      "with --remote: put back what is missing or another one, where what is live stands in the output folder",
    ),
    conflicts: "sample",
  },
  ...WAIT_FLAG,
  why: text("<key>", "say what a file is made of, and what had changed when it was written last"),
  ...JSON_FLAG,
};
type CheckFlags = Flags<typeof FLAGS>;

/** @throws VitrineError check_failed */
function failOn(problems: readonly string[], what: string, next: string): void {
  if (problems.length === 0) return;
  const more = problems.length > SHOWN ? `\n  … and ${formatCount(problems.length - SHOWN)} more` : "";
  throw new VitrineError(
    "check_failed",
    `${what} does not hold, ${formatCount(problems.length)} ${problems.length === 1 ? "thing is" : "things are"} wrong:\n` +
      `  ${problems.slice(0, SHOWN).join("\n  ")}${more}\n${next}`,
  );
}

/** What is missing in a bucket is put back, of what stands in the output folder. */
async function repairRemote(place: string, flags: CheckFlags): Promise<void> {
  if (!/^(s3|file):\/\//.test(place))
    throw new VitrineError("usage", `"${place}" cannot be repaired: write s3://… or file:///….`);
  const { repairPlace } = await import("../../pipeline/publish.ts");
  const log = terminalLog(flags.json === true);
  const options = { ...placeOf({ ...flags, to: place }), out: flags.out, configFile: flags.config };
  const rules = { purge: flags.purge, waitSeconds: flags.wait };
  const report = await repairPlace({ ...options, ...rules, log }).finally(() => log.done());
  printSummary(flags.json === true, report, reportLines(report));
}

async function checkPlace(place: string, flags: CheckFlags): Promise<void> {
  if (flags.repair === true) return repairRemote(place, flags);
  const log = terminalLog(flags.json === true);
  const report = await checkRemote(place, { ...flags, sample: flags.sample ?? 0 }, log).finally(() =>
    log.done(),
  );
  const lines = report.problems.length > 0 ? [] : [`${formatCount(report.files)} answers asked for: OK`];
  if (flags.json === true || lines.length > 0) printSummary(flags.json === true, report, lines);
  failOn(
    report.problems,
    place,
    "vitrine publish --repair puts back what is missing in a bucket; of a public address, purge the CDN or look who else writes there.",
  );
}

/** `["feed google leaves out 2 products:", "  198 Façade Designer: lacks image_link", …]` */
function leftOutLines({ name, leftOut }: FeedLeftOut): string[] {
  const shown = leftOut
    .slice(0, SHOWN)
    .map(({ id, title, missing }) => `${id} ${oneLine(title, TITLE_LETTERS)}: lacks ${missing.join(", ")}`);
  const more =
    leftOut.length > SHOWN ? [`… and ${formatCount(leftOut.length - SHOWN)} more, all with --json`] : [];
  return [
    `feed ${name} leaves out ${counted(leftOut.length, ["product"])}:`,
    ...[...shown, ...more].map((line) => `  ${line}`),
  ];
}

/** Products that the feeds of a sound snapshot leave out. */
async function readLeftOut(catalogFile: string): Promise<FeedLeftOut[]> {
  const [{ openCatalog }, { leftOutOfFeeds }] = await Promise.all([
    import("../../catalog/catalog.ts"),
    import("../../site/feeds/feeds.ts"),
  ]);
  using catalog = openCatalog(catalogFile);
  return leftOutOfFeeds(catalog);
}

/** What a file is made of, and why it was written. `asked`: its key, or a request that it answers, `/api/v1/products?page=2`. */
async function explainFile(asked: string, flags: CheckFlags): Promise<void> {
  const [{ openManifest }, { targetKey }] = await Promise.all([
    import("../../site/manifest.ts"),
    import("../../key/key.ts"),
  ]);
  const { manifest: file } = await findOutFolder(flags);
  const manifest = openManifest(file);
  try {
    const key = asked.startsWith("/") ? (targetKey(asked) ?? asked) : asked;
    const entry = manifest.built(key);
    if (entry === undefined) {
      throw new VitrineError(
        "usage",
        `The snapshot has no file ${key}. Name a key as vitrine diff and check show it, or a request like /api/v1/products?page=2.`,
      );
    }
    const [alias, ...more] = entry.inputs.split("\n");
    const source = alias?.startsWith("= ") ? alias.slice(2) : null;
    const inputs = source === null ? [alias ?? "", ...more] : manifest.built(source)?.inputs.split("\n");
    const report = { key, sameAs: source, writtenAt: entry.generatedAt, why: entry.why.split("\n"), inputs };
    printSummary(flags.json === true, report, [
      source === null ? key : `${key}, the same file as ${source}`,
      `written ${report.writtenAt}: ${report.why.join(", ")}`,
      "made of:",
      ...(inputs ?? []).map((line) => `  ${line}`),
    ]);
  } finally {
    manifest.close();
  }
}

async function checkFolder(flags: CheckFlags): Promise<void> {
  if (flags.why !== undefined) return explainFile(flags.why, flags);
  if (flags.sample !== undefined)
    throw new VitrineError("usage", "--sample goes with --remote: a folder is always checked whole.");
  if (flags.repair === true)
    throw new VitrineError("usage", "--repair goes with --remote: a folder is mended by building again.");
  const { verifySnapshot } = await import("../../site/verify.ts");
  const log = terminalLog(flags.json === true);
  const layout = await findOutFolder(flags);
  const report = await verifySnapshot(layout, (done, of) => {
    log.progress(() => ({ what: "checking", done, of, unit: "files" }));
  }).finally(() => log.done());
  const { files, sizeBytes, problems } = report;
  const isSound = problems.length === 0;
  const feeds = isSound ? await readLeftOut(layout.catalog) : [];
  const lines = [
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}: OK`,
    ...feeds.flatMap(leftOutLines),
  ];
  if (flags.json === true || isSound) printSummary(flags.json === true, { ...report, feeds }, lines);
  failOn(
    problems,
    "The snapshot",
    "Delete manifest.sqlite and site/ in that folder and build again: that writes every file anew.",
  );
}

export const addCheck = commandOf(
  {
    name: "check",
    does: "check every file of a snapshot against its schema and the manifest, and list what feeds leave out",
    flags: FLAGS,
    examples: [
      "vitrine check",
      "vitrine check --out public --json",
      "vitrine check --why '/api/v1/products?page=2'",
      "vitrine check --remote s3://shop/catalog",
      "vitrine check --remote s3://shop/catalog --repair",
      "vitrine check --remote https://shop.example --sample 200",
    ],
  },
  (flags) => {
    if (flags.remote !== undefined && flags.why !== undefined)
      throw new VitrineError(
        "usage",
        "--why reads the manifest of an output folder: name it with --out, without --remote.",
      );
    return flags.remote === undefined ? checkFolder(flags) : checkPlace(flags.remote, flags);
  },
);

interface RemoteFlags extends Omit<TargetFlags, "to">, OutFlags {
  /** Check only so many, spread over all; 0 checks every one. */
  readonly sample: number;
}

async function checkRemote(place: string, flags: RemoteFlags, log: Log): Promise<ServedReport> {
  const [isBucket, isPublic] = [/^(s3|file):\/\//.test(place), /^https?:\/\//.test(place)];
  if (!isBucket && !isPublic)
    throw new VitrineError("usage", `"${place}" cannot be checked: write s3://…, file:///… or https://….`);
  const [{ checkBucket, checkPublic, readPublic }, { openManifest }] = await Promise.all([
    import("../../publish/served.ts"),
    import("../../site/manifest.ts"),
  ]);
  const progressOf = (what: string) => (done: number, files: number) =>
    log.progress(() => ({ what: "checking", done, of: files, unit: what }));
  if (isBucket) {
    using bucket = await openBucket({ ...flags, to: place });
    return await checkBucket(bucket, { sample: flags.sample, progress: progressOf("files") });
  }
  const read = readPublic(place.replace(/(\/api\/v1)?\/*$/, ""), { callMilliseconds: flags.timeout * 1000 });
  const manifest = openManifest((await findOutFolder(flags)).manifest);
  const options = { sample: flags.sample, progress: progressOf("answers") };
  return checkPublic(read, manifest, options).finally(() => manifest.close());
}
