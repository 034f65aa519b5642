/** What several commands are given: options, and how they and the configuration become the inputs of the stages. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { parseMoment, type SqlTime, toSqlTime } from "../base/time.ts";
import { layoutOf, type OutLayout } from "../snapshot/layout.ts";
import type { LoadedConfig } from "./config.ts";
import { templateFolder } from "./version.ts";

export interface BuildFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config?: string;
  readonly out?: string;
  readonly asOf?: string;
  readonly allowShrink?: number;
  readonly json?: true;
}

export interface BuildInputs {
  readonly store: string;
  readonly queries: string;
  readonly config: PublicConfig;
  readonly out: string;
  readonly now: SqlTime;
  /** Files of the present snapshot that may be deleted, however many they are of all. */
  readonly allowShrink: number;
}

export const CONFIG_FILE = "vitrine.config.json";
const DEFAULT_OUT = "out";

/** Its schema is loaded only where a configuration is read: that takes longer than most commands. */
export async function readConfig(file: string = CONFIG_FILE): Promise<LoadedConfig> {
  return (await import("./config.ts")).loadConfig(file);
}

/** Reads an option's whole number. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const end = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
    throw new InvalidArgumentError(`Use a whole number from ${least}${end}.`);
  };
}

/** Options of the commands that listen. */
export function addListenOptions(command: Command, port: number): Command {
  return command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", wholeNumber(0, 65_535), port)
    .option(
      "--max-connections <number>",
      "connections at once; more are closed, so that memory is bounded",
      wholeNumber(1),
      1024,
    );
}

/** Where a snapshot stands, for the commands that only read it. */
export interface OutFlags {
  readonly out?: string;
  readonly config?: string;
}

/** Options of the commands that read a snapshot. */
export function addOutOptions(command: Command): Command {
  return command
    .option(
      "--out <folder>",
      `where the snapshot stands (else \`out\` of the configuration, else ${DEFAULT_OUT})`,
    )
    .option("--config <file>", `configuration (default: ${CONFIG_FILE}, where there is one)`);
}

/** An output folder; undefined means the default one. */
export function outLayout(out: string | undefined): OutLayout {
  return layoutOf(resolve(out ?? DEFAULT_OUT));
}

/** The output folder of commands that only read it. */
export async function findOut({ out, config }: OutFlags): Promise<OutLayout> {
  const isConfigured = config !== undefined || existsSync(CONFIG_FILE);
  return outLayout(out ?? (isConfigured ? (await readConfig(config)).out : undefined));
}

/** The option of what deletes: a snapshot's build and its publish are refused by the same rule. */
export function addShrinkOption(command: Command): Command {
  return command.option("--allow-shrink <number>", "delete up to this many files", wholeNumber(0), 0);
}

/** Options of the commands that read a store. */
export function addBuildOptions(command: Command): Command {
  return command
    .option("--store <file>", "the store's SQLite database (else `store` of the configuration)")
    .option("--queries <folder>", "the allow-list's SQL files (default: those of the demo store's schema)")
    .option("--config <file>", "configuration", CONFIG_FILE)
    .option(
      "--out <folder>",
      `where the snapshot stands (else \`out\` of the configuration, else ${DEFAULT_OUT})`,
    )
    .option("--as-of <time>", "the moment of the build, UTC, like 2026-11-20T19:00:00Z (default: now)")
    .option("--json", "print the result as JSON");
}

function momentOf(text: string | undefined): SqlTime {
  if (text === undefined) return toSqlTime(new Date());
  const time = parseMoment(text);
  if (time !== null) return time;
  throw new VitrineError("usage", `--as-of ${text} is no UTC moment; write it like 2026-11-20T19:00:00Z.`);
}

export async function resolveBuild(flags: BuildFlags): Promise<BuildInputs> {
  const loaded = await readConfig(flags.config);
  const store = flags.store === undefined ? loaded.store : resolve(flags.store);
  if (store === undefined) {
    throw new VitrineError(
      "usage",
      `Which store? Name its SQLite file with --store, or as "store" in ${CONFIG_FILE}.`,
    );
  }
  return {
    store,
    queries:
      flags.queries === undefined ? (loaded.queries ?? templateFolder("queries")) : resolve(flags.queries),
    config: loaded.config,
    out: flags.out === undefined ? (loaded.out ?? resolve(DEFAULT_OUT)) : resolve(flags.out),
    now: momentOf(flags.asOf),
    allowShrink: flags.allowShrink ?? 0,
  };
}

/** Makes the output folder where there is none. @throws VitrineError usage where it is a file */
export function prepareOut(out: string): OutLayout {
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === true) {
    throw new VitrineError("usage", `${out} is a file. Name the folder of the snapshot with --out.`);
  }
  mkdirSync(out, { recursive: true });
  accessSync(out, constants.W_OK | constants.X_OK);
  return layoutOf(out);
}
