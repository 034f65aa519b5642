/** A server whose port is taken says so and ends, whatever else it has started. */
import { mkdtempSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startVitrine } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
let taken: Server;
let port = "";

beforeAll(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  port = String((taken.address() as { port: number }).port);
});
afterAll(() => taken.close());

const FALLBACK = ["fallback", "--catalog", join(out, "catalog.sqlite")];
const COMMANDS: readonly (readonly [what: string, args: readonly string[], said: string])[] = [
  ["serve", ["serve", "--out", out, "--port"], "--port or --host"],
  ["fallback", [...FALLBACK, "--port"], "--port or --host"],
  ["fallback --metrics", [...FALLBACK, "--metrics", "0", "--port"], "--port or --host"],
  ["fallback whose metrics' port is", [...FALLBACK, "--port", "0", "--metrics"], "--metrics"],
];

it.each(COMMANDS)("%s ends with exit code 2 and leaves no copy", async (_what, args, option) => {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const { child, ended, said } = startVitrine([...args, port], { TMPDIR: temporary });
  const late = setTimeout(() => child.kill("SIGKILL"), 120_000);
  expect([await ended, said()]).toEqual([2, expect.stringContaining(`Choose another with ${option}`)]);
  clearTimeout(late);
  expect(readdirSync(temporary)).toEqual([]);
});
