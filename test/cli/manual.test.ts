import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MANUAL_FILE, makeManual } from "../../scripts/cli/manual.ts";

it("docs/cli.md has the output of --help: npm run docs:cli", () => {
  expect(readFileSync(MANUAL_FILE, "utf8")).toBe(makeManual());
});
