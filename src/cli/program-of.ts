/** What all commands have in common, whichever of them are there. */
import { Command } from "commander";
import { API_VERSION } from "../api/endpoints.ts";
import { TOOL_VERSION } from "../package.ts";
import { formatError } from "./errors.ts";
import { beQuiet } from "./terminal.ts";
import { exampleOf, usageMessage } from "./usage-error.ts";

/** An option that every command has; a command that says otherwise what its quiet is keeps that. */
function addQuiet(command: Command): void {
  if (command.options.some(({ long }) => long === "--quiet")) return;
  command.option("--quiet", "print only errors and what is asked for: no progress, no notes, no summary");
}

/** Says what is wrong with how a command was called, and shows a call that is right. */
function tellWithExample(command: Command): void {
  command.configureOutput({
    ...command.configureOutput(),
    outputError: (text, write) => {
      const example = exampleOf(command);
      const hint = example === null ? "vitrine --help lists all commands" : `for example: ${example}`;
      write(formatError("usage", usageMessage(command, text), hint));
    },
  });
}

/** Makes the program of some commands. */
export function programOf(commands: readonly ((program: Command) => void)[]): Command {
  const program = new Command("vitrine")
    .description("Turns a store's private database into a public catalog API made of plain JSON files.")
    .version(`${TOOL_VERSION} (API ${API_VERSION})`)
    .exitOverride()
    .hook("preAction", (_, command) => {
      if (command.opts()["quiet"] === true) beQuiet();
    });
  for (const add of commands) add(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    tellWithExample(command);
  for (const command of program.commands) addQuiet(command);
  return program;
}
