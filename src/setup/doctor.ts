/** Looks at all that a build and a publish need, and says what is wrong and what to do: each check by itself. */
import { randomUUID } from "node:crypto";
import * as nodeFiles from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "better-sqlite3";
import { messageOf, VitrineError } from "../base/error.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { type SqlTime, toSqlTime } from "../base/time.ts";
import { CONFIG_FILE, DEFAULT_OUT, DEFAULT_QUERIES, readConfig } from "../config/inputs.ts";
import { type LoadedConfig, storePlace } from "../config/load.ts";
import { type AllowListQuery, filesWithoutQuery, readAllowList } from "../extract/allow-list.ts";
import { readLastReport } from "../pipeline/previous.ts";
import { openPlace } from "../pipeline/publish.ts";
import { wrongLine } from "../pipeline/report.ts";
import { type Bucket, CONTROL } from "../publish/bucket.ts";
import { probeConditions } from "../publish/conditional-writes.ts";
import { readPointer } from "../publish/documents.ts";
import { layoutOf } from "../site/layout.ts";
import { openManifest } from "../site/manifest.ts";
import { isServerAddress } from "../store/address.ts";
import { checkServer, checkStoreFile } from "./doctor-store.ts";
import { type Finding, type Found, judgeClock, ok, problem, readClock, warning } from "./finding.ts";
import { isOutOfDate, privacyFile, readPrivacy } from "./privacy.ts";

/** What is not named is the configuration's, as for a build. */
export interface DoctorOptions {
  readonly store?: string | undefined;
  readonly queries?: string | undefined;
  readonly configFile?: string | undefined;
  readonly out?: string | undefined;
  /** Where releases go; undefined: that is not looked at. */
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Puts and deletes a key there that no reader looks for. Default: false. */
  readonly tryWriting?: boolean | undefined;
  /** No check is waited for longer. */
  readonly timeoutSeconds: number;
}

/** The options with a configuration, as far as it can be read. */
interface Inputs {
  readonly options: DoctorOptions;
  readonly loaded: LoadedConfig | null;
  /** Undefined where nobody names one. */
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
    now: toSqlTime(new Date()),
  };
}

/** The Node that runs this, and whether the native code that was installed for it is its own. */
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
  // Odd versions get no fixes once the next one is there.
  if (Number.parseInt(version, 10) % 2 === 0) return ok(`Node ${version}, with SQLite`);
  return warning(
    `Node ${version} gets no fixes for long: its first number is odd`,
    "Take an even one: an LTS.",
  );
}

async function checkConfiguration({ options }: Inputs): Promise<Found> {
  const file = options.configFile ?? CONFIG_FILE;
  const { baseUrl, siteUrl } = (await readConfig(file)).config;
  const isLocal = (address: string) => /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(address);
  if (!isLocal(baseUrl) && !isLocal(siteUrl)) return ok(`${file}: the API is at ${baseUrl}`);
  return warning(
    `${file}: baseUrl or siteUrl is an address of this machine alone`,
    "Set both before you publish: answers link to them.",
  );
}

/** What is asked of a file system; tests stand in for those that are full, closed or remote. */
export type Files = Pick<typeof nodeFiles, "accessSync" | "existsSync" | "statSync" | "statfsSync">;

const ELSEWHERE = "or name another folder with --out.";

/** Linux's numbers of file systems whose locks and renames are another machine's. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

/** What a snapshot takes at most on a disk with blocks of this size; null where there is none. */
function weigh(out: string, blockBytes: number, files: Files) {
  const layout = layoutOf(out);
  if (!files.existsSync(layout.manifest)) return null;
  const manifest = openManifest(layout.manifest);
  const totals = manifest.totals();
  manifest.close();
  const beside = [layout.manifest, layout.catalog, layout.readings].filter((file) => files.existsSync(file));
  const besideBytes = beside.reduce((sum, file) => sum + files.statSync(file).size, 0);
  return { files: totals.files, sizeBytes: totals.sizeBytes + totals.files * blockBytes + besideBytes };
}

function checkRoom(out: string, place: string, maxFiles: number | null, files: Files): Found {
  const { bavail, bsize, files: all, ffree } = files.statfsSync(place);
  // Some file systems count no files, for they have room for any number.
  const free = { files: all === 0 ? Infinity : ffree, sizeBytes: bavail * bsize };
  const many = all === 0 ? "any number of" : formatCount(ffree);
  const room = `${formatBytes(free.sizeBytes)} and ${many} files are free for ${out}`;
  const needed = weigh(out, bsize, files);
  if (needed === null) {
    if (maxFiles !== null && free.files < maxFiles)
      return warning(
        `${room}, and maxFiles allows ${formatCount(maxFiles)}`,
        `Lower grid.maxFiles, ${ELSEWHERE} vitrine plan says how many there would be.`,
      );
    return ok(`${room}; there is no snapshot yet, and vitrine plan says what one takes`);
  }
  const takes = `making all anew takes up to ${formatBytes(needed.sizeBytes)} and ${formatCount(needed.files)} files`;
  if (free.sizeBytes >= needed.sizeBytes && free.files >= needed.files) return ok(`${room}; ${takes}`);
  return problem(`Only ${room}, and ${takes}`, `Make room, ${ELSEWHERE}`);
}

/** @throws VitrineError snapshot_unreadable */
export function checkDisk(out: string, maxFiles: number | null, files: Files = nodeFiles): Found[] {
  // The folder itself, or the one in which it would be made.
  let place = out;
  while (!files.existsSync(place)) place = dirname(place);
  const found = [checkRoom(out, place, maxFiles, files)];
  try {
    files.accessSync(place, nodeFiles.constants.W_OK);
  } catch (error) {
    const what = `Cannot write to ${place}: ${messageOf(error)}`;
    found.push(problem(what, `Let this user write there, ${ELSEWHERE}`));
  }
  const remote = REMOTE.get(files.statfsSync(place).type);
  if (remote !== undefined)
    found.push(
      warning(`${place} is on ${remote}, where locks may not hold`, `Build on a local disk, ${ELSEWHERE}`),
    );
  return found;
}

async function checkStore({ store, loaded, queries, now }: Inputs): Promise<Found[]> {
  // Of a configuration that cannot be read, its own check tells.
  if (store === undefined)
    return loaded === null
      ? []
      : [problem("No store is named", `Name it with --store, or as "store" in ${CONFIG_FILE}.`)];
  let files: readonly AllowListQuery[] | null = null;
  try {
    files = Object.values(readAllowList(queries));
  } catch {
    // A build reports it; the store itself is looked at all the same.
  }
  return isServerAddress(store) ? checkServer(store, now, files) : checkStoreFile(store);
}

/** Which files are still to be written: what is in the others, a build reports. @throws VitrineError allow_list_invalid */
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
        "Write it as the file's comments and docs/own-store.md say.",
      ),
    );
  if (optional.length > 0)
    found.push(
      warning(
        `Without a query: ${optional.join(", ")}: what they would give is empty`,
        "Write it, or delete the file.",
      ),
    );
  return found;
}

/** Wrong values are named one by one up to this many. */
const WRONG_SHOWN = 5;

/** Values that the last build found wrong: pictures that visitors can't load, texts that were encoded twice, … */
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
      "Mend them in the shop, or in the SQL; vitrine build names all.",
    ),
  ];
}

/** Only where there is such a page: nobody has to keep one. */
async function checkPrivacy({ store, queries, options }: Inputs): Promise<Found[]> {
  const file = privacyFile(options.configFile);
  if (store === undefined || !nodeFiles.existsSync(file)) return [];
  // Of a store or of SQL files that cannot be read, their own checks tell.
  const page = await readPrivacy(store, queries).catch(() => null);
  if (page === null) return [];
  if (!isOutOfDate(file, page)) return [ok(`${file} says what the SQL files do`)];
  const what = `${file} says something else than the SQL files and the store's schema do now`;
  return [warning(what, "Make it anew: vitrine privacy --write")];
}

/** From here on, stores that speak S3 refuse what was signed by our clock. */
const REFUSED_SECONDS = 15 * 60;

/**
 * Where releases go: what the credentials may do there, and its clock.
 * @param writes whether a key in `.vitrine/`, where no reader looks, may be put and deleted
 */
export async function checkPlace(bucket: Bucket, writes: boolean): Promise<Found[]> {
  const { url, clock } = bucket;
  const parts: (() => Promise<Found>)[] = [
    async () => {
      const live = await readPointer(bucket);
      const release = live === null ? "nothing was published there yet" : `live is ${live.pointer.release}`;
      return ok(`${url} can be read: ${release}`);
    },
    async () => {
      // What a first publish looks for.
      for await (const _ of bucket.list(CONTROL)) break;
      return ok(`${url} can be listed`);
    },
    async () => {
      if (!writes) return ok("Whether it can be written is not tried without --try-writing");
      const style = await probeConditions(bucket, randomUUID());
      const spelling = style === "quoted" ? "" : ", with ETags without quotes";
      return ok(`${url} can be written and deleted, and keeps If-Match and If-None-Match${spelling}`);
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
      found.push(problem(error.message, ""));
    }
  return found;
}

async function checkTarget({ options }: Inputs): Promise<Found[]> {
  const { to, endpoint, region, timeoutSeconds, tryWriting = false } = options;
  if (to === undefined) return [];
  using bucket = await openPlace({ to, endpoint, region, timeoutSeconds });
  return await checkPlace(bucket, tryWriting);
}

type Check = (inputs: Inputs) => Found | Found[] | Promise<Found | Found[]>;

/** In the order in which they are told. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: () => checkNode(),
  configuration: checkConfiguration,
  disk: ({ out, loaded }) => checkDisk(out, loaded?.config.grid.maxFiles ?? null),
  store: checkStore,
  "SQL files": checkQueries,
  values: checkValues,
  privacy: checkPrivacy,
  target: checkTarget,
};

/** Runs one check, and waits for it as long as one may take; what it throws is something to do, too. */
export async function runCheck(name: string, options: DoctorOptions): Promise<Finding[]> {
  const { timeoutSeconds } = options;
  const waiting = new AbortController();
  const late = wait(timeoutSeconds * 1000, undefined, { signal: waiting.signal }).then(
    () =>
      problem(
        `No answer within ${timeoutSeconds} s`,
        "Look what hangs there, or give it more time with --timeout.",
      ),
    () => [],
  );
  const found = Promise.resolve(inputsOf(options))
    .then((inputs) => CHECKS[name]?.(inputs) ?? [])
    .catch((error: unknown) => problem(messageOf(error), ""));
  const told = await Promise.race([found, late]);
  waiting.abort();
  return [told].flat().map((each) => ({ check: name, ...each }));
}

/**
 * Runs all checks, one after the other. One that hangs is left to itself: whoever called ends the process, and with it what that
 * waits for.
 */
export async function runChecks(options: DoctorOptions, onCheck: (name: string) => void): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of Object.keys(CHECKS)) {
    onCheck(name);
    found.push(...(await runCheck(name, options)));
  }
  return found;
}
