/** Ports of the servers that tests start: a test that is answered by another's server tells nothing. */
import { expect, it } from "vitest";
import { freePort } from "./support/free-port.ts";

it("gives no port twice, and none that the system may give to others", async () => {
  const ports = await Promise.all(Array.from({ length: 400 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
