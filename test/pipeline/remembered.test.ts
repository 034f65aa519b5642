import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { digestOf, RowMemory } from "../../src/extract/row-memory.ts";
import { openRemembered, type Remembered, readAtIn, saveRemembered } from "../../src/pipeline/remembered.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedSmall, temporaryFolder } from "../support/shop.ts";

const BUILD: Omit<Remembered, "memories"> = {
  columns: { faqs: ["id", "question"] },
  inputs: "a1",
  beside: "b2",
  now: "2026-01-01 00:00:00",
  readAt: "2026-01-01T00:00:01.250Z",
  stamp: "",
  isForced: false,
  catalog: "c3",
  files: { faqs: "d4" },
  report: {
    records: { faq: 2 },
    leftOut: {},
    wrong: [],
    shortened: [],
    nextChangeAt: null,
    summary: { prices: [], emptyProductFields: [] },
    notPublic: {},
    generatedAt: "2026-01-01T00:00:00+00:00",
    leftToFallback: [],
    plannedFiles: 3,
    feeds: [],
  },
  values: { "reviews by rating": { inputs: "e5", value: [[12, 3]] } },
};

function savedMemory(): string {
  const file = join(temporaryFolder(), "readings.sqlite");
  const faqs = new RowMemory();
  faqs.add(7, digestOf("seven"), "a note");
  faqs.add(3, digestOf("three"));
  saveRemembered(file, { ...BUILD, memories: new Map([["faq", faqs]]) });
  return file;
}

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe("what a build remembers", () => {
  it("is what the next one finds, fingerprints and notes of rows too", () => {
    const file = savedMemory();
    const { memories, ...build } = openRemembered(file) as Remembered;
    expect(build).toEqual(BUILD);
    const faqs = memories.get("faq");
    expect([...memories.keys(), ...(faqs?.ids() ?? [])]).toEqual(["faq", 3, 7]);
    expect(faqs?.placeOf(7, digestOf("seven"))).toBe(1);
    expect(faqs?.placeOf(7, digestOf("other"))).toBe(-1);
    expect([...(faqs?.withNotes(new Set(["a note"])) ?? [])]).toEqual([[7, "a note"]]);
    expect(readAtIn(file)).toBe(BUILD.readAt);
  });

  it.each([
    ["of another format", "UPDATE word SET value = '999' WHERE name = 'format'"],
    ["with other tables", "DROP TABLE word; CREATE TABLE other (name)"],
  ])("is nothing if it is %s", (_, sql) => {
    const file = savedMemory();
    change(file, sql);
    expect([readAtIn(file), openRemembered(file)]).toEqual([null, null]);
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    ["a text", "UPDATE word SET value = replace(value, 'a1', 'a2') WHERE name = 'build'"],
    ["half a text", "UPDATE word SET value = substr(value, 1, 20) WHERE name = 'build'"],
    ["a fingerprint", "UPDATE rows SET entries = zeroblob(length(entries))"],
    ["a note", "UPDATE rows SET notes = replace(notes, 'note', 'word')"],
    ["a memory's name", "UPDATE rows SET name = 'review'"],
  ])("is nothing if %s was damaged", (_, sql) => {
    const file = savedMemory();
    change(file, sql);
    expect(openRemembered(file)).toBeNull();
    expect([null, BUILD.readAt]).toContain(readAtIn(file));
  });
});

it("a build names each allow-list file with a changed row, and one whose last row has gone", async () => {
  const folder = temporaryFolder();
  const store = seedSmall(folder);
  const inputs = demoInputs(store, join(folder, "out"), { config: SMALL_CONFIG, allowShrink: 1_000_000 });
  await buildQuietly(inputs);
  expect(openRemembered(layoutOf(inputs.out).readings)?.files).toHaveProperty("faqs");
  change(store, "UPDATE reviews SET body = 'Other'; DELETE FROM faqs");
  const { changedFiles } = await buildQuietly(inputs);
  expect(changedFiles).toEqual(expect.arrayContaining(["reviews.sql", "faqs.sql"]));
  expect((await buildQuietly(inputs)).changedFiles).toEqual([]);
});
