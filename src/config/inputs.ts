/** Makes the inputs of a build from its options, given by a script or the command line, and the configuration. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { CLOCK } from "../base/clock.ts";
import { VitrineError } from "../base/error.ts";
import type { LogOption } from "../base/log.ts";
import { type SqlTime, toSqlTime } from "../base/time.ts";
import { WAIT_SECONDS } from "../base/when-free.ts";
import { layoutOf, type OutLayout } from "../site/layout.ts";
import type { ConfigInput, LoadedConfig, PlaceSettings } from "./load.ts";

export const CONFIG_FILE = "vitrine.config.json";
export const DEFAULT_OUT = "out";
export const DEFAULT_QUERIES = "queries";

/** Paths are relative to the working directory, those in a configuration's file to that file. */
export interface BuildOptions extends LogOption {
  /** The store's SQLite file, or its server's address (docs/stores.md). Default: `store` of the configuration. */
  readonly store?: string | undefined;
  /** Folder of the allow-list's SQL files. Default: `queries` of the configuration, else the folder `queries` beside it. */
  readonly queries?: string | undefined;
  /** The configuration as an object, instead of a file. */
  readonly config?: ConfigInput | undefined;
  /** The configuration's file. Default: `vitrine.config.json`. */
  readonly configFile?: string | undefined;
  /** Folder of the snapshot; it is made if it does not exist. Default: `out` of the configuration, else `out`. */
  readonly out?: string | undefined;
  /** The moment of the build, which decides what is on sale and what is published. Default: now. */
  readonly now?: Date | undefined;
  /** Allows a build that deletes up to this many files, also if that is more than 1,000 files or 20 %. Default: 0. */
  readonly allowShrink?: number | undefined;
  /** Builds the shop even if `closed.sql` says that it is closed. Default: false. */
  readonly force?: boolean | undefined;
  /** Makes every record and file again, unchanged ones too. Default: false. */
  readonly full?: boolean | undefined;
  /** How long to wait for another build, or for a publish that reads the folder; 0: not at all. Default: 120. */
  readonly waitSeconds?: number | undefined;
}

/** Refuses a misspelt option: a script in JavaScript has no compiler that does. @throws VitrineError usage */
export function refuseUnknown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new VitrineError("usage", `There is no option ${unknown}. Known are ${known.join(", ")}.`);
}

const BUILD_OPTIONS: Readonly<Record<keyof BuildOptions, true>> = {
  store: true,
  queries: true,
  config: true,
  configFile: true,
  out: true,
  now: true,
  allowShrink: true,
  force: true,
  full: true,
  waitSeconds: true,
  log: true,
};

/** `more`: further options than those of a build. @throws VitrineError usage */
export function checkOptions(options: object, more: Readonly<Record<string, true>> = {}): void {
  refuseUnknown(options, Object.keys({ ...BUILD_OPTIONS, ...more }));
}

export interface BuildInputs {
  /** The path of a file, or a server's address. */
  readonly store: string;
  readonly queries: string;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because a required value is wrong. */
  readonly maxLeftOut: number;
  readonly out: string;
  readonly now: SqlTime;
  /** Files of the previous snapshot that the build may delete, even if that is more than 1,000 files or 20 %. */
  readonly allowShrink: number;
  /** Builds the shop even if it is closed. */
  readonly force: boolean;
  /** Makes every record and file again. */
  readonly full: boolean;
  /** How long the build waits while another process uses the folder. */
  readonly waitSeconds: number;
}

/** Loads the schema only when a configuration is read: loading takes longer than most commands. */
export async function readConfig(file: string = CONFIG_FILE): Promise<LoadedConfig> {
  return (await import("./load.ts")).loadConfig(file);
}

/** The configuration for commands that need none: null if no file is named and the default one does not exist. */
export async function readConfigIfAny(file: string | undefined): Promise<LoadedConfig | null> {
  return file !== undefined || existsSync(CONFIG_FILE) ? readConfig(file) : null;
}

/** An output folder; undefined means the default one. */
export function outLayout(out: string | undefined): OutLayout {
  return layoutOf(resolve(out ?? DEFAULT_OUT));
}

/** The output folder for code that only reads it. */
export async function findOut(out: string | undefined, configFile: string | undefined): Promise<OutLayout> {
  return outLayout(out ?? (await readConfigIfAny(configFile))?.out);
}

/** `s3://shop-api/` is `s3://shop-api`. */
function isSamePlace(named: string, configured: string | undefined): boolean {
  return named.replace(/\/+$/, "") === configured?.replace(/\/+$/, "");
}

/**
 * The place that is published to: what the caller named, completed by the configuration. The configuration's endpoint, region,
 * CDNs and so on belong to its `to`: another place does not get them.
 */
export function completePlace<Named extends PlaceSettings>(
  named: Named,
  configured: PlaceSettings | undefined,
): Named & PlaceSettings {
  if (named.to !== undefined && !isSamePlace(named.to, configured?.to)) return named;
  // At another address it is another store, even if the bucket has the same name.
  if (named.endpoint !== undefined && named.endpoint !== configured?.endpoint)
    return { ...named, to: named.to ?? configured?.to };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { ...configured, ...(Object.fromEntries(given) as Named) };
}

function resolved(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** The allow-list if the configuration does not name one. @throws VitrineError usage */
function queriesBeside(folder: string): string {
  const queries = join(folder, DEFAULT_QUERIES);
  if (existsSync(queries)) return queries;
  throw new VitrineError(
    "usage",
    `There are no SQL files that say what becomes public: the configuration has no "queries", and there is no folder ${queries}. ` +
      "Run vitrine init, which writes them for your store, or name their folder with --queries.",
  );
}

/** @throws VitrineError config_invalid, usage */
export async function resolveInputs(options: BuildOptions): Promise<BuildInputs> {
  const { loadChecked: checkConfig, storePlace } = await import("./load.ts");
  const loaded =
    options.config === undefined ? await readConfig(options.configFile) : checkConfig(options.config);
  const store = options.store === undefined ? loaded.store : storePlace(options.store, process.cwd());
  if (store === undefined) {
    throw new VitrineError(
      "usage",
      `Which store? Name its SQLite file or its address with --store, or as "store" in ${CONFIG_FILE}.`,
    );
  }
  return {
    store,
    queries: resolved(options.queries) ?? loaded.queries ?? queriesBeside(loaded.folder),
    config: loaded.config,
    maxLeftOut: loaded.maxLeftOut,
    out: resolved(options.out) ?? loaded.out ?? resolve(DEFAULT_OUT),
    now: toSqlTime(options.now ?? CLOCK.now()),
    allowShrink: options.allowShrink ?? 0,
    force: options.force ?? false,
    full: options.full ?? false,
    waitSeconds: options.waitSeconds ?? WAIT_SECONDS,
  };
}
