/** Waits for what a test asserts: no test sleeps and hopes that it has happened by then. */
import { setTimeout as sleep } from "node:timers/promises";

/** Far beyond what a busy machine needs: it only ends a wait for what never comes. */
const WAIT_MILLISECONDS = 120_000;
const POLL_MILLISECONDS = 20;

/** Looks again and again until there is something: any value but `undefined` and `false`. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + WAIT_MILLISECONDS;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await sleep(POLL_MILLISECONDS);
  }
}
