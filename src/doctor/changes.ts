/** What one product costs in files: more than some thousand, and each that comes or goes holds up all other changes. */
import { formatCount } from "../base/log.ts";
import { type ChangeCosts, filesOf } from "../render/change-cost.ts";
import { dearProduct } from "../render/plan-summary.ts";
import { type Found, ok, warning } from "./finding.ts";

/** @param costs null where there is no snapshot */
export function checkChanges(costs: ChangeCosts | null): Found[] {
  if (costs === null) return [ok("No snapshot yet; vitrine plan says what a change costs")];
  const dear = dearProduct(costs);
  if (dear !== null) return [warning(dear.what, dear.next)];
  const { price, review, product } = costs;
  const [prices, reviews, products] = [price, review, product].map((cost) => formatCount(filesOf(cost)));
  return [ok(`A price changes about ${prices} files, a review ${reviews}, a product ${products}`)];
}
