/** All commands, as a program that can be run, asked for its help, or completed. */
import type { Command } from "commander";
import { addBuild } from "./build.ts";
import { addCapture } from "./capture.ts";
import { addCheck } from "./check.ts";
import { addComplete } from "./complete.ts";
import { addDiff } from "./diff.ts";
import { addDoctor } from "./doctor.ts";
import { addEdge } from "./edge.ts";
import { addErase } from "./erase.ts";
import { addExport } from "./export.ts";
import { addFallback } from "./fallback.ts";
import { addGet } from "./get.ts";
import { addInit } from "./init.ts";
import { addOpen } from "./open.ts";
import { addPlan } from "./plan.ts";
import { addPrivacy } from "./privacy.ts";
import { programOf } from "./program-of.ts";
import { addPublish } from "./publish.ts";
import { addReleases } from "./releases.ts";
import { addReport } from "./report.ts";
import { addRollback } from "./rollback.ts";
import { addServe } from "./serve.ts";
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

export function createProgram(): Command {
  return programOf(COMMANDS);
}
