/** Store → next catalog → plan: what a build would make, and nothing stays behind. */
import type { BuildInputs } from "./config/inputs.ts";
import { extractNext } from "./next-catalog.ts";
import { type Plan, planCatalog } from "./render/plan.ts";
import { withOut } from "./snapshot/out.ts";

export function planBuild(inputs: BuildInputs): Promise<Plan> {
  return withOut(inputs.out, async (layout) => {
    const { catalog } = await extractNext(inputs, layout);
    try {
      return planCatalog(catalog);
    } finally {
      catalog.close();
    }
  });
}
