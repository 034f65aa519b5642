/** The manual of the command line, made from `--help --all`. */
import { fileURLToPath } from "node:url";
import { type Command, Help, type Option } from "commander";
import { VitrineError } from "../../src/base/error.ts";
import { createProgram } from "../../src/cli/commands.ts";
import { HINTS } from "../../src/cli/errors.ts";

/** Absolute path of the manual. */
export const MANUAL_FILE = fileURLToPath(new URL("../../docs/cli.md", import.meta.url));

const WIDTH = 110;

const INTRODUCTION = `# The command line

What \`vitrine COMMAND --help --all\` shows; \`--help\` alone leaves out rare options. Made by \`npm run docs:cli\`.

Results are printed on standard output, everything else on standard error. \`--json\` prints a result as one JSON object. \`--quiet\`
prints only errors and requested results. Work that takes more than half a second shows its progress with rate and time left on a
terminal, elsewhere a line every ten seconds. Colours are for terminals: \`NO_COLOR=1\` turns them off, \`FORCE_COLOR=1\` on.
`;

const help = new Help();

/** How an option looks in the help. Two commands share an option if it looks the same in both. */
const looksOf = (option: Option) => `${help.optionTerm(option)} ${help.optionDescription(option)}`;

/** Options that at least three commands share; of two texts for one name, the more frequent one. */
function sharedOptions(commands: readonly Command[]): Option[] {
  const all = commands.flatMap((command) => help.visibleOptions(command));
  const countOf = (option: Option) => all.filter((one) => looksOf(one) === looksOf(option)).length;
  const shared = all.filter((option) => countOf(option) >= 3).toSorted((a, b) => countOf(b) - countOf(a));
  return shared.filter((option, index) => shared.findIndex(({ long }) => long === option.long) === index);
}

/** A command's help with the same width everywhere, without the options of `shared`. */
function helpOf(command: Command, shared: ReadonlySet<string>): string {
  let text = "";
  command.configureHelp({
    helpWidth: WIDTH,
    visibleOptions: (one) => help.visibleOptions(one).filter((option) => !shared.has(looksOf(option))),
  });
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trimEnd();
}

function errorRows(): string[] {
  return Object.entries(HINTS).map(([code, hint]) => {
    const exit = code === "bug" ? 1 : new VitrineError(code as VitrineError["code"], "").exitCode;
    return `| \`${code}\` | ${exit} | ${hint.replaceAll("|", "\\|")} |`;
  });
}

export function makeManual(): string {
  const program = createProgram(true);
  const commands = [...program.commands].sort((a, b) => a.name().localeCompare(b.name()));
  const shared = sharedOptions(commands);
  const looks = new Set(shared.map(looksOf));
  const sections = commands.map((command) => {
    const also = help.visibleOptions(command).filter((option) => looks.has(looksOf(option)));
    const names = also.flatMap(({ long }) => (long === "--help" ? [] : [`\`${long}\``])).join(", ");
    return `## vitrine ${command.name()}\n\n\`\`\`text\n${helpOf(command, looks)}\n\`\`\`\n\nAlso ${names}.\n`;
  });
  const options = [
    "## Options of several commands",
    "",
    "Each command names, below its help, those that it has, too.",
    "",
    "| option | means |",
    "| --- | --- |",
    ...shared.map((option) => `| \`${help.optionTerm(option)}\` | ${help.optionDescription(option)} |`),
    "",
  ];
  const errors = [
    "## Errors",
    "",
    "An error is printed as `error: CODE: message`, and ends the command with the code's exit code. 0 means success; a shell",
    "reports 130 or 143 after SIGINT or SIGTERM.",
    "",
    "| code | exit code | hint |",
    "| --- | --- | --- |",
    ...errorRows(),
  ];
  return `${[INTRODUCTION, ...options, ...sections].join("\n")}\n${errors.join("\n")}\n`;
}
