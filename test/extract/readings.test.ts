import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openReadings, saveReadings, wordOf } from "../../src/extract/readings.ts";
import { temporaryFolder } from "../support/shop.ts";

function savedMemory(): string {
  const file = join(temporaryFolder(), "readings.sqlite");
  saveReadings(file, { words: new Map([["read_at", "2026-01-01"]]), blobs: new Map() }, null);
  return file;
}

it("a word of a memory is the one that the whole memory has", () => {
  const file = savedMemory();
  expect(wordOf(file, "read_at")).toBe("2026-01-01");
  expect(openReadings(file).words.get("read_at")).toBe("2026-01-01");
  expect(wordOf(file, "missing")).toBeNull();
});

it.each([
  ["of another format", "UPDATE word SET value = '999' WHERE name = 'format'"],
  ["with other tables", "DROP TABLE word; CREATE TABLE other (name)"],
])("no word of a memory %s is believed", (_, sql) => {
  const file = savedMemory();
  const db = new Database(file);
  db.exec(sql);
  db.close();
  expect(wordOf(file, "read_at")).toBeNull();
  expect(openReadings(file).words.size).toBe(0);
});
