/** Messages for the page's developer: the problem, its place, and what to do. */
export function complain(message: unknown, where: Element): void {
  console.error(`Vitrine: ${message}`, where);
}
