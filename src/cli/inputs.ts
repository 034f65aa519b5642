/** What several commands are given: options, and how they and the configuration become the inputs of the stages. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { parseMoment, type SqlTime, toSqlTime } from "../base/time.ts";
import type { PublicConfig } from "../contract/config.ts";
import { layoutOf, type OutLayout } from "../snapshot/layout.ts";
import type { LoadedConfig } from "./config.ts";
import { templateFolder } from "./version.ts";

export interface BuildFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config?: string;
  readonly out?: string;
  readonly asOf?: string;
  readonly json?: true;
}

export interface BuildInputs {
  readonly store: string;
  readonly queries: string;
  readonly config: PublicConfig;
  readonly out: string;
  readonly now: SqlTime;
}

export const CONFIG_FILE = "vitrine.config.json";
const DEFAULT_OUT = "out";

/** Its schema is loaded only where a configuration is read: that takes longer than most commands. */
export async function readConfig(file: string = CONFIG_FILE): Promise<LoadedConfig> {
  return (await import("./config.ts")).loadConfig(file);
}

/** Options of the commands that read a store. */
export function addBuildOptions(command: Command): Command {
  return command
    .option("--store <file>", "the store's SQLite database (else `store` of the configuration)")
    .option("--queries <folder>", "the allow-list's SQL files (default: those of the demo store's schema)")
    .option("--config <file>", "configuration", CONFIG_FILE)
    .option("--out <folder>", `where the snapshot stands (default: ${DEFAULT_OUT})`)
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
  };
}

/** The output folder of commands that only read it. */
export function outLayout(out: string | undefined): OutLayout {
  return layoutOf(resolve(out ?? DEFAULT_OUT));
}

/** Makes the output folder where there is none. */
export function prepareOut(out: string): OutLayout {
  mkdirSync(out, { recursive: true });
  return layoutOf(out);
}
