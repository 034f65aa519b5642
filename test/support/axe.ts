/** What axe finds in a page that a browser shows. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** By all rules, or by those named. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules.length > 0 && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(" ")}`,
  );
}
