/** Options of a build, from a script or the command line, and how they and the configuration become its inputs. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import type { LogOption } from "../base/log.ts";
import { type SqlTime, toSqlTime } from "../base/time.ts";
import { WAIT_SECONDS } from "../base/when-free.ts";
import { layoutOf, type OutLayout } from "../site/layout.ts";
import type { ConfigInput, LoadedConfig } from "./load.ts";

export const CONFIG_FILE = "vitrine.config.json";
export const DEFAULT_OUT = "out";
export const DEFAULT_QUERIES = "queries";

/** Paths are relative to the working directory, those in a configuration's file to that file. */
export interface BuildOptions extends LogOption {
  /** The store's SQLite file, or its server's address (docs/stores.md). Default: `store` of the configuration. */
  readonly store?: string | undefined;
  /** Folder of the allow-list's SQL files. Default: `queries` of the configuration, else the folder `queries` beside it. */
  readonly queries?: string | undefined;
  /** The configuration itself, instead of a file. */
  readonly config?: ConfigInput | undefined;
  /** The configuration's file. Default: `vitrine.config.json`. */
  readonly configFile?: string | undefined;
  /** Folder of the snapshot, made where there is none. Default: `out` of the configuration, else `out`. */
  readonly out?: string | undefined;
  /** The moment of the build: what is on sale, what is published. Default: now. */
  readonly now?: Date | undefined;
  /** So many files may be deleted, however many that is of all. Default: 0. */
  readonly allowShrink?: number | undefined;
  /** Builds a shop that `closed.sql` says is closed, too. Default: false. */
  readonly force?: boolean | undefined;
  /** Forgets what is remembered: every record and file is made again. Default: false. */
  readonly full?: boolean | undefined;
  /** How long another build, or a publish that reads the folder, is waited for; 0: not at all. Default: 120. */
  readonly waitSeconds?: number | undefined;
}

/** A script in JavaScript has no compiler that reports a misspelt option. @throws VitrineError usage */
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

/** `more`: options in addition to those of a build. @throws VitrineError usage */
export function checkOptions(options: object, more: Readonly<Record<string, true>> = {}): void {
  refuseUnknown(options, Object.keys({ ...BUILD_OPTIONS, ...more }));
}

export interface BuildInputs {
  /** The path of a file, or a server's address. */
  readonly store: string;
  readonly queries: string;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
  readonly out: string;
  readonly now: SqlTime;
  /** Files of the present snapshot that may be deleted, however many they are of all. */
  readonly allowShrink: number;
  /** Builds a shop that is closed, too. */
  readonly force: boolean;
  /** Forgets what is remembered: every record and file is made again. */
  readonly full: boolean;
  /** How long a build waits while another uses the folder. */
  readonly waitSeconds: number;
}

/** Its schema is loaded only where a configuration is read: that takes longer than most commands. */
export async function readConfig(file: string = CONFIG_FILE): Promise<LoadedConfig> {
  return (await import("./load.ts")).loadConfig(file);
}

/** An output folder; undefined means the default one. */
export function outLayout(out: string | undefined): OutLayout {
  return layoutOf(resolve(out ?? DEFAULT_OUT));
}

/** The output folder for whoever only reads it: a configuration is read where it is named or stands there. */
export async function findOut(out: string | undefined, configFile: string | undefined): Promise<OutLayout> {
  const isConfigured = configFile !== undefined || existsSync(CONFIG_FILE);
  return outLayout(out ?? (isConfigured ? (await readConfig(configFile)).out : undefined));
}

function resolved(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** The allow-list where the configuration names none. @throws VitrineError usage */
function queriesBeside(folder: string): string {
  const queries = join(folder, DEFAULT_QUERIES);
  if (existsSync(queries)) return queries;
  throw new VitrineError(
    "usage",
    `No SQL files say what of the store may become public: the configuration has no "queries", and there is no folder ${queries}. ` +
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
    now: toSqlTime(options.now ?? new Date()),
    allowShrink: options.allowShrink ?? 0,
    force: options.force ?? false,
    full: options.full ?? false,
    waitSeconds: options.waitSeconds ?? WAIT_SECONDS,
  };
}
