/** The manual of the command line, made from `--help --all`. */
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { VitrineError } from "../../src/base/error.ts";
import { createProgram } from "../../src/cli/commands.ts";
import { HINTS } from "../../src/cli/errors.ts";

/** Absolute path of the manual. */
export const MANUAL_FILE = fileURLToPath(new URL("../../docs/cli.md", import.meta.url));

const WIDTH = 110;

const INTRODUCTION = `# The command line

All options, as \`vitrine COMMAND --help --all\` shows them; \`--help\` alone leaves out rare ones. Made by \`npm run docs:cli\`.

Results are printed on standard output, everything else on standard error. \`--json\` prints a result as one JSON object. \`--quiet\`
prints only errors and requested results. Work that takes more than half a second shows its progress with rate and time left on a
terminal, elsewhere a line every ten seconds. Colours are for terminals: \`NO_COLOR=1\` turns them off, \`FORCE_COLOR=1\` on.
`;

/** The output of \`--help\`, with the same width everywhere. */
function helpOf(command: Command): string {
  let text = "";
  command.configureHelp({ helpWidth: WIDTH });
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
  const sections = commands.map(
    (command) => `## vitrine ${command.name()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
  );
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
  return `${[INTRODUCTION, ...sections].join("\n")}\n${errors.join("\n")}\n`;
}
