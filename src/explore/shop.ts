/** The shop's lists, as the build wrote them into this page, so that the navigation need not wait for an answer. */

const SHOWN = new Set((document.documentElement.dataset["endpoints"] ?? "").split(" "));

/** True if the shop offers an endpoint, named by its path, and its list has a record. */
export function has(path: string): boolean {
  return SHOWN.has(path);
}
