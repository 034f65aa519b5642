import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { extractDemo, openDemo } from "../support/demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { ask, openTiny, slugsOf, type Tiny } from "./tiny-catalog.ts";

const folder = temporaryFolder();
let demo: Catalog;
let tiny: Tiny;
beforeAll(() => {
  demo = openDemo();
  tiny = openTiny([
    { resource: "category", id: 1, title: "Alpha" },
    { resource: "category", id: 9, title: "Beta", excerpt: "gamma" },
    { resource: "product", id: 1, title: "Alpha" },
    { resource: "product", id: 2, title: "Alpha" },
    { resource: "product", id: 3, title: "Delta", excerpt: "zulu words", text: "other words" },
    { resource: "product", id: 4, title: "Delta", excerpt: "other words", text: "zulu words" },
    { resource: "product", id: 5, title: "Zulu", excerpt: "other words", text: "other words" },
    { resource: "product", id: 6, title: "Übergröße", text: "Плагин для счетов. 東京都の請求書を作る" },
    { resource: "product", id: 7, title: "Gift Card", text: "version 2025" },
    { resource: "product", id: 8, title: "Keyboard", text: "Keybord, misspelt" },
    { resource: "post", id: 1, title: "Alpha" },
    { resource: "post", id: 2, title: "Keyboards" },
    { resource: "thread", id: 1, title: "Whisper" },
    { resource: "thread", id: 2, title: "Whiskers keybaord" },
  ]);
});
afterAll(() => {
  demo.close();
  tiny.close();
});

const slugs = (q: string, params = {}): string[] => slugsOf(tiny.catalog, q, params);

describe("the order of results", () => {
  it("is product, category, blog, then id descending if all else is equal", () => {
    expect(slugs("alpha")).toEqual(["product-2", "product-1", "category-1", "post-1"]);
    const { results } = ask(tiny.catalog, "search", { q: "alpha" });
    expect(results.map(({ score }) => score)).toEqual([1, 1, 1, 1]);
  });

  it("has titles before excerpts and excerpts before text", () => {
    expect(slugs("zulu")).toEqual(["product-5", "product-3", "product-4"]);
    const { results } = ask(tiny.catalog, "search", { q: "zulu" });
    const scores = results.map(({ score }) => Number(score));
    expect(scores[0]).toBe(1);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  it("is the list's own sort if one is requested", () => {
    const byPrice = ask(demo, "products", { search: "kit", sort: "price_asc", per_page: "100" });
    const byRelevance = ask(demo, "products", { search: "kit", per_page: "100" });
    const ids = (found: typeof byPrice): number[] => found.results.map(({ id }) => Number(id));
    expect(ids(byPrice)).not.toEqual(ids(byRelevance));
    expect(ids(byPrice).sort()).toEqual(ids(byRelevance).sort());
  });
});

describe("words", () => {
  it("must all match, the last as a beginning", () => {
    expect(slugs("gift ca")).toEqual(["product-7"]);
    expect(slugs("gi")).toContain("product-7");
    expect(slugs("gi delta")).toEqual(slugs("delta"));
    expect(slugs("gift alpha")).toEqual([]);
  });

  it("are blind to case and accents", () => {
    for (const q of ["ubergrosse", "ÜBERGRÖSSE", "u\u0308bergro\u0308ße"])
      expect(slugs(q)).toEqual(["product-6"]);
    expect(slugsOf(demo, "café").sort()).toEqual(slugsOf(demo, "CAFE").sort());
    expect(slugsOf(demo, "café")[0]).toBe("cafe-menus");
  });

  it("may be of any script, and anywhere in scripts without spaces", () => {
    expect(slugs("счетов")).toEqual(["product-6"]);
    expect(slugs("СЧЕТ")).toEqual(["product-6"]);
    expect(slugs("請求書")).toEqual(["product-6"]);
    expect(slugs("京都")).toEqual(["product-6"]);
    expect(slugs("求請")).toEqual([]);
    expect(slugsOf(demo, "日本")).toContain("japanese-invoice-maker");
  });
});

describe("a word with no match", () => {
  it("is retried with the nearest words: one edit up to five letters, two above", () => {
    expect(slugs("alhpa")).toContain("product-1");
    expect(slugs("alhap")).toEqual([]);
    expect(slugs("gfit card")).toEqual(["product-7"]);
    expect(slugs("ubregrose")).toEqual(["product-6"]);
    expect(slugs("keyxboxrdx")).toEqual([]);
  });

  it("is retried in the middle of being typed", () => {
    expect(slugs("ubregro")).toEqual(["product-6"]);
    expect(slugs("ubregr")).toEqual([]);
  });

  it("may lack a space, or have one too many", () => {
    expect(slugs("giftcard")).toEqual(["product-7"]);
    expect(slugs("key boards")).toEqual(["post-2"]);
    expect(slugs("del ta words")).toEqual(slugs("delta words"));
  });

  it("is one that the searched list does not have, even if another list does", () => {
    expect(slugs("keybaord")).toEqual(["product-8", "post-2"]);
    expect(slugs("whisper")).toEqual([]);
    expect(ask(tiny.catalog, "forum", { q: "keybaord" }).total).toBe(1);
    expect(ask(tiny.catalog, "forum", { q: "wisper" }).results[0]?.["id"]).toBe(1);
  });

  it("does not include a rare word that matches", () => {
    expect(slugs("keybord")).toEqual(["product-8"]);
  });

  it("is not corrected if it is a number or a single letter", () => {
    expect(slugs("2025")).toEqual(["product-7"]);
    expect(slugs("2026")).toEqual([]);
    expect(slugs("2026 gift")).toEqual(["product-7"]);
    expect(slugs("x")).toEqual([]);
  });

  it("is named as a person writes its correction, beside the other words as they were asked for", () => {
    const shop = openTiny(
      ["C++ Linter", "F# Notebook", ".NET Client", "Étagère", "Don’t Panic", "Gift Card"].map(
        (title, at) => ({
          resource: "product",
          id: at + 1,
          title,
        }),
      ),
    );
    for (const [q, corrected] of [
      ["C++ lintre", "c++ linter"],
      ["f# notebok", "f# notebook"],
      [".NET clinet", ".net client"],
      ["cplusplsu", "c++"],
      ["dotnte client", ".net client"],
      ["etagre", "étagère"],
      ["Don't pancic", "don't panic"],
      ["giftcard", "gift card"],
      ["gift bard", "gift card"],
      ["Gift xyzzy card", "gift card"],
      ["C++", undefined],
      ["don't", undefined],
      ["etagere", undefined],
    ] as const) {
      const { headers } = answerTarget(shop.catalog, `/api/v1/search?q=${encodeURIComponent(q)}`);
      const header = headers["X-Corrected-Search"];
      expect([q, header === undefined ? header : decodeURIComponent(header)]).toEqual([q, corrected]);
    }
    shop.close();
  });

  it("is marked as the found word", () => {
    const { results } = ask(demo, "search", { q: "restarants" });
    expect(results[0]?.["highlight"]).toContain("<mark>restaurants</mark>");
  });
});

describe("a search that finds thousands", () => {
  const COUNT = 5000;
  const many = (): Tiny =>
    openTiny(
      Array.from({ length: COUNT }, (_, at) => ({
        resource: "product",
        id: at + 1,
        title: at % 1000 === 0 ? "Common" : at % 1000 === 1 ? "Common and more" : "Other",
        text: "common words",
      })),
    );

  it("has the true total and all pages, titles first, then ids descending", () => {
    const { catalog, close } = many();
    const first = ask(catalog, "search", { q: "common", per_page: "12" });
    expect(first.total).toBe(COUNT);
    const titles = [4001, 3001, 2001, 1001, 1, 4002, 3002, 2002, 1002, 2, 5000, 4999];
    expect(first.results.map(({ id }) => id)).toEqual(titles);
    const last = ask(catalog, "search", { q: "common", per_page: "100", page: "50" });
    expect(last.results.length).toBe(100);
    expect(last.results.at(-1)?.["id"]).toBe(3);
    expect(ask(catalog, "search", { q: "common", page: "251" })).toMatchObject({ total: COUNT, results: [] });
    close();
  });
});

describe("documents", () => {
  it("belong to their records whatever the ids, with gaps and up to the largest", () => {
    const ids = [3, 4, 1000, 999_999_999_998, 999_999_999_999_999];
    const kinds = ["category", "product", "post"] as const;
    const found = openTiny(
      kinds.flatMap((resource) => ids.map((id) => ({ resource, id, title: id === 4 ? "other" : "word" }))),
    );
    const some = ids.filter((id) => id !== 4).reverse();
    const { results } = ask(found.catalog, "search", { q: "word" });
    expect(results.map(({ type, id }) => [type, id])).toEqual(
      ["product", "category", "blog"].flatMap((type) => some.map((id) => [type, id])),
    );
    const listed = (params: object) =>
      ask(found.catalog, "products", { ...params }).results.map((one) => one["id"]);
    expect(listed({ search: "word" })).toEqual(some);
    expect(listed({ search: "word", sort: "oldest" })).toEqual(some);
    expect(listed({ search: "other" })).toEqual([4]);
    found.close();
  });
});

describe("an answer", () => {
  it("has only the requested type, and its own total", () => {
    const types = (type: string) => ask(demo, "search", { q: "a", type, per_page: "100" });
    for (const type of ["product", "category", "blog"]) {
      expect(new Set(types(type).results.map((result) => result["type"]))).toEqual(new Set([type]));
    }
    const all = ask(demo, "search", { q: "a" }).total;
    expect(types("product").total + types("category").total + types("blog").total).toBe(all);
  });

  it("is cut into pages that neither repeat nor miss a result", () => {
    const { total } = ask(demo, "search", { q: "s" });
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(total / 7) + 1; page++) {
      const { results } = ask(demo, "search", { q: "s", page: String(page), per_page: "7" });
      seen.push(...results.map(({ type, id }) => `${type} ${id}`));
    }
    expect(seen.length).toBe(total);
    expect(new Set(seen).size).toBe(total);
  });

  it("has the same bytes from another catalog of the same store", async () => {
    const again = await extractDemo(folder);
    for (const q of ["s", "kit", "invoise", "templates for agencies", "the"]) {
      const target = `/api/v1/search?q=${encodeURIComponent(q)}&per_page=100`;
      expect(answerTarget(again, target).body.equals(answerTarget(demo, target).body)).toBe(true);
    }
    again.close();
  });

  it("never has a forum thread in /search", () => {
    expect(slugs("whiskers")).toEqual([]);
    expect(ask(tiny.catalog, "forum", { q: "whiskers" }).total).toBe(1);
  });
});
