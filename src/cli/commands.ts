/** All commands, as a program that can be run, asked for its help, or completed. */
import { Command } from "commander";
import { API_VERSION } from "../api/endpoints.ts";
import { TOOL_VERSION } from "../package.ts";
import { addBuild } from "./build.ts";
import { addCapture } from "./capture.ts";
import { addCheck } from "./check.ts";
import { addComplete } from "./complete.ts";
import { addDiff } from "./diff.ts";
import { addDoctor } from "./doctor.ts";
import { addEdge } from "./edge.ts";
import { addErase } from "./erase.ts";
import { addExampleToErrors } from "./errors.ts";
import { addExport } from "./export.ts";
import { addFallback } from "./fallback.ts";
import { addGet } from "./get.ts";
import { addInit } from "./init.ts";
import { addOpen } from "./open.ts";
import { addPlan } from "./plan.ts";
import { addPrivacy } from "./privacy.ts";
import { addPublish } from "./publish.ts";
import { addReleases } from "./releases.ts";
import { addReport } from "./report.ts";
import { addRollback } from "./rollback.ts";
import { addServe } from "./serve.ts";
import { beQuiet } from "./terminal.ts";
import { addWatch } from "./watch.ts";

const COMMANDS = [
  addInit,
  addPrivacy,
  addDoctor,
  addBuild,
  addPlan,
  addCheck,
  addGet,
  addServe,
  addOpen,
  addFallback,
  addEdge,
  addPublish,
  addReleases,
  addRollback,
  addErase,
  addDiff,
  addReport,
  addExport,
  addWatch,
  addCapture,
  addComplete,
];

/** An option that every command has; a command that says otherwise what its quiet is keeps that. */
function addQuiet(command: Command): void {
  if (command.options.some(({ long }) => long === "--quiet")) return;
  command.option("--quiet", "print only errors and what is asked for: no progress, no notes, no summary");
}

export function createProgram(): Command {
  const program = new Command("vitrine")
    .description("Turns a store's private database into a public catalog API made of plain JSON files.")
    .version(`${TOOL_VERSION} (API ${API_VERSION})`)
    .exitOverride()
    .hook("preAction", (_, command) => {
      if (command.opts()["quiet"] === true) beQuiet();
    });
  for (const add of COMMANDS) add(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    addExampleToErrors(command);
  for (const command of program.commands) addQuiet(command);
  return program;
}
