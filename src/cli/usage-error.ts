/** What commander says of a command that was called wrongly, as a sentence with the fix and an example. */
import type { Command } from "commander";

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
export function usageMessage(command: Command, text: string): string {
  const [said = "", ...more] = text
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  const advice = more.map((line) => line.replace(/^\((.*)\)$/, "$1"));
  return [sentenceOf(command, said), ...advice].join(" ");
}

/** The first example of a command's help; null where it has none. */
export function exampleOf(command: Command): string | null {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return /^Examples:\n +(.*)$/m.exec(help)?.[1] ?? null;
}
