/** What several commands are given: options, and how they become the inputs of the stages. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { VitrineError } from "../base/error.ts";
import { parseMoment, type SqlTime } from "../base/time.ts";
import {
  type BuildInputs,
  CONFIG_FILE,
  DEFAULT_OUT,
  findOut as findLayout,
  resolveInputs,
} from "../config/inputs.ts";
import { HOST_NAMES, type HostName } from "../hosts/hosts.ts";
import type { OutLayout } from "../snapshot/layout.ts";

export interface BuildFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config?: string;
  readonly for?: HostName;
  readonly out?: string;
  readonly asOf?: string;
  readonly allowShrink?: number;
  readonly full?: true;
  readonly json?: true;
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

export const DAY_SECONDS = 86_400;

/** Reads an option's seconds, which may have a fraction. */
export function decimalSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= DAY_SECONDS) return Number(text);
  throw new InvalidArgumentError(`Use seconds from 0 to ${DAY_SECONDS}, like 0.2.`);
}

/** Options of the commands that listen. */
export function addListenOptions(command: Command, port: number): Command {
  return command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", wholeNumber(0, 65_535), port)
    .option(
      "--max-connections <number>",
      "connections at once; for more, idle ones of the address that has most are closed",
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

/** The output folder of commands that only read it. */
export function findOut({ out, config }: OutFlags): Promise<OutLayout> {
  return findLayout(out, config);
}

/** The option of what deletes: a snapshot's build and its publish are refused by the same rule. */
export function addShrinkOption(command: Command): Command {
  return command.option("--allow-shrink <number>", "delete up to this many files", wholeNumber(0), 0);
}

/** Options of the commands that read a store. */
export function addBuildOptions(command: Command): Command {
  return addInputOptions(command)
    .option("--as-of <time>", "the moment of the build, UTC, like 2026-11-20T19:00:00Z (default: now)")
    .option("--json", "print the result as JSON");
}

/** What is read, and where the snapshot stands. */
export function addInputOptions(command: Command): Command {
  return command
    .option(
      "--store <place>",
      "the store: an SQLite file, postgres://USER@HOST/DATABASE or mysql://… (else `store` of the configuration)",
    )
    .option("--queries <folder>", "the allow-list's SQL files (default: those of the demo store's schema)")
    .option("--config <file>", "configuration", CONFIG_FILE)
    .addOption(
      new Option(
        "--for <host>",
        "the static host that the files are for: keeps its limits, writes what it reads (else `for` of the configuration)",
      ).choices(HOST_NAMES),
    )
    .option(
      "--out <folder>",
      `where the snapshot stands (else \`out\` of the configuration, else ${DEFAULT_OUT})`,
    );
}

function momentOf(text: string): SqlTime {
  const time = parseMoment(text);
  if (time !== null) return time;
  throw new VitrineError("usage", `--as-of ${text} is no UTC moment; write it like 2026-11-20T19:00:00Z.`);
}

export async function resolveBuild({ config, asOf, ...flags }: BuildFlags): Promise<BuildInputs> {
  const resolved = await resolveInputs({ ...flags, configFile: config });
  return asOf === undefined ? resolved : { ...resolved, now: momentOf(asOf) };
}
