/** Work on many items, a few at a time. */
import pMap from "p-map";

/**
 * Works through a sequence, `concurrency` items at a time. The first error stops it and is thrown after the running items
 * have ended: nothing happens after this returns.
 */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  function* untilFailed() {
    try {
      for (const item of items) {
        if (failures.length > 0) return;
        yield item;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  const attempt = (item: Item) => work(item).catch((error: unknown) => failures.push(error));
  await pMap(untilFailed(), attempt, { concurrency });
  if (failures.length > 0) throw failures[0];
}
