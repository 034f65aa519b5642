/** The order of a publish: details before the lists that name them, what is one file last. Pure. */
import { queryOfKey } from "../key/key.ts";

export type Tier = 0 | 1 | 2;
export const TIERS: readonly Tier[] = [0, 1, 2];
export const TIER_NAMES: readonly string[] = ["details", "lists", "status"];

/** 0: a record's own answer, and the widgets; 1: a list; 2: store, categories, openapi and the status. */
export function tierOf(key: string): Tier {
  const query = queryOfKey(key);
  if (query === null) return 0;
  const { endpoint, values } = query;
  if (endpoint.params.some((param, at) => param.selects === true && values[at] !== null)) return 0;
  if (endpoint.path === "product") return 0;
  return endpoint.paginated || endpoint.path === "faqs" ? 1 : 2;
}
