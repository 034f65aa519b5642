/** What a build remembers of the real clock, which may have been set back since. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SILENT } from "../../src/base/log.ts";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { Previous } from "../../src/pipeline/previous.ts";
import { openRemembered, type Remembered, saveRemembered } from "../../src/pipeline/remembered.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedSmall, temporaryFolder } from "../support/shop.ts";

const HOUR = 3_600_000;

it("reads everything again after a day, and if the last reading is said to be in a day or later", async () => {
  const home = mkdtempSync(join(temporaryFolder(), "clock-"));
  const inputs = demoInputs(seedSmall(home), join(home, "out"), { config: SMALL_CONFIG });
  const layout = layoutOf(join(home, "out"));
  await buildQuietly(inputs);
  const isDueAfter = (milliseconds: number) => {
    const readAt = new Date(Date.now() - milliseconds).toISOString();
    const remembered = openRemembered(layout.readings) as Remembered;
    saveRemembered(layout.readings, { ...remembered, readAt });
    const previous = Previous.open(inputs, layout, readAllowList(inputs.queries), SILENT);
    const isDue = previous?.isDue;
    previous?.close();
    return isDue;
  };
  expect([23 * HOUR, 25 * HOUR, -HOUR, -25 * HOUR].map(isDueAfter)).toEqual([false, true, false, true]);
});
