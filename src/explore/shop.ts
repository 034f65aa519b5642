/** The shop's lists, as the build wrote them into this page, so that the navigation need not wait for an answer. */

/** Address of the shop's own site; "" where only one machine or network can open it, so that no link leads there. */
export const SITE = document.documentElement.dataset["site"] ?? "";

const SHOWN = new Set((document.documentElement.dataset["endpoints"] ?? "").split(" "));

/** True if the shop offers an endpoint, named by its path, and its list has a record. */
export function has(path: string): boolean {
  return SHOWN.has(path);
}
