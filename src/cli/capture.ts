/** `vitrine capture` */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { CONFIG_FILE, resolveInputs } from "../config/inputs.ts";
import { wholeNumber } from "./inputs.ts";
import { printResult } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine capture install --store postgres://owner@db.example/shop
  vitrine capture install --yes
  vitrine capture prune --yes
  vitrine capture status --json`;

/** A build that is further behind reads everything anyway. */
const KEPT = 100_000;
/** So many of the newest may still be waited for. */
const LEAST_KEPT = 1000;

interface CaptureFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config: string;
  readonly keep?: number;
  readonly yes?: true;
  readonly json?: true;
}

function inputsOf({ store, queries, config }: CaptureFlags) {
  return resolveInputs({ store, queries, configFile: config });
}

/** Asks on a terminal; elsewhere only `--yes` is a yes. */
async function isWanted({ yes }: CaptureFlags): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question("Run this in the store? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

type Step = "install" | "prune" | "remove";

const DONE: Readonly<Record<Step, string>> = {
  install: "The capture is installed.",
  prune: "The capture is pruned.",
  remove: "The capture is removed.",
};

async function sqlOf(step: Step, flags: CaptureFlags): Promise<readonly string[]> {
  const { installSql, pruneSql, removeSql } = await import("../capture.ts");
  const inputs = await inputsOf(flags);
  if (step === "prune") return pruneSql(inputs, flags.keep ?? KEPT);
  return step === "install" ? installSql(inputs) : removeSql(inputs);
}

async function change(flags: CaptureFlags, step: Step): Promise<void> {
  const statements = await sqlOf(step, flags);
  const json = flags.json === true;
  if (step === "prune" && statements.length === 0) {
    printResult(json, { statements, done: false }, ["There are no more changes than are kept."]);
    return;
  }
  if (!json)
    printResult(
      false,
      {},
      statements.map((statement) => `${statement};`),
    );
  const isDone = await isWanted(flags);
  if (isDone) await (await import("../capture.ts")).runCaptureSql(await inputsOf(flags), statements);
  printResult(json, { statements, done: isDone }, [isDone ? DONE[step] : "Nothing was run: --yes runs it."]);
}

async function status(flags: CaptureFlags): Promise<void> {
  const { readCaptureStatus } = await import("../capture.ts");
  const found = await readCaptureStatus(await inputsOf(flags));
  const tables = Object.entries(found.tables);
  const missing = tables.filter(([, isCaptured]) => !isCaptured).map(([table]) => table);
  printResult(flags.json === true, found, [
    found.installed ? "The capture is installed." : "There is no capture: each build reads all rows.",
    ...tables.flatMap(([table, isCaptured]) => (isCaptured ? [`${table}: changes are written down`] : [])),
    ...missing.map((table) => `${table}: changes are not written down; files that name it are read whole`),
    ...found.opaque.map((file) => `${file} may read anything, so it is always read`),
  ]);
}

export function addCapture(program: Command): void {
  const capture = program
    .command("capture")
    .description("let triggers in the store write down what changes, so that a build reads only that");
  const add = (name: string, description: string) =>
    capture
      .command(name)
      .description(description)
      .option("--store <address>", "the store's address (else `store` of the configuration)")
      .option("--queries <folder>", "the allow-list's SQL files (else `queries` of the configuration)")
      .option("--config <file>", "configuration", CONFIG_FILE)
      .option("--json", "print the result as JSON");
  add("install", "make triggers for the tables that the allow-list names; prints its SQL first")
    .option("--yes", "run it without asking")
    .action((flags: CaptureFlags) => change(flags, "install"));
  add("remove", "remove the triggers and what they wrote; prints its SQL first")
    .option("--yes", "run it without asking")
    .action((flags: CaptureFlags) => change(flags, "remove"));
  add("prune", "remove all changes but the newest, which builds that run often need; prints its SQL first")
    .option("--keep <number>", "how many of the newest changes stay", wholeNumber(LEAST_KEPT), KEPT)
    .option("--yes", "run it without asking")
    .action((flags: CaptureFlags) => change(flags, "prune"));
  add("status", "say which tables' changes are written down").action(status);
  capture.addHelpText("after", EXAMPLES);
}
