/** `vitrine capture` */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { CONFIG_FILE, resolveInputs } from "../../config/inputs.ts";
import type { InstallPlan } from "../../store/capture/capture.ts";
import { JSON_FLAG } from "../inputs.ts";
import { addExamples, byDefault, commandOf, type Flags, flag, text, whole } from "../options.ts";
import { printResult } from "../terminal.ts";

const EXAMPLES = [
  "vitrine capture install --store shop.sqlite",
  "vitrine capture install --store postgres://owner@db.example/shop",
  "vitrine capture install --store mysql://root@db.example/shop --definer shop@10.0.0.%",
  "vitrine capture install --yes",
  "vitrine capture prune --yes",
  "vitrine capture status --json",
];

/** A build that is further behind reads everything anyway. */
const KEPT = 100_000;
/** So many of the newest may still be waited for. */
const LEAST_KEPT = 1000;

const STORE = {
  store: text("<address>", "the store's address (else `store` of the configuration)"),
  queries: text("<folder>", "the allow-list's SQL files (else `queries` of the configuration)"),
  config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
  ...JSON_FLAG,
};
const DEFINER = {
  definer: text(
    "<account>",
    "MySQL, MariaDB: the account that triggers run as, which lasts as long as the shop",
  ),
};
const KEEP = { keep: byDefault(whole("<number>", "how many of the newest changes stay", LEAST_KEPT), KEPT) };
const YES = { yes: flag("run it without asking") };

/** Of all its commands. */
type CaptureFlags = Flags<typeof STORE> & Partial<Flags<typeof DEFINER & typeof KEEP & typeof YES>>;

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

async function planOf(
  step: Step,
  flags: CaptureFlags,
): Promise<Partial<InstallPlan> & Pick<InstallPlan, "statements">> {
  const { planCapture, pruneSql, removeSql } = await import("../../build/capture.ts");
  const inputs = await inputsOf(flags);
  if (step === "prune") return { statements: await pruneSql(inputs, flags.keep ?? KEPT) };
  return step === "install"
    ? planCapture(inputs, flags.definer ?? null)
    : { statements: await removeSql(inputs) };
}

async function change(flags: CaptureFlags, step: Step): Promise<void> {
  const { statements, grants = [], refused = {} } = await planOf(step, flags);
  const json = flags.json === true;
  if (step === "prune" && statements.length === 0) {
    printResult(json, { statements, done: false }, ["There are no more changes than are kept."]);
    return;
  }
  if (!json)
    printResult(false, {}, [
      ...statements.map((statement) => `${statement};`),
      ...(grants.length === 0 ? [] : ["", "-- The account that builds needs, where it is another one:"]),
      ...grants.map((grant) => `-- ${grant};`),
      ...Object.entries(refused).map(
        ([table, why]) => `-- Not ${table}, so files that name it are always read: ${why}.`,
      ),
    ]);
  const isDone = await isWanted(flags);
  if (isDone) await (await import("../../build/capture.ts")).runCaptureSql(await inputsOf(flags), statements);
  printResult(json, { statements, grants, refused, done: isDone }, [
    isDone ? DONE[step] : "Nothing was run: --yes runs it.",
  ]);
}

async function status(flags: CaptureFlags): Promise<void> {
  const { readCaptureStatus } = await import("../../build/capture.ts");
  const found = await readCaptureStatus(await inputsOf(flags));
  const tables = Object.entries(found.tables);
  const missing = tables.filter(([, isCaptured]) => !isCaptured).map(([table]) => table);
  printResult(flags.json === true, found, [
    found.installed ? "The capture is installed." : "There is no capture: each build reads all rows.",
    ...(found.refusal === null ? [] : [`Builds can't use it and read all rows: ${found.refusal}`]),
    ...found.faults,
    ...tables.flatMap(([table, isCaptured]) => (isCaptured ? [`${table}: changes are written down`] : [])),
    ...missing.map((table) => {
      const why = found.gaps[table] === undefined ? "" : ` (${found.gaps[table]})`;
      return `${table}: changes are not written down${why}; files that name it are always read`;
    }),
    ...found.opaque.map((file) => `${file} may read anything, so it is always read`),
  ]);
}

const COMMANDS = [
  commandOf(
    {
      name: "install",
      does: "make triggers for the tables that the allow-list names; prints its SQL first",
      flags: { ...STORE, ...DEFINER, ...YES },
    },
    (flags) => change(flags, "install"),
  ),
  commandOf(
    {
      name: "remove",
      does: "remove the triggers and what they wrote; prints its SQL first",
      flags: { ...STORE, ...YES },
    },
    (flags) => change(flags, "remove"),
  ),
  commandOf(
    {
      name: "prune",
      does: "remove all changes but the newest, which builds that run often need; prints its SQL first",
      flags: { ...STORE, ...KEEP, ...YES },
    },
    (flags) => change(flags, "prune"),
  ),
  commandOf({ name: "status", does: "say which tables' changes are written down", flags: STORE }, status),
];

export function addCapture(program: Command): void {
  const capture = program
    .command("capture")
    .description("let triggers in the store write down what changes, so that a build reads only that");
  for (const add of COMMANDS) add(capture);
  addExamples(capture, EXAMPLES);
}
