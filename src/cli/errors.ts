/** How an error is printed: `error: CODE: message`, and one hint for each code, dim on a terminal; of a wrong call, with one that is right. */
import { styleText } from "node:util";
import type { Command } from "commander";
import { type ErrorCode, endedOnce, messageOf, VitrineError } from "../base/error.ts";
import { failureCode } from "../base/metrics.ts";
import { redactSecrets } from "../base/redact.ts";
import { shownText } from "../base/text.ts";
import { explainMachineFailure } from "../base/write-failure.ts";

/** The hint for each code, if the error has none for its situation. */
export const HINTS: Readonly<Record<ErrorCode | "bug", string>> = {
  bug: "this is a fault of Vitrine: please report it with these lines",
  usage: "add --help for the options and examples",
  config_invalid: "vitrine.config.schema.json says what a configuration can hold; an editor completes by it",
  store_unreadable:
    "--store or `store` of the configuration names the store, VITRINE_STORE_PASSWORD is a server's password; vitrine doctor looks at both",
  allow_list_invalid: "docs/allow-list.md says which columns each file gives",
  rows_invalid: "mend these rows in the store, or the SQL that reads them; nothing was written",
  catalog_unreadable: "vitrine build makes the catalog anew",
  snapshot_unreadable: "name the folder with --out, or make it: vitrine build",
  check_failed: "vitrine diff FROM TO lists the files that differ",
  answer_is_error: "vitrine get / lists all endpoints with their parameters",
  remote_failed:
    "docs/s3-stores.md#what-stores-answer says what stores, proxies and networks answer, and what to do",
  remote_invalid:
    "another program or another version wrote it: docs/publish-s3.md#if-something-goes-wrong says what to do",
  purge_failed: "the release is live; the next publish asks for the purge again",
  command_failed: "try the command by itself in this folder",
  remote_stale: "vitrine rollback --list says what is there",
  out_busy: "wait longer with --wait, look what that process does, or use another folder with --out",
  write_failed: "look for room on the disk, and whether this user may write there: vitrine doctor does",
  release_held: "vitrine rollback --list says what is live; vitrine publish --resume goes live again",
  publisher_busy:
    "wait longer with --wait, or look what that process does; what it leaves undone the next publish does",
  conditions_ignored: "docs/s3-stores.md lists what each store needs",
  newer_format:
    "docs/operations.md says in which order to update: what builds and publishes first, then fallbacks",
  guard_refused:
    "do what the message says; vitrine publish --dry-run and vitrine diff show what would change",
  shop_closed: "open the shop in its own settings, or add --force to build what visitors can't see yet",
};

/** All that is said of an error but its code: its message and what to do, or where the fault is. */
export function describeError(error: unknown): string {
  const explained = explainMachineFailure(error);
  if (explained instanceof VitrineError) return messageOf(explained);
  return error instanceof Error ? redactSecrets(error.stack ?? error.message) : messageOf(error);
}

/** Colours where the stream is a terminal that takes them; NO_COLOR and FORCE_COLOR are heeded. */
function styled(style: Parameters<typeof styleText>[0], text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}

/** The lines of an error, the last one its hint: that of its code, unless there is a better one. */
export function formatError(code: ErrorCode | "bug", message: string, better: string = HINTS[code]): string {
  const head = styled("red", "error:", process.stderr);
  const hint = styled("dim", `  hint: ${better}`, process.stderr);
  return `${head} ${code}: ${shownText(redactSecrets(endedOnce(message))).trimEnd()}\n${hint}\n`;
}

/** Prints an error, once. `doing`: what failed, where a command goes on after it. */
export function printError(error: unknown, doing = ""): void {
  const explained = explainMachineFailure(error);
  const ours = explained instanceof VitrineError ? explained : null;
  const message = ours?.message ?? describeError(error);
  const said = doing === "" ? message : `${doing} failed: ${message}`;
  process.stderr.write(formatError(failureCode(error), said, ours?.hint));
}

/** Where commander says the one, we say the other. What is none of these stays as it is. */
function sentenceOf(command: Command, said: string): string {
  const name = command.parent === null ? "vitrine" : `vitrine ${command.name()}`;
  const choice =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/;
  const rules: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
    [/^missing required argument '(.*)'$/, (argument) => `${name} needs <${argument}>.`],
    [/^required option '(.*)' not specified$/, (option) => `${name} needs ${option}.`],
    [/^unknown option '(.*)'$/, (option) => `${name} has no option ${option}.`],
    [/^unknown command '(.*)'$/, (word) => `There is no command ${word}.`],
    [choice, (value, argument, choices) => `There is no ${argument} ${value}: choose of ${choices}.`],
  ];
  for (const [pattern, say] of rules) {
    const found = pattern.exec(said);
    if (found !== null) return say(...found.slice(1));
  }
  return said;
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

/** The first example of a command's help; null where it has none. */
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

/** Says what is wrong with how a command was called, and shows a call that is right. */
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
