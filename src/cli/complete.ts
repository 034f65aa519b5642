/** `vitrine complete`: what a shell completes by, made of the commands and their options as they are. */
import addCompletion from "@bomb.sh/tab/commander";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  source <(vitrine complete bash)
  vitrine complete zsh > "\${fpath[1]}/_vitrine"
  vitrine complete fish > ~/.config/fish/completions/vitrine.fish`;

const BASH = `# bash completion for vitrine
__vitrine_complete() {
    local value
    COMPREPLY=()
    while IFS=$'\\t' read -r value _; do
        [[ $value != :* && $value == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$value")
    done < <(vitrine complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F __vitrine_complete vitrine
`;

const ZSH = `#compdef vitrine
_vitrine() {
    local value help
    local -a found
    while IFS=$'\\t' read -r value help; do
        [[ $value == :* ]] || found+=("\${value//:/\\\\:}\${help:+:$help}")
    done < <(vitrine complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe vitrine found || _files
}
if [[ \${funcstack[1]} == _vitrine ]]; then _vitrine; else compdef _vitrine vitrine; fi
`;

/**
 * In place of the library's own, which evaluate the words that stand on the line: there, completing after
 * \`> products.csv\` writes over that file, and \`$(…)\` is run before anybody has pressed Enter.
 */
const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH };

/** Added after all others: it takes them as they are. */
export function addComplete(program: Command): void {
  const completion = addCompletion(program);
  const setup = completion.setup.bind(completion);
  completion.setup = (name, executable, shell) => {
    const script = SCRIPTS[shell];
    if (script === undefined) setup(name, executable, shell);
    else process.stdout.write(script);
  };
  const command = program.commands.find((one) => one.name() === "complete");
  command
    ?.description("print the script by which a shell completes: bash, zsh or fish")
    .addHelpText("after", EXAMPLES);
}
