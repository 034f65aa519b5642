/** The judged queries: visitors' input, and the records of which a good search answers one first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { openDemo } from "../support/demo.ts";

interface Judged {
  readonly query: string;
  /** The list that is searched; all of products, categories and blog if it is missing. */
  readonly endpoint?: keyof typeof LISTS;
  /** `type/slug`; any of them is right. */
  readonly expect: readonly string[];
}

const JUDGED = JSON.parse(
  readFileSync(join(import.meta.dirname, "judged.json"), "utf8"),
) as readonly Judged[];

/** The text parameter of each list, and the type of its records. */
const LISTS = {
  products: { param: "search", type: "product" },
  blog: { param: "q", type: "blog" },
  forum: { param: "q", type: "thread" },
} as const;

/** Wanted hits that are not found: forms of a word that are more than an edit or an ending away. */
const KNOWN_MISSES = ["quizzes", "plan preorder practice"];

let demo: Catalog;
beforeAll(() => {
  demo = openDemo();
});
afterAll(() => demo.close());

describe("the judged queries", () => {
  /** The first ten records, best first, as `type/slug`. */
  function answerTo({ endpoint, query }: Judged): string[] {
    const list = endpoint === undefined ? undefined : LISTS[endpoint];
    const path = list === undefined ? "search?q" : `${endpoint}?${list.param}`;
    const { body } = answerTarget(demo, `/api/v1/${path}=${encodeURIComponent(query)}&per_page=10`);
    const { data } = JSON.parse(body.toString()) as { data: { type: string; slug: string }[] };
    return data.map(({ type, slug }) => `${list?.type ?? type}/${slug}`);
  }

  it("are at least 60, each once", () => {
    const names = JUDGED.map(({ endpoint, query }) => `${endpoint} ${query}`);
    expect(new Set(names).size).toBe(JUDGED.length);
    expect(JUDGED.length).toBeGreaterThanOrEqual(60);
  });

  it("expect records that exist", () => {
    const known = new Set(["product", "category", "post", "thread"].flatMap((type) => slugsIn(type)));
    expect(JUDGED.flatMap((one) => one.expect).filter((record) => !known.has(record))).toEqual([]);
  });

  it("have a wanted record first, except for the known misses", () => {
    const missed = JUDGED.filter((one) => !one.expect.includes(answerTo(one)[0] ?? ""));
    expect(missed.map(({ query }) => query).filter((query) => !KNOWN_MISSES.includes(query))).toEqual([]);
    expect(missed.length / JUDGED.length).toBeLessThanOrEqual(0.05);
  });

  function slugsIn(type: string): string[] {
    const slugs = demo.db.prepare<[], string>(`SELECT slug FROM ${type}`).pluck().all();
    return slugs.map((slug) => `${type === "post" ? "blog" : type}/${slug}`);
  }
});
