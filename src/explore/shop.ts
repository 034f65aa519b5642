/** What the shop has, as the build wrote it into this page: no answer is waited for to say what there is to see. */

/** Address of the shop's own site; "" where only one machine or network can open it, so that no link leads there. */
export const SITE = document.documentElement.dataset["site"] ?? "";

const SHOWN = new Set((document.documentElement.dataset["endpoints"] ?? "").split(" "));

/** True of an endpoint that the shop offers and, if it is a list, has a record of; named by its path. */
export function has(path: string): boolean {
  return SHOWN.has(path);
}
