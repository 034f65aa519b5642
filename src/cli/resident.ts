/** The builds of a `watch`, one after the other, and what is worth saying once of them. */
import type { Log } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { Builder } from "../build/build.ts";
import { captureHint } from "../build/capture.ts";
import type { BuildReport } from "../build/report.ts";
import type { BuildInputs } from "../config/inputs.ts";

export class ResidentBuilder {
  readonly #builder = new Builder();
  readonly #inputs: BuildInputs;
  #isCaptureNamed = false;

  constructor(inputs: BuildInputs) {
    this.#inputs = inputs;
  }

  async build(now: Date, log: Log): Promise<BuildReport> {
    const report = await this.#builder.build({ ...this.#inputs, now: toSqlTime(now) }, log);
    await this.#nameCapture(report, log);
    return report;
  }

  async #nameCapture(report: BuildReport, log: Log): Promise<void> {
    const hint = this.#isCaptureNamed ? null : await captureHint(this.#inputs, report);
    if (hint === null) return;
    this.#isCaptureNamed = true;
    log.info(hint);
  }
}
