/** `vitrine complete`: what a shell completes by, made of the commands and their options as they are. */
import type { Command, Option } from "commander";
import { VitrineError } from "../../base/error.ts";

const EXAMPLES = `
Examples:
  source <(vitrine complete bash)
  vitrine complete zsh > "\${fpath[1]}/_vitrine"
  vitrine complete fish > ~/.config/fish/completions/vitrine.fish`;

// Each script asks `vitrine complete -- WORD …` with the line's words as arguments, the last one possibly unfinished or
// empty. No word is ever evaluated: `$(…)` on the line is not run before Enter, nothing is written by `> file`.
const BASH = `# bash completion for vitrine
__vitrine_complete() {
    local value
    COMPREPLY=()
    while IFS=$'\\t' read -r value _; do
        [[ $value == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$value")
    done < <(vitrine complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F __vitrine_complete vitrine
`;

const ZSH = `#compdef vitrine
_vitrine() {
    local value help
    local -a found
    while IFS=$'\\t' read -r value help; do
        found+=("\${value//:/\\\\:}\${help:+:$help}")
    done < <(vitrine complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe vitrine found || _files
}
if [[ \${funcstack[1]} == _vitrine ]]; then _vitrine; else compdef _vitrine vitrine; fi
`;

const FISH = `# fish completion for vitrine
function __vitrine_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l found (vitrine complete -- $before[2..-1] "$word" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c vitrine -f -a '(__vitrine_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** What may stand at the last of some words, one a line with what it is; none where a file may. */
function completionsOf(program: Command, words: readonly string[]): string[] {
  const helper = program.createHelp();
  const last = words.at(-1) ?? "";
  let command = program;
  let named = 0;
  let open: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const takesValue = open !== undefined;
    open = undefined;
    if (takesValue) continue;
    if (word.startsWith("-")) {
      const option = command.options.find(({ long, short }) => long === word || short === word);
      if (option?.required === true) open = option;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) named++;
    command = next ?? command;
  }
  if (open !== undefined) return [...(open.argChoices ?? [])];
  if (last.startsWith("-"))
    return helper
      .visibleOptions(command)
      .map(({ long, short, description }) => `${long ?? short}\t${description}`);
  if (command.commands.length > 0)
    return helper.visibleCommands(command).map((one) => `${one.name()}\t${one.description()}`);
  return [...(command.registeredArguments[named]?.argChoices ?? [])];
}

function complete(program: Command, shell: string | undefined): string {
  const end = process.argv.indexOf("--");
  if (end >= 0)
    return completionsOf(program, process.argv.slice(end + 1))
      .map((line) => `${line}\n`)
      .join("");
  const script = SCRIPTS[shell ?? ""];
  if (script !== undefined) return script;
  throw new VitrineError("usage", `the shell is bash, zsh or fish, not ${shell ?? "none"}`);
}

export function addComplete(program: Command): void {
  program
    .command("complete")
    .description("print the script by which a shell completes: bash, zsh or fish")
    .argument("[shell]", "bash, zsh or fish")
    .allowExcessArguments()
    .addHelpText("after", EXAMPLES)
    .action((shell: string | undefined) => {
      process.stdout.write(complete(program, shell));
    });
}
