/** The builds of a `watch`, one after the other, and what is worth saying once of them. */
import type { Log } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build/build.ts";
import { presentCosts } from "../build/plan.ts";
import type { BuildReport } from "../build/report.ts";
import { readCaptureStatus } from "../capture.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { dearProduct } from "../render/plan-summary.ts";

/** Of a build that compared all rows: more is a wait that a capture would spare. */
const SLOW_SECONDS = 2;

export class ResidentBuilder {
  readonly #builder = new Builder();
  readonly #inputs: BuildInputs;
  #isFirst = true;
  #isCaptureNamed = false;

  constructor(inputs: BuildInputs) {
    this.#inputs = inputs;
  }

  async build(now: Date, log: Log): Promise<BuildReport> {
    const report = await this.#builder.build({ ...this.#inputs, now: toSqlTime(now) }, log);
    const costs = this.#isFirst ? presentCosts(this.#inputs.out) : null;
    this.#isFirst = false;
    const dear = costs === null ? null : dearProduct(costs);
    if (dear !== null) log.info(`${dear.what}. ${dear.next}`);
    await this.#nameCapture(report, log);
    return report;
  }

  async #nameCapture({ work, seconds }: BuildReport, log: Log): Promise<void> {
    if (this.#isCaptureNamed || work === "whole" || seconds.extract < SLOW_SECONDS) return;
    this.#isCaptureNamed = true;
    if ((await readCaptureStatus(this.#inputs)).installed) return;
    log.info(
      `to find what changed, all rows were read, in ${seconds.extract.toFixed(1)} s; with vitrine capture install it would be ` +
        "a fraction of that",
    );
  }
}
