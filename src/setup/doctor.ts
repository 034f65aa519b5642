/** Checks everything that a build and a publish need. The checks do not depend on each other. */
import { randomUUID } from "node:crypto";
import * as nodeFiles from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { CLOCK, within } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { isPrivateAddress } from "../base/private-address.ts";
import { type SqlTime, toSqlTime } from "../base/time.ts";
import { CONFIG_FILE, completePlace, DEFAULT_OUT, DEFAULT_QUERIES, readConfig } from "../config/inputs.ts";
import { type LoadedConfig, storePlace } from "../config/load.ts";
import { type AllowListQuery, filesWithoutQuery, readAllowList, readBeside } from "../extract/allow-list.ts";
import { wrongLine } from "../pipeline/build-report.ts";
import { objectProblem } from "../pipeline/built.ts";
import { guardSources, guardStore } from "../pipeline/own-folders.ts";
import { readRefusals } from "../pipeline/plan.ts";
import { readLastReport } from "../pipeline/previous.ts";
import { openPlace } from "../pipeline/publish.ts";
import { statusOf } from "../publish/aws.ts";
import { type Bucket, CONTROL } from "../publish/bucket.ts";
import { probeConditions } from "../publish/conditional-writes.ts";
import { readPointer } from "../publish/documents.ts";
import { refuseForeign } from "../site/foreign-out.ts";
import { layoutOf } from "../site/layout.ts";
import { openManifest } from "../site/manifest.ts";
import { isServerAddress } from "../store/address.ts";
import { openSession } from "../store/open.ts";
import { SessionReader } from "../store/reader.ts";
import { choiceSentence, divergedReason, readChosen, undecidedReason } from "./choices.ts";
import { checkServer, checkStoreFile } from "./doctor-store.ts";
import { type Finding, type Found, judgeClock, note, ok, problem, readClock, warning } from "./finding.ts";
import { isOutOfDate, privacyFile, readPrivacy } from "./privacy/page.ts";

/** Options that are left out come from the configuration, as for a build. */
export interface DoctorOptions {
  readonly store?: string | undefined;
  readonly queries?: string | undefined;
  readonly configFile?: string | undefined;
  readonly out?: string | undefined;
  /** The place that is published to; if the configuration does not name one either, it is not checked. */
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Writes and deletes a file there that no reader looks for. Default: false. */
  readonly tryWriting?: boolean | undefined;
  /** The longest time for one check. */
  readonly timeoutSeconds: number;
}

/** Runs all checks, one after the other. A check that hangs is not waited for: the caller must end the process. */
export async function runChecks(options: DoctorOptions, onCheck: (name: string) => void): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of Object.keys(CHECKS)) {
    // A store that cannot be read is reported once. Each of these would wait again for a lock, or for a server's answer.
    if (READING.includes(name) && found.some(isUnread)) continue;
    onCheck(name);
    found.push(...(await runCheck(name, options)));
  }
  return found;
}

/** Checks that read the store again. */
const READING: readonly string[] = ["changed.sql", "choices", "public products", "privacy"];

function isUnread({ check, level }: Finding): boolean {
  return check === "store" && level === "problem";
}

type Check = (inputs: Inputs) => Found | Found[] | Promise<Found | Found[]>;

/** In the order of the report. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: () => checkNode(),
  configuration: checkConfiguration,
  disk: ({ out, loaded, options, store, queries }) => {
    refuseForeign(out, layoutOf(out));
    const { to } = completePlace(options, loaded?.place);
    // A build and a publish refuse both.
    if (store !== undefined) guardSources({ store, queries }, layoutOf(out));
    guardStore(store, to);
    const disk = checkDisk(out, loaded?.config.grid.maxFiles ?? null);
    return to === undefined ? disk : [...disk, ...checkTemporary(out)];
  },
  store: checkStore,
  "SQL files": checkQueries,
  "changed.sql": checkChangedRow,
  choices: checkChoices,
  "public products": checkRefusals,
  values: checkValues,
  object: ({ out }) => checkObject(layoutOf(out).catalog),
  privacy: checkPrivacy,
  place: checkPublished,
};

/** Runs one check until it ends or its time is over. An error that it throws is a problem, too. */
export async function runCheck(name: string, options: DoctorOptions): Promise<Finding[]> {
  const { timeoutSeconds } = options;
  const late = () =>
    problem(
      `No answer within ${timeoutSeconds} s`,
      "Find out what hangs there, or give it more time with --timeout.",
    );
  const found = Promise.resolve(inputsOf(options))
    .then((inputs) => CHECKS[name]?.(inputs) ?? [])
    .catch((error: unknown) => problem(messageOf(error), ""));
  const result = await within<Found | Found[], Found>(timeoutSeconds * 1000, found, late);
  return [result].flat().map((each) => ({ check: name, ...each }));
}

/** The options, completed by the configuration if it can be read. */
interface Inputs {
  readonly options: DoctorOptions;
  readonly loaded: LoadedConfig | null;
  /** Undefined if neither the options nor the configuration name one. */
  readonly store: string | undefined;
  readonly queries: string;
  readonly out: string;
  readonly now: SqlTime;
}

async function inputsOf(options: DoctorOptions): Promise<Inputs> {
  const loaded = await readConfig(options.configFile).catch(() => null);
  const store = options.store === undefined ? loaded?.store : storePlace(options.store, process.cwd());
  return {
    options,
    loaded,
    store,
    queries: resolve(options.queries ?? loaded?.queries ?? join(loaded?.folder ?? "", DEFAULT_QUERIES)),
    out: resolve(options.out ?? loaded?.out ?? DEFAULT_OUT),
    now: toSqlTime(CLOCK.now()),
  };
}

/** Checks the Node that runs this, and whether the installed native code is for it. */
export function checkNode(
  version: string = process.versions.node,
  open: () => void = () => new Database(":memory:").close(),
): Found {
  try {
    open();
  } catch (error) {
    return problem(
      `SQLite's native code does not run in Node ${version}: ${messageOf(error)}`,
      "Install again with this Node (npm ci, or npm rebuild better-sqlite3).",
    );
  }
  // Odd versions get no fixes once the next version is out.
  if (Number.parseInt(version, 10) % 2 === 0) return ok(`Node ${version}, with SQLite`);
  return warning(
    `Node ${version} will soon get no more fixes: its first number is odd`,
    "Install an even one, an LTS.",
  );
}

async function checkConfiguration({ options }: Inputs): Promise<Found> {
  const file = options.configFile ?? CONFIG_FILE;
  const { baseUrl, siteUrl } = (await readConfig(file)).config;
  if (!isPrivateAddress(baseUrl) && !isPrivateAddress(siteUrl))
    return ok(`${file}: the API is at ${baseUrl}`);
  return warning(
    `${file}: baseUrl or siteUrl is an address that only this machine or its network can reach`,
    "Set both to public addresses before you publish: answers link to them.",
  );
}

/** @throws VitrineError snapshot_unreadable */
export function checkDisk(out: string, maxFiles: number | null, files: Files = nodeFiles): Found[] {
  // The folder, or the one in which it would be made.
  let place = out;
  while (!files.existsSync(place)) place = dirname(place);
  if (!files.statSync(place).isDirectory())
    return [problem(`${place} is a file: no folder can be made there`, `Move it away, ${ELSEWHERE}`)];
  try {
    files.accessSync(place, nodeFiles.constants.W_OK | nodeFiles.constants.X_OK);
  } catch (error) {
    const what = `Cannot write to ${place}: ${messageOf(error)}`;
    return [problem(what, `Let this user write there, ${ELSEWHERE}`)];
  }
  const found = [checkRoom(out, place, maxFiles, files), ...checkBuilder(out, files)];
  const remote = REMOTE.get(files.statfsSync(place).type);
  if (remote !== undefined)
    found.push(
      warning(
        `${place} is on ${remote}, where locks are not reliable`,
        `Build on a local disk, ${ELSEWHERE}`,
      ),
    );
  return found;
}

/** Reports a snapshot that another user built: this one may make files beside it, and can't replace those. */
function checkBuilder(out: string, files: Files): Found[] {
  const { manifest } = layoutOf(out);
  const user = process.getuid?.();
  const builder = files.existsSync(manifest) ? files.statSync(manifest).uid : user;
  if (user === undefined || builder === user) return [];
  const what = `The snapshot in ${out} was built by user ${builder}, and this is user ${user}`;
  const give = user === 0 ? "" : ` If it is yours, as root: chown -R ${user} '${out}'.`;
  return [warning(what, `Build as that user.${give}`)];
}

/** The calls to a file system; tests replace them by a full, closed or remote one. */
export type Files = Pick<typeof nodeFiles, "accessSync" | "existsSync" | "statSync" | "statfsSync">;

const ELSEWHERE = "or name another folder with --out.";

/** Linux's numbers of file systems whose locks and renames happen on another machine. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

/** The snapshot of a small shop, the demo, has 21 MB. */
const LEAST_BYTES = 20e6;

interface Weight {
  readonly files: number;
  readonly sizeBytes: number;
}

/** The room that a snapshot needs at most on a disk with blocks of this size; null if there is no snapshot. */
function weigh(out: string, blockBytes: number, files: Files): Weight | null {
  const layout = layoutOf(out);
  if (!files.existsSync(layout.manifest)) return null;
  const manifest = openManifest(layout.manifest);
  const totals = manifest.totals();
  manifest.close();
  const beside = [layout.manifest, layout.catalog, layout.readings].filter((file) => files.existsSync(file));
  const besideBytes = beside.reduce((sum, file) => sum + files.statSync(file).size, 0);
  return { files: totals.files, sizeBytes: totals.sizeBytes + totals.files * blockBytes + besideBytes };
}

/** The free room on a folder's disk, as numbers and in words: `9.1 GB and 5,000 files are free`. */
function roomOn(place: string, files: Files) {
  const { bavail, bsize, files: all, ffree } = files.statfsSync(place);
  // Some file systems report 0 files because they have room for any number.
  const free: Weight = { files: all === 0 ? Infinity : ffree, sizeBytes: bavail * bsize };
  const many = all === 0 ? "any number of" : formatCount(ffree);
  return { blockBytes: bsize, free, said: `${formatBytes(free.sizeBytes)} and ${many} files are free` };
}

const fits = (needed: Weight, free: Weight) =>
  free.sizeBytes >= needed.sizeBytes && free.files >= needed.files;

const shownWeight = ({ files, sizeBytes }: Weight) =>
  `needs up to ${formatBytes(sizeBytes)} and ${formatCount(files)} files`;

function checkRoom(out: string, place: string, maxFiles: number | null, files: Files): Found {
  const { blockBytes, free, said } = roomOn(place, files);
  const room = `${said} for ${out}`;
  const needed = weigh(out, blockBytes, files);
  if (needed === null) {
    if (free.sizeBytes < LEAST_BYTES)
      return problem(
        `Only ${room}, which is too little for a first build`,
        `Make room, ${ELSEWHERE} vitrine plan shows how much a snapshot needs.`,
      );
    if (maxFiles !== null && free.files < maxFiles)
      return warning(
        `${room}, and maxFiles allows ${formatCount(maxFiles)}`,
        `Lower grid.maxFiles, ${ELSEWHERE} vitrine plan shows how many files there would be.`,
      );
    return ok(`${room}; there is no snapshot yet, and vitrine plan shows how much room it needs`);
  }
  const takes = `making all files again ${shownWeight(needed)}`;
  if (fits(needed, free)) return ok(`${room}; ${takes}`);
  return problem(`Only ${room}, and ${takes}`, `Make room, ${ELSEWHERE}`);
}

/** Warns if a rollback would find no room: it renders a whole snapshot in the temporary folder. Better known by day than at night. */
export function checkTemporary(out: string, files: Files = nodeFiles, folder = tmpdir()): Found[] {
  if (!files.existsSync(folder)) return [];
  const { blockBytes, free, said } = roomOn(folder, files);
  const needed = weigh(out, blockBytes, files);
  if (needed === null || fits(needed, free)) return [];
  return [
    warning(
      `${said} in ${folder}, where a rollback makes a whole snapshot: it ${shownWeight(needed)}`,
      "Name a folder with more room in TMPDIR for vitrine rollback.",
    ),
  ];
}

async function checkStore({ store, loaded, queries, now }: Inputs): Promise<Found[]> {
  // If the configuration cannot be read, its check reports it.
  if (store === undefined)
    return loaded === null
      ? []
      : [problem("The store is not named", `Name it with --store, or as "store" in ${CONFIG_FILE}.`)];
  let files: readonly AllowListQuery[] | null = null;
  try {
    files = Object.values(readAllowList(queries));
  } catch {
    // A build reports it; the store is checked in any case.
  }
  return isServerAddress(store) ? checkServer(store, now, files) : checkStoreFile(store);
}

/** Reports files without a query. Mistakes in the others are reported by a build. @throws VitrineError allow_list_invalid */
function checkQueries({ queries }: Inputs): Found[] {
  const lacking = filesWithoutQuery(queries);
  const of = (isRequired: boolean) =>
    lacking.filter((each) => each.isRequired === isRequired).map(({ file }) => file);
  const [required, optional] = [of(true), of(false)];
  if (lacking.length === 0) return [ok("All files have their query")];
  const found: Found[] = [];
  if (required.length > 0)
    found.push(
      problem(
        `Without a query: ${required.join(", ")}: nothing can be built`,
        "Write the queries as the comments in the files and docs/own-store.md say.",
      ),
    );
  if (optional.length > 0)
    found.push(
      warning(
        `Without a query: ${optional.join(", ")}: their answers are empty`,
        "Write the query, or delete the file.",
      ),
    );
  return found;
}

/**
 * Names columns of changed.sql without a value. `SUM(unixepoch(updated_at))` is NULL whatever changes if the times are numbers, which SQLite
 * takes for days. The sum of an empty table is NULL, too, so this is no mistake in itself.
 */
async function checkChangedRow({ store, queries, now }: Inputs): Promise<Found[]> {
  if (store === undefined) return [];
  try {
    const { changed } = readBeside(queries);
    if (changed === null) return [];
    const session = await openSession(store, now);
    try {
      const reader = new SessionReader(session);
      const values: unknown = JSON.parse(await reader.row(changed));
      if (!Array.isArray(values) || !values.includes(null)) return [];
      const columns = await session.columns(changed.sql);
      const blind = columns.filter((_, index) => values[index] === null);
      return [
        note(
          `NULL in ${blind.join(", ")}, where watch sees no change. That is right for an empty table; ` +
            "otherwise sum up the number itself, or use COALESCE (docs/allow-list.md)",
        ),
      ];
    } finally {
      await session.close();
    }
  } catch (error) {
    // A build reports files that are wrong; the check of the store, one that cannot be read.
    if (error instanceof VitrineError) return [];
    throw error;
  }
}

/** Repeats which channel, language, … becomes public, and what others would show. */
async function checkChoices({ store, queries, now }: Inputs): Promise<Found[]> {
  if (store === undefined) return [];
  // If the store or the SQL files cannot be read, their checks report it.
  const choices = await readChosen(store, queries, now).catch((error: unknown) => {
    if (error instanceof VitrineError) return [];
    throw error;
  });
  return choices.map((found) => {
    const diverged = divergedReason(found);
    if (diverged !== null)
      return warning(diverged, "If that is not meant, run vitrine init in an empty folder.");
    const reason = undecidedReason(found);
    return reason === null
      ? note(choiceSentence(found))
      : warning(reason, "Run vitrine init with it in an empty folder.");
  });
}

/** Reports a shop that no build would make public: it is closed, or nothing of it is public. */
async function checkRefusals({ store, queries, now }: Inputs): Promise<Found[]> {
  if (store === undefined) return [];
  // If the store or the SQL files cannot be read, their checks or a build report it.
  const refusals = await readRefusals({ store, queries, now }).catch((error: unknown) => {
    if (error instanceof VitrineError) return [];
    throw error;
  });
  return refusals.map((why) => problem(`A build would be refused: ${why}`, ""));
}

/** So many kinds of wrong values are listed. */
const WRONG_SHOWN = 5;

/** Reports values that the last build found wrong: pictures that visitors cannot load, texts that were encoded twice, … */
function checkValues({ out }: Inputs): Found[] {
  const report = readLastReport(layoutOf(out));
  if (report === null) return [];
  const { wrong } = report;
  if (wrong.length === 0) return [ok("The last build found no wrong value")];
  const lines = wrong.slice(0, WRONG_SHOWN).map(wrongLine);
  const more =
    wrong.length > WRONG_SHOWN ? `; and ${formatCount(wrong.length - WRONG_SHOWN)} more kinds` : "";
  return [
    warning(
      `The last build found wrong values: ${lines.join("; ")}${more}`,
      "Correct them in the shop or in the SQL; vitrine build lists all.",
    ),
  ];
}

/** Says so if the built catalog does not fit into an object of Cloudflare's, which only a shop without a fallback needs. */
export function checkObject(file: string): Found[] {
  const found = objectProblem(file);
  return found === null ? [] : [ok(found.message)];
}

/** Checks the page if it exists: keeping one is optional. */
async function checkPrivacy({ store, queries, options }: Inputs): Promise<Found[]> {
  const file = privacyFile(options.configFile);
  if (store === undefined || !nodeFiles.existsSync(file)) return [];
  const page = await readPrivacy(store, queries).catch(() => null);
  // As in checkChoices: other checks report why.
  if (page === null) return [];
  if (!isOutOfDate(file, page)) return [ok(`${file} is up to date`)];
  const what = `${file} is out of date: the SQL files or the store's schema have changed`;
  return [warning(what, "Run vitrine privacy --write.")];
}

async function checkPublished({ options, loaded }: Inputs): Promise<Found[]> {
  const { to, endpoint, region } = completePlace(options, loaded?.place);
  const { timeoutSeconds, tryWriting = false } = options;
  if (to === undefined) return [];
  using bucket = await openPlace({ to, endpoint, region, timeoutSeconds });
  return await checkPlace(bucket, tryWriting);
}

/** From here on, S3 stores refuse requests that were signed by our clock. */
const REFUSED_SECONDS = 15 * 60;

/**
 * Checks the place that is published to: what the credentials may do there, and its clock.
 * @param writes whether to write and delete a file in `.vitrine/`, where no reader looks
 */
export async function checkPlace(bucket: Bucket, writes: boolean): Promise<Found[]> {
  const { url, clock } = bucket;
  const parts: (() => Promise<Found>)[] = [
    async () => {
      const live = await readPointer(bucket);
      const release = live === null ? "nothing was published there yet" : `${live.pointer.release} is live`;
      return ok(`${url} can be read: ${release}`);
    },
    async () => {
      // As a first publish lists it.
      for await (const _ of bucket.list(CONTROL)) break;
      return ok(`${url} can be listed`);
    },
    async () => {
      if (!writes) return ok("Writing is tried only with --try-writing");
      const style = await probeConditions(bucket, randomUUID());
      const spelling = style === "quoted" ? "" : ", with ETags without quotes";
      return ok(`${url} can be written and deleted, and supports If-Match and If-None-Match${spelling}`);
    },
    ...(clock === undefined
      ? []
      : [async () => judgeClock("The store's clock", await readClock(clock), REFUSED_SECONDS)]),
  ];
  const found: Found[] = [];
  for (const part of parts)
    try {
      found.push(await part());
    } catch (error) {
      if (!(error instanceof VitrineError)) throw error;
      found.push(problem(messageOf(error), ""));
      // No answer at all, as of a port that nothing listens to: the next part would wait as long for the same.
      if (error.cause !== undefined && statusOf(error.cause) === 0) break;
    }
  return found;
}
