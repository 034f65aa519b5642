/** What axe finds in a page that a browser shows. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** By all rules, or by those named. Axe leaves out the size of targets unless it is asked for. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  const asked = rules.length > 0 ? { runOnly: rules } : { rules: { "target-size": { enabled: true } } };
  const options = { resultTypes: ["violations"], ...asked };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(" ")}`,
  );
}
