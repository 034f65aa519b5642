/** `vitrine check` */
import { rootAddress } from "../../api/target.ts";
import { VitrineError } from "../../base/error.ts";
import { counted, formatBytes, formatCount } from "../../base/log.ts";
import { readConfig } from "../../config/inputs.ts";
import type { ServedReport } from "../../publish/served.ts";
import type { FeedLeftOut } from "../../site/feeds/feeds.ts";
import { oneLine } from "../../site/feeds/text.ts";
import { findOutFolder, JSON_FLAG, OUT_FLAGS } from "../inputs.ts";
import { commandOf, type Flag, type Flags, flag, text, whole } from "../options.ts";
import {
  LOCK_FLAGS,
  openNamedBucket,
  PLACE,
  PURGE_FLAG,
  placeOf,
  requirePlace,
  SERVICE_FLAGS,
} from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";
import { reportLines } from "./publish.ts";

const SHOWN = 20;
const TITLE_LETTERS = 80;

const FLAGS = {
  to: {
    takes: "[place]",
    help: `instead of the folder, check what is published at ${PLACE} (without a place: \`to\` of the configuration)`,
    conflicts: ["from", "why"],
  } satisfies Flag<string | true | undefined> as Flag<string | true | undefined>,
  from: {
    takes: "[address]",
    help: "instead, check the answers of an address like https://shop.example (without one: `baseUrl` of the configuration)",
    conflicts: "why",
  } satisfies Flag<string | true | undefined> as Flag<string | true | undefined>,
  sample: whole("<number>", "with --to or --from: check only so many files, spread over all", 1),
  repair: {
    ...flag("with --to: put back what is missing or wrong; the output folder must have the live release"),
    conflicts: "sample",
  },
  why: text("<key>", "show what one file is made of, and what had changed when it was last written"),
  ...OUT_FLAGS,
  ...SERVICE_FLAGS,
  ...PURGE_FLAG,
  ...LOCK_FLAGS,
  ...JSON_FLAG,
};

export const addCheck = commandOf(
  {
    name: "check",
    does: "check all files of the snapshot, a published place or an address",
    flags: FLAGS,
    examples: [
      "vitrine check",
      "vitrine check --out public --json",
      "vitrine check --why '/api/v1/products?page=2'",
      "vitrine check --to s3://shop-api",
      "vitrine check --to s3://shop-api --repair",
      "vitrine check --from https://shop.example --sample 200",
    ],
  },
  (flags) => {
    if (flags.to !== undefined) return checkPlace(flags);
    return flags.from === undefined ? checkFolder(flags) : checkAddress(flags);
  },
);

type CheckFlags = Flags<typeof FLAGS>;

async function checkFolder(flags: CheckFlags): Promise<void> {
  if (flags.why !== undefined) return explainFile(flags.why, flags);
  if (flags.sample !== undefined)
    throw new VitrineError("usage", "--sample needs --to or --from: a folder is always checked whole.");
  if (flags.repair === true)
    throw new VitrineError("usage", "--repair needs --to. To repair the folder, run vitrine build.");
  return checkSnapshot(flags);
}

/** Checks every file of an output folder, while no build changes them. @throws VitrineError check_failed; out_busy */
export async function checkSnapshot(
  flags: Pick<CheckFlags, "out" | "config" | "json"> & { readonly wait?: number },
): Promise<void> {
  const [{ verifySnapshot }, { lockOut }] = await Promise.all([
    import("../../site/verify.ts"),
    import("../../site/out.ts"),
  ]);
  const log = terminalLog(flags.json === true);
  const layout = await findOutFolder(flags);
  using _lock = await lockOut(layout, "shared", { waitSeconds: flags.wait, log });
  const report = await verifySnapshot(layout, (done, of) => {
    log.progress(() => ({ what: "checking", done, of, unit: "files" }));
  }).finally(() => log.done());
  const { files, sizeBytes, problems, strays } = report;
  const isSound = problems.length === 0;
  const feeds = isSound ? await readLeftOut(layout.catalog) : [];
  const lines = [
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}: OK`,
    ...feeds.flatMap(feedLeftOutLines),
  ];
  if (flags.json === true || isSound) printSummary(flags.json === true, { ...report, feeds }, lines);
  failOn(problems, layout.site, mendingOf(problems.length - strays.length, strays.length));
}

/** What to do about files that are missing or wrong, and about those of others. */
function mendingOf(wrong: number, strays: number): string {
  const next = [
    wrong > 0 ? "vitrine build --full writes again what is missing or wrong." : "",
    strays > 0 ? "Delete what is not in the manifest, or move it elsewhere: no build made it." : "",
  ];
  return next.filter((each) => each !== "").join(" ");
}

/** Shows what a file is made of and why it was written. `asked`: its key, or a request that it answers, `/api/v1/products?page=2`. */
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
        `The snapshot has no file ${key}. Name a file as vitrine diff shows it, or a request like /api/v1/products?page=2.`,
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

/** The place that `--to` names. */
type PlaceFlags = Omit<CheckFlags, "to"> & { readonly to: string };

/** Reads everything that is published at a place. */
async function checkPlace(given: CheckFlags): Promise<void> {
  const flags = await requirePlace({ ...given, to: given.to === true ? undefined : given.to });
  if (flags.repair === true) return repairPlace(flags);
  const { checkBucket } = await import("../../publish/served.ts");
  const log = terminalLog(flags.json === true);
  using bucket = await openNamedBucket(flags);
  const report = await checkBucket(bucket, {
    sample: flags.sample ?? 0,
    progress: (done, of) => log.progress(() => ({ what: "checking", done, of, unit: "files" })),
  }).finally(() => log.done());
  const next = `vitrine check --to ${flags.to} --repair puts back what is missing or wrong.`;
  printServed(given, report, flags.to, next);
}

/** Asks a public address for the answers of the snapshot, as its readers do. */
async function checkAddress(flags: CheckFlags): Promise<void> {
  const address = flags.from === true ? (await readConfig(flags.config)).config.baseUrl : (flags.from ?? "");
  if (!/^https?:\/\//.test(address))
    throw new VitrineError("usage", `--from takes an address like https://shop.example, not ${address}.`, {
      hint: `to check a bucket or folder, write --to ${address}`,
    });
  const [{ checkPublic, readPublic }, { openManifest }] = await Promise.all([
    import("../../publish/served.ts"),
    import("../../site/manifest.ts"),
  ]);
  const log = terminalLog(flags.json === true);
  const read = readPublic(rootAddress(address), { callMilliseconds: flags.timeout * 1000 }, log);
  const manifest = openManifest((await findOutFolder(flags)).manifest);
  const report = await checkPublic(read, manifest, {
    sample: flags.sample ?? 0,
    progress: (done, of) => log.progress(() => ({ what: "checking", done, of, unit: "answers" })),
  }).finally(() => {
    manifest.close();
    log.done();
  });
  const next = "Purge the CDN, or find out which other program publishes there.";
  printServed(flags, report, address, next);
}

function printServed({ json }: CheckFlags, report: ServedReport, place: string, next: string): void {
  const lines = report.problems.length > 0 ? [] : [`${formatCount(report.files)} answers read: OK`];
  if (json === true || lines.length > 0) printSummary(json === true, report, lines);
  failOn(report.problems, place, next);
}

/** Puts back what the place has lost, from the output folder. */
async function repairPlace(flags: PlaceFlags): Promise<void> {
  const { repairPlace: repair } = await import("../../pipeline/publish.ts");
  const log = terminalLog(flags.json === true);
  const options = { ...placeOf(flags), out: flags.out, configFile: flags.config };
  const { purge, singlePublisher, lease: leaseSeconds, wait: waitSeconds } = flags;
  const rules = { purge, singlePublisher, leaseSeconds, waitSeconds };
  const report = await repair({ ...options, ...rules, log }).finally(() => log.done());
  printSummary(flags.json === true, report, reportLines(report));
}

/** @throws VitrineError check_failed */
function failOn(problems: readonly string[], what: string, next: string): void {
  if (problems.length === 0) return;
  const more = problems.length > SHOWN ? `\n  … and ${formatCount(problems.length - SHOWN)} more` : "";
  throw new VitrineError(
    "check_failed",
    `${counted(problems.length, ["problem"])} in ${what}:\n` +
      `  ${problems.slice(0, SHOWN).join("\n  ")}${more}\n${next}`,
  );
}

/** Products that the feeds leave out. */
async function readLeftOut(catalogFile: string): Promise<FeedLeftOut[]> {
  const [{ openCatalog }, { leftOutOfFeeds }] = await Promise.all([
    import("../../catalog/catalog.ts"),
    import("../../site/feeds/feeds.ts"),
  ]);
  using catalog = openCatalog(catalogFile);
  return leftOutOfFeeds(catalog);
}

/** `["feed google leaves out 2 products:", "  198 Façade Designer: lacks image_link", …]` */
function feedLeftOutLines({ name, leftOut }: FeedLeftOut): string[] {
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
