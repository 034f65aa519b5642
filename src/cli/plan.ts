/** `vitrine plan` */
import type { Command } from "commander";
import { formatCount } from "../base/log.ts";
import { notPublicLines } from "./build-summary.ts";
import { addBuildOptions, type BuildFlags, resolveBuild } from "./inputs.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine plan --store shop.sqlite
  vitrine plan --store shop.sqlite --verbose
  vitrine plan --store shop.sqlite --explain
  vitrine plan --store shop.sqlite --json`;

interface PlanFlags extends BuildFlags {
  readonly verbose?: true;
  readonly explain?: true;
}

/** `vitrine plan --explain`: what reading the store takes, file by file. */
async function explain(flags: PlanFlags): Promise<void> {
  const { explainStore } = await import("../build/plan.ts");
  const files = await explainStore(await resolveBuild(flags));
  const lines = files.flatMap(({ file, rows, seconds, plan }) => [
    `${file}: ${formatCount(rows)} ${rows === 1 ? "row" : "rows"} in ${seconds.toFixed(3)} s`,
    ...plan.map((step) => `  ${step}`),
  ]);
  printResult(flags.json === true, { files }, lines);
}

export function addPlan(program: Command): void {
  addBuildOptions(
    program.command("plan").description("say which files a build would make, and what they cost"),
  )
    .option("--verbose", "also list every family of the grid and its pages")
    .option("--explain", "instead, read the store: rows, time and the database's plan of each SQL file")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: PlanFlags) => {
      if (flags.explain === true) return explain(flags);
      const { runPlan } = await import("./stages.ts");
      const inputs = await resolveBuild(flags);
      const plan = await runPlan(inputs, terminalLog(flags.json === true));
      const [{ describePlan }, { productsLeftOut }] = await Promise.all([
        import("./plan-lines.ts"),
        import("../build/left-out.ts"),
      ]);
      const notPublic = await productsLeftOut(inputs);
      const { data, lines } = describePlan(plan, inputs.config, flags.verbose === true);
      const { first, last } = notPublicLines(notPublic, plan.products);
      printResult(flags.json === true, { ...data, notPublic: Object.fromEntries(notPublic.reasons) }, [
        ...first,
        ...lines,
        ...last,
      ]);
    });
}
