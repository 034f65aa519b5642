/** Prints errors: `error: CODE: message`, then one hint. After a wrong call, the hint is an example of a right one. */
import { styleText } from "node:util";
import type { Command } from "commander";
import { type ErrorCode, endedOnce, messageOf, VitrineError } from "../base/error.ts";
import { failureCode } from "../base/metrics.ts";
import { redactSecrets } from "../base/redact.ts";
import { shownText } from "../base/text.ts";
import { explainMachineFailure } from "../base/write-failure.ts";

/** The hint for each code, used if the error brings no better one. */
export const HINTS: Readonly<Record<ErrorCode | "bug", string>> = {
  bug: "this is a bug in Vitrine: please report it with these lines",
  usage: "add --help for options and examples",
  config_invalid:
    "docs/configuration.md lists all settings; editors complete them by vitrine.config.schema.json",
  store_unreadable:
    "name the store with --store or as `store` in the configuration, its password in VITRINE_STORE_PASSWORD; vitrine doctor checks both",
  allow_list_invalid: "docs/allow-list.md lists the columns of each file",
  rows_invalid:
    "docs/allow-list.md#rows-that-are-wrong says which values are wrong, and which rows may be left out",
  catalog_unreadable: "vitrine build makes the catalog again",
  snapshot_unreadable: "name the folder with --out, or make it with vitrine build",
  check_failed: "vitrine diff BEFORE AFTER lists the files that differ",
  answer_is_error: "vitrine get / lists all endpoints with their parameters",
  remote_failed:
    "ask the operator of that service or proxy what the reply means; docs/s3-services.md#what-services-reply lists the known ones",
  remote_invalid: "another program or version wrote it: see docs/publish.md#if-something-goes-wrong",
  purge_failed: "the release is live; the next publish purges again",
  command_failed: "try the command alone in this folder",
  remote_stale: "vitrine rollback --list shows the releases",
  out_busy: "wait longer with --wait, see what that process does, or use another folder with --out",
  write_failed: "vitrine doctor checks the room on the disk and whether this user may write there",
  release_held: "vitrine rollback --list, with the same --to, shows what is live and which releases are kept",
  older_snapshot:
    "vitrine build reads the store again (with --full even if it looks unchanged), vitrine rollback goes back to a kept release, and --allow-older makes the older snapshot live",
  publisher_busy:
    "wait longer with --wait, or see what that process does; the next publish finishes what it leaves undone",
  conditions_ignored: "docs/s3-services.md lists what each service needs",
  newer_format:
    "update this program too; docs/operations.md has the order: first what builds and publishes, then fallbacks",
  guard_refused: "do what the message says, then run the same command again",
  shop_closed: "open the shop in its settings, or add --force to build it before visitors can see it",
};

/** An error without its code: its message and what to do; for a bug the stack. */
export function describeError(error: unknown): string {
  const explained = explainMachineFailure(error);
  if (explained instanceof VitrineError) return messageOf(explained);
  return error instanceof Error ? redactSecrets(error.stack ?? error.message) : messageOf(error);
}

/** Colours a text if the stream is a terminal with colours; NO_COLOR and FORCE_COLOR are respected. */
function styled(style: Parameters<typeof styleText>[0], text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}

/** The lines of an error; the last one is the hint. */
export function formatError(code: ErrorCode | "bug", message: string, better: string = HINTS[code]): string {
  const head = styled("red", "error:", process.stderr);
  const hint = styled("dim", `  hint: ${better}`, process.stderr);
  return `${head} ${code}: ${shownText(redactSecrets(endedOnce(message))).trimEnd()}\n${hint}\n`;
}

/** Prints an error. `doing`: the failed step of a command that continues. */
export function printError(error: unknown, doing = ""): void {
  const explained = explainMachineFailure(error);
  const ours = explained instanceof VitrineError ? explained : null;
  const message = ours?.message ?? describeError(error);
  const said = doing === "" ? message : `${doing} failed: ${message}`;
  process.stderr.write(formatError(failureCode(error), said, ours?.hint));
}

/** `csv, ndjson or xml` */
function listed(choices: string): string {
  return choices.replace(/, (?=[^,]*$)/, " or ");
}

/** Puts a sentence of commander into our words; one without a rule stays as it is. */
function sentenceOf(command: Command, said: string): string {
  const name = command.parent === null ? "vitrine" : `vitrine ${command.name()}`;
  const argument =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/;
  const choice = /^option '(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/;
  const value = /^option '(--[\w-]+).*' argument '(.*)' is invalid\. (.*)$/;
  const rules: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
    [/^missing required argument '(.*)'$/, (argument) => `${name} needs <${argument}>.`],
    [/^unknown option '(.*)'$/, (option) => `${name} has no option ${option}${otherWith(command, option)}.`],
    [/^unknown command '(.*)'$/, (word) => `There is no command ${word}.`],
    [/^option '(--[\w-]+).*' argument missing$/, (option) => `${option} needs a value.`],
    [
      /^option '(--[\w-]+).*' cannot be used with option '(--[\w-]+).*'$/,
      (one, other) => `${one} and ${other} cannot be used together.`,
    ],
    [argument, (word, argument, choices) => `There is no ${argument} ${word}. Choose ${listed(choices)}.`],
    [choice, (option, word, choices) => `${option} cannot be ${word}. Choose ${listed(choices)}.`],
    [value, (option, word, rule) => `${option} cannot be ${word === "" ? "empty" : word}. ${rule}`],
    [/^too many arguments/, () => `${name} takes fewer arguments.`],
  ];
  for (const [pattern, say] of rules) {
    const found = pattern.exec(said);
    if (found !== null) return say(...found.slice(1));
  }
  return said;
}

/** `: vitrine publish has it`, for an option of one or two other commands, like `rollback --resume`; "" for one of none or many. */
function otherWith({ parent }: Command, option: string): string {
  const having = (parent?.commands ?? []).filter(({ options }) =>
    options.some(({ long }) => long === option),
  );
  const names = having.map((command) => `vitrine ${command.name()}`).join(" and ");
  return having.length === 0 || having.length > 2
    ? ""
    : `: ${names} ${having.length === 1 ? "has" : "have"} it`;
}

/** Commander's text (`error: unknown option '--ou'\n(Did you mean --out?)\n`) without its first word. */
function usageMessage(command: Command, text: string): string {
  const [said = "", ...more] = text
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  const advice = more.map((line) => line.replace(/^\((.*)\)$/, "$1"));
  return [sentenceOf(command, said), ...advice].join(" ");
}

/** The first example in a command's help; null for the program itself, which has none. */
function exampleOf(command: Command): string | null {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return /^Examples:\n +(.*)$/m.exec(help)?.[1] ?? null;
}

/** Makes a wrong call print what is wrong, and a right call. */
export function addExampleToErrors(command: Command): void {
  command.configureOutput({
    ...command.configureOutput(),
    outputError: (text, write) => {
      const example = exampleOf(command);
      const hint = example === null ? "vitrine --help lists all commands" : `for example: ${example}`;
      write(formatError("usage", usageMessage(command, text), hint));
    },
  });
}
