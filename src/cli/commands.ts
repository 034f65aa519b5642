/** All commands, as a program. */
import { Command } from "commander";
import { API_VERSION } from "../api/endpoints.ts";
import { counted } from "../base/log.ts";
import { TOOL_VERSION } from "../package.ts";
import { addBuild } from "./commands/build.ts";
import { addCheck } from "./commands/check.ts";
import { addDemo } from "./commands/demo.ts";
import { addDiff } from "./commands/diff.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEdge } from "./commands/edge.ts";
import { addErase } from "./commands/erase.ts";
import { addExport } from "./commands/export.ts";
import { addFallback } from "./commands/fallback.ts";
import { addGet } from "./commands/get.ts";
import { addInit } from "./commands/init.ts";
import { addMcp } from "./commands/mcp.ts";
import { addPlan } from "./commands/plan.ts";
import { addPrivacy } from "./commands/privacy.ts";
import { addPublish } from "./commands/publish.ts";
import { addRollback } from "./commands/rollback.ts";
import { addServe } from "./commands/serve.ts";
import { addWatch } from "./commands/watch.ts";
import { addExampleToErrors } from "./errors.ts";
import { beQuiet } from "./terminal.ts";

/** As `vitrine --help` lists them. */
const GROUPS: Readonly<Record<string, readonly ((program: Command) => void)[]>> = {
  "Set up:": [addDemo, addInit, addDoctor, addPrivacy, addEdge],
  "Build:": [addBuild, addWatch, addPlan, addCheck],
  "Look:": [addServe, addGet, addDiff, addExport, addMcp],
  "Go live:": [addPublish, addRollback, addErase, addFallback],
};

/** Adds the option that every command has, unless the command describes its own. */
function addQuiet(command: Command): void {
  if (command.options.some(({ long }) => long === "--quiet")) return;
  command.option("--quiet", "print only errors and requested results");
}

/** Says in a command's help how to see its rare options, or shows them. */
function addHelp(command: Command, showsAll: boolean): void {
  const rare = command.options.filter(({ hidden }) => hidden);
  const more =
    rare.length === 0 || showsAll ? "" : `; --help --all: ${counted(rare.length, ["more option"])}`;
  command.helpOption("-h, --help", `show this help${more}`);
  if (showsAll) for (const option of rare) option.hideHelp(false);
}

/** `showsAll`: help has the rare options, too. */
export function createProgram(showsAll = false): Command {
  const program = new Command("vitrine")
    .description("Turns a store's private database into a public catalog API made of plain JSON files.")
    .version(`${TOOL_VERSION} (API ${API_VERSION})`, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help; vitrine COMMAND --help: options and examples")
    .helpCommand(false)
    .exitOverride()
    .hook("preAction", (_, command) => {
      if (command.opts()["quiet"] === true) beQuiet();
    });
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    addExampleToErrors(command);
  for (const command of program.commands) {
    addQuiet(command);
    addHelp(command, showsAll);
  }
  return program;
}
