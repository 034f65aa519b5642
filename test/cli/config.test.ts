/** Mistakes in a configuration, as people read them; the schema that editors read, checked by plain ajv; the place to publish to. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { type BuildOptions, completePlace, resolveInputs } from "../../src/config/inputs.ts";
import { loadConfig } from "../../src/config/load.ts";
import { build } from "../../src/pipeline/build.ts";
import { type WatchOptions, watch } from "../../src/pipeline/watch.ts";
import { temporaryFolder } from "../support/shop.ts";

const file = join(temporaryFolder(), "vitrine.config.json");
const GOOD = { baseUrl: "https://shop.test/api/v1", siteUrl: "https://shop.test" };

function load(text: string) {
  writeFileSync(file, text);
  return loadConfig(file);
}

/** The sentences about a configuration that is good but for this, without their places in its one line. */
function problems(change: object): string[] {
  try {
    load(JSON.stringify({ ...GOOD, ...change }));
  } catch (error) {
    const [head, ...lines] = (error as Error).message.split("\n");
    expect(head).toBe(`${file} is not a valid configuration:`);
    return lines.map((line) => line.trim().replace(/^line 1, column \d+: /, ""));
  }
  return [];
}

describe("a mistake in the configuration", () => {
  it.each<[object, string]>([
    [{ grid: { depth: 4 } }, "grid.depth must be a whole number from 0 to 3, not 4."],
    [{ grid: { depth: 7.5 } }, "grid.depth must be a whole number from 0 to 3, not 7.5."],
    [{ grid: { depth: "2" } }, 'grid.depth must be a whole number from 0 to 3, not "2".'],
    [{ grid: { depth: null } }, "grid.depth must be a whole number from 0 to 3, not null."],
    [{ grid: { maxFiles: 1 } }, "grid.maxFiles must be a whole number from 100, not 1."],
    [{ grid: { maxfiles: 500 } }, "grid.maxfiles is not known. Did you mean grid.maxFiles?"],
    [{ grid: { pages: "ten" } }, 'grid.pages must be "auto" or "all" or a whole number from 1, not "ten".'],
    [{ grid: [] }, "grid must be an object in { }, not []."],
    [{ maxFiles: 500 }, "maxFiles is not known. Did you mean grid.maxFiles?"],
    [{ baseurl: "x" }, "baseurl is not known. Did you mean baseUrl?"],
    [{ cache: { store: "x" } }, "cache.store is not known. Did you mean store?"],
    [{ baseUrl: undefined }, "baseUrl is missing: an address like https://api.shop.example/api/v1."],
    [
      { baseUrl: "shop.test" },
      'baseUrl must be an address like https://api.shop.example/api/v1, not "shop.test".',
    ],
    [{ siteUrl: 5 }, "siteUrl must be an address like https://shop.example, not 5."],
    [{ store: 5 }, "store must be a text in quotes, not 5."],
    [{ out: "" }, "out is empty. Leave it out, or give it a value."],
    [
      { to: "s3://KEY:SECRET@shop" },
      expect.stringMatching(/^to: "s3:\/\/KEY:\*\*\*@shop" is not a place to publish to: /),
    ],
    [
      { purge: ["webhook:ftp://shop.example"] },
      expect.stringMatching(/^purge\.0: "webhook:…" is not a CDN: write cloudfront:DISTRIBUTION, /),
    ],
    [
      { purge: ["cloudfront:E1", "webhook:https://me:secret@hooks.example"] },
      "purge.1: The webhook's address has a password in it. Take it out: VITRINE_WEBHOOK_SECRET signs what it is sent.",
    ],
    [{ keep: "a week" }, expect.stringMatching(/^keep: "a week" does not say which releases to keep: .*7d/)],
    [{ keep: "9999" }, expect.stringMatching(/^keep: "9999" does not say .* from 1 to 2500/)],
    [{ keep: "91d" }, expect.stringMatching(/^keep: "91d" does not say .* up to 90d/)],
    [{ to: "s3:///prefix" }, expect.stringMatching(/^to: "s3:\/\/\/prefix" is not a place to publish to: /)],
    [{ to: "file:///srv/100%/shop" }, expect.stringMatching(/^to: .* is not a place to publish to: .*%25/)],
    [
      { endpoint: "https://me:secret@s3.example.org" },
      'endpoint must be an address like https://s3.example.org, not "https://me:***@s3.example.org".',
    ],
    [{ endpoints: ["prodcts"] }, 'endpoints.0: "prodcts" is not known. Did you mean "products"?'],
    [{ endpoints: ["blog", "faqs", "blog"] }, 'endpoints names "blog" twice.'],
    [{ endpoints: "blog" }, 'endpoints must be a list in [ ], not "blog".'],
    [{ pageSizes: [0] }, "pageSizes.0 must be a whole number from 1 to 100, not 0."],
    [{ store: ["x".repeat(500)] }, `store must be a text in quotes, not ["${"x".repeat(58)}…`],
  ])("%j is reported in one sentence", (change, sentence) => {
    expect(problems(change)).toEqual([sentence]);
  });

  it("that is similar to no known name is reported with all known names", () => {
    expect(problems({ colour: 1 })[0]).toMatch(
      /^colour is not known\. Known are .*baseUrl, siteUrl, endpoints/,
    );
    expect(problems({ endpoints: ["warehouse"] })[0]).toMatch(
      /^endpoints\.0: "warehouse" is not known\. Known are "store", "products",/,
    );
  });

  it("is reported together with the others", () => {
    expect(problems({ baseUrl: 1, grid: { depth: 9 }, cahce: {} })).toHaveLength(3);
    expect(() => load("[]")).toThrow("The configuration must be an object in { }, not [].");
  });

  it("is shown by line and column, wherever the setting is in the file", () => {
    const text = `{
  "baseUrl": "https://shop.test/api/v1", "siteUrl": "https://shop.test",
  "grid": {
    "depth": 9, "pages" : "all" }, "purge": ["cloudflare:A", "cloudfrnt:B"],
  "k\\u0065ep": 7,
  "store": "a { \\" , [ b", "stor": "x"
}`;
    expect(() => load(text)).toThrow(
      [
        `${file} is not a valid configuration:`,
        "  line 4, column 5: grid.depth must be a whole number from 0 to 3, not 9.",
        '  line 4, column 62: purge.1: "cloudfrnt:B" is not a CDN: write cloudfront:DISTRIBUTION, cloudflare:ZONE, ' +
          "fastly:SERVICE (each with +tags if the CDN reads the cache tag) or webhook:https://….",
        "  line 5, column 3: keep must be a text like 7d, not 7.",
        "  line 6, column 28: stor is not known. Did you mean store?",
      ].join("\n"),
    );
    expect(() =>
      load(`{"baseUrl": "https://shop.test/api/v1", "siteUrl": "https://shop.test",
  "to": "s3:/shop",
  "keep": "a week"}`),
    ).toThrow(/\n {2}line 2, column 3: to: "s3:\/shop" is not .*\n {2}line 3, column 3: keep: "a week" /);
  });

  it("is a setting that is given twice, whatever the values, and its first place is named", () => {
    expect(() =>
      load(`{"baseUrl": "https://shop.test/api/v1", "siteUrl": "https://shop.test", "store": "old.sqlite",
  "grid": {"depth": 2, "depth": 2}, "purge": ["cloudfront:A", "cloudfront:B"],
  "store": "new.sqlite", "store": "newer.sqlite"}`),
    ).toThrow(
      [
        `${file} is not a valid configuration:`,
        "  line 2, column 24: grid.depth is set twice, the first time in line 2, column 12. Delete one.",
        "  line 3, column 26: store is set twice, the first time in line 1, column 73. Delete one.",
      ].join("\n"),
    );
  });

  it("is no mark of the encoding before the text, and another encoding is named", () => {
    const text = JSON.stringify(GOOD);
    expect(load(`\uFEFF${text}\r\n`)).toEqual(load(text));
    for (const encoding of ["utf16le", "latin1"] as const) {
      writeFileSync(file, Buffer.from(encoding === "latin1" ? `é${text}` : `\uFEFF${text}`, encoding));
      expect(() => loadConfig(file)).toThrow(`${file} is not in UTF-8. Save it in that encoding.`);
    }
  });

  it("has no place if a script gave the configuration", async () => {
    await expect(build({ config: { ...GOOD, keep: "a week" } })).rejects.toThrow(
      /\n {2}keep: "a week" does not say/,
    );
  });

  it.each([
    ['{"baseUrl": ', "Line 1, column 13: Unexpected end of JSON input."],
    [
      '{\n  "baseUrl": "x"\n  "siteUrl": "y"\n}',
      "Line 3, column 3: Expected ',' or '}' after property value.",
    ],
    [
      '{\n  "baseUrl": shop,\n  "store": "postgres://a:secret@b/c"\n}',
      "Line 2, column 14: Unexpected token 's'.",
    ],
    ['{\n  "pageSizes": [20, ],\n  "siteUrl": "y"\n}', "Line 2, column 21: Unexpected token ']'."],
    ['{\n  "store": "a\tb"\n}', "Line 2, column 14: Bad control character in string literal."],
    ["", "Line 1, column 1: Unexpected end of JSON input."],
    ["{}\n}", "Line 2, column 1: Unexpected non-whitespace character after JSON."],
  ])("in the JSON is shown by line and column: %j", (text, place) => {
    expect(() => load(text)).toThrow(`${file} is not JSON. ${place}`);
  });
});

/** Another value of each public option than its default. The compiler asks for one of a new option. */
const SET: Required<PublicConfig> = {
  ...GOOD,
  endpoints: ["products"],
  grid: { depth: 1, maxFiles: 500, maxFileBytes: 5_000_000, pages: 3 },
  pageSizes: [7],
  cache: { maxAgeSeconds: 1, sharedMaxAgeSeconds: 2, staleIfErrorSeconds: 3, errorMaxAgeSeconds: 4 },
  pages: false,
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true, bulk: true },
  rateLimit: { requests: 11 },
};

const PLACE = {
  to: "s3://shop-api",
  endpoint: "https://s3.example.org",
  region: "auto",
  purge: ["cloudflare:ZONE"],
  keep: "30d",
  verify: 20,
};

describe("the place to publish to", () => {
  const configured = load(JSON.stringify({ ...GOOD, ...PLACE })).place;

  it("comes from the configuration, unless a flag names another", () => {
    expect(completePlace({}, configured)).toEqual(PLACE);
    expect(completePlace({ to: PLACE.to, keep: "1d", region: undefined }, configured)).toEqual({
      ...PLACE,
      keep: "1d",
    });
  });

  it("has the configuration's endpoint and CDNs only if it is the configuration's place", () => {
    expect(completePlace({ to: "s3://other" }, configured)).toEqual({ to: "s3://other" });
    // The same place, however it is written; the same name at another address is another store.
    expect(completePlace({ to: `${PLACE.to}/` }, configured)).toEqual({ ...PLACE, to: `${PLACE.to}/` });
    expect(completePlace({ endpoint: "http://127.0.0.1:9000" }, configured)).toEqual({
      endpoint: "http://127.0.0.1:9000",
      to: PLACE.to,
    });
    expect(completePlace({ purge: [] }, configured)).toEqual({ ...PLACE, purge: [] });
    expect(completePlace({ to: "s3://other" }, undefined)).toEqual({ to: "s3://other" });
  });
});

describe("an option", () => {
  it("reaches the catalog if it is public, always in the same order, and never if it is private", () => {
    const given = {
      rows: { maxLeftOut: 0.5 },
      out: "o",
      queries: "q",
      store: "s",
      $schema: "x",
      ...PLACE,
      ...SET,
    };
    const reversed = Object.fromEntries(Object.entries(given).reverse());
    const [loaded, other] = [load(JSON.stringify(given)), load(JSON.stringify(reversed))];
    expect(loaded.config).toEqual(SET);
    expect(JSON.stringify(other.config)).toBe(JSON.stringify(loaded.config));
    expect(loaded.maxLeftOut).toBe(0.5);
  });

  it("that a script misspelt is named", async () => {
    const misspelt = { allowShrnk: 3 } as BuildOptions;
    await expect(build(misspelt)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^There is no option allowShrnk\. Known are store, .*allowShrink/),
    });
    await expect(watch({ pollSecond: 3 } as WatchOptions)).rejects.toThrow("There is no option pollSecond.");
  });
});

describe("the schema that editors read", () => {
  const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(
    JSON.parse(readFileSync("vitrine.config.schema.json", "utf8")) as object,
  );
  it.each([
    {},
    { grid: { depth: 1 } },
    { grid: {} },
    { grid: { maxFiles: 100 } },
    { cache: { maxAgeSeconds: 5 } },
    { grid: { maxFileBytes: 5_000_000 } },
    { endpoints: ["store"], pageSizes: [20, 50], store: "a", queries: "b", out: "c", $schema: "d" },
  ])("takes %j, which builds", (change) => {
    const config = { ...GOOD, ...change };
    expect(validate(config)).toBe(true);
    expect(problems(change)).toEqual([]);
  });

  it.each([
    { grid: { depth: 4 } },
    { grid: { dept: 1 } },
    { cache: { maxAgeSeconds: -1 } },
    { endpoints: ["prodcts"] },
    { grid: { maxFileBytes: 5 } },
    { baseUrl: undefined },
    { siteUrl: undefined },
    { colour: 1 },
  ])("refuses %j, which does not build", (change) => {
    expect(validate(JSON.parse(JSON.stringify({ ...GOOD, ...change })))).toBe(false);
    expect(problems(change)).toHaveLength(1);
  });
});

describe("a configuration without queries", () => {
  const folder = join(temporaryFolder(), "shop");
  const configFile = join(folder, "vitrine.config.json");
  const inputs = () => resolveInputs({ configFile, store: "shop.sqlite" });

  it("uses the folder queries next to it; without that folder, it suggests vitrine init", async () => {
    mkdirSync(folder);
    writeFileSync(configFile, JSON.stringify(GOOD));
    await expect(inputs()).rejects.toMatchObject({
      code: "usage",
      exitCode: 2,
      message: expect.stringMatching(/no folder \S+\/shop\/queries\. Run vitrine init/),
    });
    mkdirSync(join(folder, "queries"));
    expect((await inputs()).queries).toBe(join(folder, "queries"));
  });
});
