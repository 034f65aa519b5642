/** The builds of a `watch`, one after the other, and what is worth saying once of the first. */
import type { Log } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build/build.ts";
import { presentCosts } from "../build/plan.ts";
import type { BuildReport } from "../build/report.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { dearProduct } from "../render/plan-summary.ts";

export class ResidentBuilder {
  readonly #builder = new Builder();
  readonly #inputs: BuildInputs;
  #isFirst = true;

  constructor(inputs: BuildInputs) {
    this.#inputs = inputs;
  }

  async build(now: Date, log: Log): Promise<BuildReport> {
    const report = await this.#builder.build({ ...this.#inputs, now: toSqlTime(now) }, log);
    const costs = this.#isFirst ? presentCosts(this.#inputs.out) : null;
    this.#isFirst = false;
    const dear = costs === null ? null : dearProduct(costs);
    if (dear !== null) log.info(`${dear.what}. ${dear.next}`);
    return report;
  }
}
