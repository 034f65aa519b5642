/** Looks at all that a build and a publish need, and says what is wrong and what to do: each check by itself. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "./base/error.ts";
import { type SqlTime, toSqlTime } from "./base/time.ts";
import { CONFIG_FILE, DEFAULT_OUT, readConfig } from "./config/inputs.ts";
import { type LoadedConfig, storePlace } from "./config/load.ts";
import { checkAllowList } from "./doctor/allow-list.ts";
import { checkChanges } from "./doctor/changes.ts";
import { type Finding, type Found, ok, problem, warning } from "./doctor/finding.ts";
import { checkDisk } from "./doctor/folder.ts";
import { checkLimits, limitsOf } from "./doctor/limits.ts";
import { checkNode } from "./doctor/node.ts";
import { checkPlace } from "./doctor/place.ts";
import { checkStoreFile } from "./doctor/store-file.ts";
import { checkServer } from "./doctor/store-server.ts";
import { type AllowListQuery, readAllowList } from "./extract/allow-list.ts";
import { isServerAddress } from "./extract/stores/address.ts";
import type { HostName } from "./hosts/hosts.ts";
import { productsLeftOut } from "./left-out.ts";
import { templateFolder } from "./package.ts";
import { presentCosts } from "./plan.ts";
import { isOutOfDate, privacyFile, readPrivacy } from "./privacy.ts";
import { openPlace } from "./publish-snapshot.ts";

/** What is not named is the configuration's, as for a build. */
export interface DoctorOptions {
  readonly store?: string | undefined;
  readonly queries?: string | undefined;
  readonly configFile?: string | undefined;
  readonly out?: string | undefined;
  /** The static host that the files are for. */
  readonly for?: HostName | undefined;
  /** Where releases go; undefined: that is not looked at. */
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Puts and deletes a key there that no reader looks for. Default: false. */
  readonly tryWriting?: boolean | undefined;
  /** A check is to end within this; whoever runs it sees to that. */
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
  const loaded = await readConfig(options.configFile, options.for).catch(() => null);
  const store = options.store === undefined ? loaded?.store : storePlace(options.store, process.cwd());
  return {
    ...{ options, loaded, store },
    queries: resolve(options.queries ?? loaded?.queries ?? templateFolder("queries")),
    out: resolve(options.out ?? loaded?.out ?? DEFAULT_OUT),
    now: toSqlTime(new Date()),
  };
}

/** True for what only this machine can reach. */
function isLocal(address: string): boolean {
  return /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(address);
}

async function checkConfiguration({ options }: Inputs): Promise<Found[]> {
  const file = options.configFile ?? CONFIG_FILE;
  const { baseUrl, siteUrl } = (await readConfig(file, options.for)).config;
  if (!isLocal(baseUrl) && !isLocal(siteUrl)) return [ok(`${file}: the API is at ${baseUrl}`)];
  return [
    warning(
      `${file}: baseUrl or siteUrl is an address of this machine alone`,
      "Set both before you publish: answers link to them.",
    ),
  ];
}

function queriesOrNull(folder: string): readonly AllowListQuery[] | null {
  try {
    return Object.values(readAllowList(folder));
  } catch {
    return null; // The files' own check tells it.
  }
}

async function checkStore({ store, loaded, queries, now }: Inputs): Promise<Found[]> {
  if (store !== undefined)
    return isServerAddress(store)
      ? checkServer(store, now, queriesOrNull(queries))
      : checkStoreFile(store, now, queriesOrNull(queries));
  // Of a configuration that cannot be read, its own check tells.
  if (loaded === null) return [];
  return [problem("No store is named", `Name it with --store, or as "store" in ${CONFIG_FILE}.`)];
}

async function checkQueries({ store, queries, now, options }: Inputs): Promise<Found[]> {
  if (store === undefined) return [];
  return checkAllowList({ store, queries, now, readMilliseconds: options.timeoutSeconds * 500 });
}

/** Which they are, `vitrine doctor --left-out` lists. */
async function checkLeftOut({ store, queries, now }: Inputs): Promise<Found[]> {
  if (store === undefined) return [];
  // Of a store or of SQL files that cannot be read, their own checks tell.
  const { reasons } = await productsLeftOut({ store, queries, now }).catch(() => ({ reasons: [] }));
  if (reasons.length === 0) return [];
  const counts = reasons.map(([reason, count]) => `${count} ${reason}`);
  const what = `products that the shop shows and the SQL files leave out: ${counts.join(", ")}`;
  return [ok(`${what}. vitrine doctor --left-out lists them`)];
}

/** Only where there is such a page: nobody has to keep one. */
async function checkPrivacy({ store, queries, options }: Inputs): Promise<Found[]> {
  const file = privacyFile(options.configFile);
  if (store === undefined || !existsSync(file)) return [];
  // Of a store or of SQL files that cannot be read, their own checks tell.
  const page = await readPrivacy(store, queries).catch(() => null);
  if (page === null) return [];
  if (!isOutOfDate(file, page)) return [ok(`${file} says what the SQL files do`)];
  const what = `${file} says something else than the SQL files and the store's schema do now`;
  return [warning(what, "Make it anew: vitrine privacy --write")];
}

async function checkTarget({ options }: Inputs): Promise<Found[]> {
  const { to, endpoint, region, timeoutSeconds, tryWriting = false } = options;
  if (to === undefined) return [];
  using bucket = await openPlace({ to, endpoint, region, timeoutSeconds });
  return await checkPlace(bucket, tryWriting);
}

type Check = (inputs: Inputs) => Found[] | Promise<Found[]>;

const CHECKS: Readonly<Record<string, Check>> = {
  node: () => checkNode(),
  configuration: checkConfiguration,
  disk: ({ out, loaded }) => checkDisk(out, loaded?.config.grid.maxFiles ?? null),
  store: checkStore,
  "SQL files": checkQueries,
  "left out": checkLeftOut,
  privacy: checkPrivacy,
  // Of a configuration that cannot be read, its own check tells.
  limits: ({ out, loaded }) => (loaded === null ? [] : checkLimits(out, limitsOf(loaded.config))),
  changes: ({ out }) => checkChanges(presentCosts(out)),
  target: checkTarget,
};

/** In the order in which they are told. */
export const CHECK_NAMES: readonly string[] = Object.keys(CHECKS);

/** Runs one check; what it throws is something to do, too. */
export async function runCheck(name: string, options: DoctorOptions): Promise<Finding[]> {
  const found = async () => (await CHECKS[name]?.(await inputsOf(options))) ?? [];
  const told = await found().catch((error: unknown) => [problem(messageOf(error), "")]);
  return told.map((each) => ({ check: name, ...each }));
}
