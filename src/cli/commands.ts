/** All commands, as a program that can be run, asked for its help, or completed. */
import { Command } from "commander";
import { API_VERSION } from "../api/endpoints.ts";
import { TOOL_VERSION } from "../package.ts";
import { addBuild } from "./commands/build.ts";
import { addCheck } from "./commands/check.ts";
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
  "Set up:": [addInit, addDoctor, addPrivacy, addEdge],
  "Build:": [addBuild, addWatch, addPlan, addCheck],
  "Look:": [addServe, addGet, addDiff, addExport, addMcp],
  "Go live:": [addPublish, addRollback, addErase, addFallback],
};

/** An option that every command has; a command that says otherwise what its quiet is keeps that. */
function addQuiet(command: Command): void {
  if (command.options.some(({ long }) => long === "--quiet")) return;
  command.option("--quiet", "print only errors and what is asked for: no progress, no notes, no summary");
}

export function createProgram(): Command {
  const program = new Command("vitrine")
    .description("Turns a store's private database into a public catalog API made of plain JSON files.")
    .version(`${TOOL_VERSION} (API ${API_VERSION})`)
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
  for (const command of program.commands) addQuiet(command);
  return program;
}
