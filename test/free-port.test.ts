/** Ports of the servers that tests start: an answer from another test's server would prove nothing. */
import { expect, it } from "vitest";
import { freePort } from "./support/free-port.ts";

it("gives no port twice, and only ports that the system gives to no other program", async () => {
  const ports = await Promise.all(Array.from({ length: 400 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
