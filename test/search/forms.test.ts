/** One word in different spellings, words of many scripts, and words that no record has. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { openDemo } from "../support/demo.ts";
import { ask, openTiny, slugsOf, type Tiny } from "./tiny-catalog.ts";

const TITLES = [
  "Wi-Fi Planner",
  "Wifi Portal",
  "E-Mail Kit",
  "Email Export",
  "E-commerce Starter",
  "T-shirt Mockup",
  "Drop-down Menu",
  "Dropdown Tree",
  "3-D Viewer",
  "Men’s Size Chart",
  "Mens Sizing",
  "Theme v2.0",
  "Theme 2.0 Pro",
  "Support 24/7",
  "1,000 Icons",
  "C++ Linter",
  "C# Bindings",
  "F# Notebook",
  ".NET Client",
  "Net Prices",
  "SVG Sprites",
  "Node.js Queue",
  "R&D Budget",
  "Invoice Kit™",
  "Checklist ①",
  "Café Menus",
  "Cafe Menus",
  "ばら",
  "はら",
  "हिन्दी पाठ",
  "กินข้าว",
  "йод",
  "Ёлка",
  "كـــتاب محمد",
  "サーバー管理",
  "Їжак",
  "Ґанок",
  "Łódź Ħ",
  "Ώρα Ελλάδος",
  "דרך ארץ",
  "क़लम",
  "Col·lega",
];

let tiny: Tiny;
let demo: Catalog;
beforeAll(() => {
  tiny = openTiny(TITLES.map((title, at) => ({ resource: "product", id: at + 1, title })));
  demo = openDemo();
});
afterAll(() => {
  tiny.close();
  demo.close();
});

/** Titles that a query finds, best first. */
function titlesOf(q: string): string[] {
  return ask(tiny.catalog, "search", { q, per_page: "50" }).results.map(({ title }) => String(title));
}

describe("a word in another form", () => {
  it.each([
    [
      ["wifi", "wi-fi", "Wi‑Fi", "WIFI"],
      ["Wi-Fi Planner", "Wifi Portal"],
    ],
    [
      ["email", "e-mail"],
      ["E-Mail Kit", "Email Export"],
    ],
    [["ecommerce", "e-commerce"], ["E-commerce Starter"]],
    [["tshirt", "t-shirt"], ["T-shirt Mockup"]],
    [
      ["dropdown", "drop-down"],
      ["Drop-down Menu", "Dropdown Tree"],
    ],
    [["3d", "3-d"], ["3-D Viewer"]],
    [
      ["mens", "men's", "men’s"],
      ["Men’s Size Chart", "Mens Sizing"],
    ],
    [
      ["2.0", "v2.0"],
      ["Theme v2.0", "Theme 2.0 Pro"],
    ],
    [["v2"], ["Theme v2.0"]],
    [["24/7", "247"], ["Support 24/7"]],
    [["1000 icons", "1,000 icons"], ["1,000 Icons"]],
    [["c++"], ["C++ Linter"]],
    [["c#"], ["C# Bindings"]],
    [["f#"], ["F# Notebook"]],
    [[".net", "dotnet"], [".NET Client"]],
    [[".svg", "svg"], ["SVG Sprites"]],
    [["node.js", "nodejs", "node js"], ["Node.js Queue"]],
    [["r&d", "rd"], ["R&D Budget"]],
    [["invoice kit", "kit™ invoice"], ["Invoice Kit™"]],
    [["checklist"], ["Checklist ①"]],
  ])("%s find the same", (queries, titles) => {
    for (const q of queries) expect([q, titlesOf(q).sort()]).toEqual([q, [...titles].sort()]);
  });

  it("is found by its parts, too", () => {
    expect(titlesOf("net")).toEqual(expect.arrayContaining([".NET Client", "Net Prices"]));
    expect(titlesOf("menu drop")).toEqual(["Drop-down Menu"]);
  });

  it("ranks below the spelling of the query", () => {
    expect(titlesOf("wi-fi")[0]).toBe("Wi-Fi Planner");
    expect(titlesOf("wifi")[0]).toBe("Wifi Portal");
    expect(titlesOf("café menus")).toEqual(["Café Menus", "Cafe Menus"]);
  });

  it("is marked as a whole in the text", () => {
    const marked = openTiny([
      { resource: "product", id: 1, title: "One", excerpt: "A Wi-Fi router in C++." },
    ]);
    const highlight = (q: string) => ask(marked.catalog, "search", { q }).results[0]?.["highlight"];
    expect(highlight("wifi")).toBe("A <mark>Wi-Fi</mark> router in C++.");
    expect(highlight("wi-fi router")).toBe("A <mark>Wi-Fi</mark> <mark>router</mark> in C++.");
    expect(highlight("c++")).toBe("A Wi-Fi router in <mark>C</mark>++.");
    marked.close();
  });

  it("is not the same word as one with other signs", () => {
    expect(titlesOf("c# c++")).toEqual([]);
    expect(titlesOf("c c++")).toEqual(["C++ Linter"]);
    expect(titlesOf("c++ c++")).toEqual(["C++ Linter"]);
  });
});

describe("marks", () => {
  it.each([
    ["ばら", ["ばら"]],
    ["はら", ["はら"]],
    ["हिन्दी", ["हिन्दी पाठ"]],
    ["हनद", []],
    ["กิน", ["กินข้าว"]],
    ["กน", []],
    ["йод", ["йод"]],
    ["иод", []],
    ["елка", ["Ёлка"]],
    ["іжак", ["Їжак"]],
    ["ганок", ["Ґанок"]],
    ["lodz", ["Łódź Ħ"]],
    ["łodz h", ["Łódź Ħ"]],
    ["ωρα", ["Ώρα Ελλάδος"]],
    ["ελλαδοσ", ["Ώρα Ελλάδος"]],
    ["דרכ", ["דרך ארץ"]],
    ["कलम", ["क़लम"]],
    ["collega", ["Col·lega"]],
    ["coŀlega", ["Col·lega"]],
    ["كتاب", ["كـــتاب محمد"]],
    ["كِتَاب مُحَمَّد", ["كـــتاب محمد"]],
    ["サーバー", ["サーバー管理"]],
    ["管理", ["サーバー管理"]],
  ])("of %s are accents or letters, depending on the script", (q, titles) => {
    expect(titlesOf(q)).toEqual(titles);
  });
});

describe("a short word", () => {
  const shop = openTiny(
    ["Table", "Charge", "Scanned Notes", "Invoice", "Themes", "Menu Builder"].map((title, at) => ({
      resource: "product",
      id: at + 1,
      title,
    })),
  );
  afterAll(() => shop.close());

  it.each([
    ["tablet", []],
    ["charger", []],
    ["scanner", []],
    ["tabel", ["Table"]],
    ["invoce", ["Invoice"]],
    ["invoic x", []],
    ["invoiec", ["Invoice"]],
    ["theme", ["Themes"]],
    ["menus builder", ["Menu Builder"]],
    ["scaned note", ["Scanned Notes"]],
  ])("is another word if its end differs: %s", (q, titles) => {
    expect(ask(shop.catalog, "search", { q }).results.map(({ title }) => title)).toEqual(titles);
  });
});

describe("a misspelt word beside others", () => {
  const shop = openTiny(
    [
      { title: "Menu Builder", text: "for the corner café" },
      { title: "Rest Client" },
      { title: "From Paris with Love" },
      { title: "Kit", text: "an api explorer" },
      { title: "Scanner Bridge" },
      { title: "Rust Compiler" },
    ].map((texts, at) => ({ resource: "product", id: at + 1, ...texts })),
  );
  afterAll(() => shop.close());

  it.each([
    ["another letter in four", "rist client", ["Rest Client"], "rest client"],
    ["a word that another title has", "rust client", ["Rest Client"], "rest client"],
    ["a word of three letters", "men builder", ["Menu Builder"], "menu builder"],
    ["its first letter", "nenu builder", ["Menu Builder"], "menu builder"],
    ["its end", "scanned bridge", ["Scanner Bridge"], "scanner bridge"],
    ["two errors in seven letters", "menu biulden", ["Menu Builder"], "menu builder"],
    ["a word cut short", "scann bridge", ["Scanner Bridge"], "scanner bridge"],
    ["the last word, unfinished", "menu bulid", ["Menu Builder"], "menu builder"],
    ["a common word", "form paris", ["From Paris with Love"], "from paris"],
    ["a word of the texts", "menu xorner", ["Menu Builder"], "menu corner"],
    ["a word that nothing has", "scanner bridge xyzzy", ["Scanner Bridge"], "scanner bridge"],
    ["an error and a word that nothing has", "xyzzy scanenr bridge", ["Scanner Bridge"], "scanner bridge"],
  ])("may have: %s", (_, q, titles, corrected) => {
    const { body, headers } = answerTarget(shop.catalog, `/api/v1/search?q=${encodeURIComponent(q)}`);
    const { data } = JSON.parse(body.toString()) as { data: { title: string }[] };
    expect([data.map(({ title }) => title), headers["X-Corrected-Search"]]).toEqual([
      titles,
      encodeURIComponent(corrected),
    ]);
  });

  it.each([
    ["rist"],
    ["nenu"],
    ["xyzzy"],
    ["rist nenu"],
    ["xyzzy plugh"],
    ["scanner xyzzy plugh"],
    ["client paris"],
  ])("is another word alone, and beside words that are no better: %s", (q) => {
    expect(ask(shop.catalog, "search", { q }).total).toBe(0);
  });
});

/** Written before the rules for typing errors were chosen, and not changed since. */
const FOREIGN = `aws seo crm erp docker kubernetes laravel shopify stripe paypal mailchimp zapier notion figma slack jira
  trello redis mongodb postgres mysql nginx apache graphql typescript golang rust kotlin swift android iphone tablet laptop
  printer scanner webcam router modem firewall antivirus voucher refund guitar piano violin bicycle helmet pillow blanket
  candle coffee teapot garden shovel hammer wrench ladder carpet curtain mirror wallet jacket sweater sandals necklace
  perfume shampoo toothbrush umbrella suitcase passport airplane hotel museum theatre concert ticket lottery casino poker
  chess puzzle doll balloon birthday wedding funeral lawyer dentist surgeon nurse hospital pharmacy vitamin protein yoga
  pilates tennis soccer hockey cricket`;

describe("words that no record of the demo has", () => {
  it("find something in at most one of thirty cases", () => {
    const texts = demo.db.prepare<[], string>(
      "SELECT title_words || ' ' || excerpt || ' ' || text FROM document",
    );
    const words = new Set(
      texts
        .pluck()
        .all()
        .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
    );
    const isKnown = (word: string) => [...words].some((known) => known.startsWith(word));
    const foreign = FOREIGN.split(/\s+/).filter((word) => !isKnown(word));
    expect(foreign.length).toBeGreaterThan(90);
    const answered = foreign.filter((q) => slugsOf(demo, q).length > 0);
    expect(answered.length).toBeLessThanOrEqual(foreign.length / 30);
  });
});

describe("a category's name", () => {
  it("finds its products", () => {
    const { results } = ask(demo, "categories", {});
    const category = results.find(({ product_count: count }) => Number(count) > 5);
    const name = String(category?.["name"]);
    const inCategory = ask(demo, "products", {
      category: String(category?.["slug"]),
      per_page: "100",
    });
    const found = ask(demo, "products", { search: name, per_page: "100" });
    const ids = new Set(found.results.map(({ id }) => id));
    expect(inCategory.results.filter(({ id }) => !ids.has(id))).toEqual([]);
    expect(ask(demo, "search", { q: name }).total).toBeGreaterThanOrEqual(inCategory.total);
  });
});
