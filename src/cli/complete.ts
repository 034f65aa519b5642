/** `vitrine complete`: what a shell completes by, made of the commands and their options as they are. */
import addCompletion from "@bomb.sh/tab/commander";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  source <(vitrine complete bash)
  vitrine complete zsh > "\${fpath[1]}/_vitrine"
  vitrine complete fish > ~/.config/fish/completions/vitrine.fish`;

/** Added after all others: it takes them as they are. */
export function addComplete(program: Command): void {
  addCompletion(program);
  const command = program.commands.find((one) => one.name() === "complete");
  command
    ?.description("print the script by which a shell completes: bash, zsh or fish")
    .addHelpText("after", EXAMPLES);
}
