/** `vitrine plan` */
import type { Command } from "commander";
import { formatBytes, formatCount } from "../base/log.ts";
import type { Plan, PlannedFamily } from "../render/plan.ts";
import { addBuildOptions, type BuildFlags, resolveBuild } from "./inputs.ts";
import { printResult, terminalLog } from "./terminal.ts";

/** Price of 1,000 PUT requests in US dollars: S3 Standard, us-east-1. Others differ; the count is what counts. */
const DOLLARS_PER_1000_PUTS = 0.005;

const EXAMPLES = `
Examples:
  vitrine plan --store shop.sqlite
  vitrine plan --store shop.sqlite --json`;

function row({ family, files, sizeBytes }: PlannedFamily): string {
  return `${formatCount(files).padStart(10)} files ${formatBytes(sizeBytes).padStart(10)}  ${family.name}`;
}

function linesOf(plan: Plan, dollars: number): string[] {
  const kept = plan.families.filter((family) => family.kept && family.files > 0);
  const left = plan.families.filter((family) => !family.kept);
  return [
    "Files, the most important first:",
    ...kept.map(row),
    `${formatCount(plan.files).padStart(10)} files ${formatBytes(plan.sizeBytes).padStart(10)}  in all`,
    `A first upload is ${formatCount(plan.files)} PUT requests, about $${dollars.toFixed(2)} at $${DOLLARS_PER_1000_PUTS} a thousand.`,
    ...(left.length === 0
      ? ["Nothing that the grid names is left out."]
      : ["Left out for maxFiles, answered by the fallback:", ...left.map(row)]),
  ];
}

export function addPlan(program: Command): void {
  addBuildOptions(
    program.command("plan").description("say which files a build would make, and what they cost"),
  )
    .addHelpText("after", EXAMPLES)
    .action(async (flags: BuildFlags) => {
      const { runStage } = await import("./stages.ts");
      const plan = await runStage("plan", await resolveBuild(flags), terminalLog(flags.json === true));
      const uploadDollars = (plan.files / 1000) * DOLLARS_PER_1000_PUTS;
      const families = plan.families.map(({ family, ...weight }) => ({ name: family.name, ...weight }));
      printResult(flags.json === true, { ...plan, families, uploadDollars }, linesOf(plan, uploadDollars));
    });
}
