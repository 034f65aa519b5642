/** Locks that are files of SQLite, whose content does not matter. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXCLUSIVE, takeLock } from "../../src/base/sqlite.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const WRONG = "what a damaged disk left here. ".repeat(300);

it("a lock whose file was damaged can be taken, and holds", () => {
  const file = join(folder, ".lock");
  writeFileSync(file, WRONG);
  const unlock = takeLock(file, EXCLUSIVE);
  expect(unlock).not.toBeNull();
  expect(takeLock(file, EXCLUSIVE)).toBeNull();
  unlock?.();
});

it("a link in the place of a lock does not empty what it leads to", () => {
  const file = join(folder, "somebody's");
  writeFileSync(file, WRONG);
  symlinkSync(file, join(folder, ".turn"));
  expect(() => takeLock(join(folder, ".turn"), EXCLUSIVE)).toThrow();
  expect(readFileSync(file, "utf8")).toBe(WRONG);
});
