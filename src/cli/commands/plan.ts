/** `vitrine plan` */
import { formatCount } from "../../base/log.ts";
import { notPublicLines } from "../build-summary.ts";
import { BUILD_FLAGS, type BuildFlags, resolveBuild } from "../inputs.ts";
import { commandOf, flag } from "../options.ts";
import { printResult } from "../terminal.ts";

const FLAGS = {
  ...BUILD_FLAGS,
  verbose: flag("also list each family of lists and its pages"),
  explain: flag("instead, show rows, time and the database's plan of each SQL file"),
};

/** `vitrine plan --explain`: shows what reading the store costs, file by file. */
async function explain(flags: BuildFlags): Promise<void> {
  const { explainStore } = await import("../../pipeline/plan.ts");
  const files = await explainStore(await resolveBuild(flags));
  const lines = files.flatMap(({ file, rows, seconds, plan }) => [
    `${file}: ${formatCount(rows)} ${rows === 1 ? "row" : "rows"} in ${seconds.toFixed(3)} s`,
    ...plan.map((step) => `  ${step}`),
  ]);
  printResult(flags.json === true, { files }, lines);
}

export const addPlan = commandOf(
  {
    name: "plan",
    does: "show how many files a build would make, and their size",
    flags: FLAGS,
    examples: [
      "vitrine plan --store shop.sqlite",
      "vitrine plan --store shop.sqlite --verbose",
      "vitrine plan --store shop.sqlite --explain",
      "vitrine plan --store shop.sqlite --json",
    ],
  },
  async (flags) => {
    if (flags.explain === true) return explain(flags);
    const inputs = await resolveBuild(flags);
    const [{ planBuild }, { temporaryFolder, writingInto }, { describePlan }] = await Promise.all([
      import("../../pipeline/plan.ts"),
      import("../../base/temporary-folder.ts"),
      import("../plan-lines.ts"),
    ]);
    await using folder = await temporaryFolder();
    const plan = await writingInto(folder.path, () => planBuild(inputs, folder.path));
    const { data, lines } = describePlan(plan, inputs.config, flags.verbose === true);
    const { first, last } = notPublicLines(plan.notPublic, plan.products);
    const { notPublic, refused } = plan;
    const warnings = refused.map((why) => `a build would be refused: ${why}`);
    const report = { ...data, notPublic, refused };
    printResult(flags.json === true, report, [...warnings, ...first, ...lines, ...last]);
  },
);
