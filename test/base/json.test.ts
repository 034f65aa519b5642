import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseShallowJson } from "../../src/base/json.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("JSON from anybody else", () => {
  it("is refused before it is parsed if its value would be many times its size", () => {
    const parse = vi.spyOn(JSON, "parse");
    const many = 600_000;
    for (const [text, why] of [
      ["[".repeat(101), /nested more than 100/],
      [`${'{"a":'.repeat(101)}0${"}".repeat(101)}`, /nested more than 100/],
      [`[${"[],".repeat(many)}0]`, /more than 524288 values/],
      [`[${"{},".repeat(many)}0]`, /more than 524288 values/],
      [`[${'{"a":0},'.repeat(many)}0]`, /more than 524288 values/],
      [`{${'"a":0,'.repeat(many)}"b":0}`, /more than 524288 values/],
    ] as const)
      expect(() => parseShallowJson(text)).toThrow(why);
    expect(parse).not.toHaveBeenCalled();
  });

  it("may be long, and may have as many brackets and commas in its texts as it likes", () => {
    const text = '[{,\\"]'.repeat(200_000);
    const value = { title: text, [text]: [text, "\\", "\\\\"] };
    expect(parseShallowJson(JSON.stringify(value))).toEqual(value);
  });

  it("counts each value once, in arrays and in objects", () => {
    for (const [text, values] of [
      ["0", 1],
      ["[]", 2],
      ["[0,0]", 3],
      ['{"a":0,"b":[{}]}', 5],
    ] as const) {
      expect(() => parseShallowJson(text, values)).not.toThrow();
      expect(() => parseShallowJson(text, values - 1), text).toThrow(/values/);
    }
  });
});

/** Where `JSON.parse` may stand in the rooms that read from elsewhere, and whose text it is. */
const OWN_TEXT: Readonly<Record<string, string>> = {
  "extract/extraction.ts": "records of this build or the last one",
  "extract/notes.ts": "reports of this build or the last one",
  "extract/store.ts": "an array that our own SQL makes of a row's columns",
  "mcp/server.ts": "a call of at most 64 KiB, which the protocol's library parses in any case",
  "pipeline/diff.ts": "an answer that is made here",
  "pipeline/remembered.ts": "what the last build remembered",
  "publish/lost-objects.ts": "what the last publish remembered",
  "release/make-release.ts": "the configuration in the catalog that is published",
  "serve/catalog-copy.ts": "a file beside the fallback's own copy",
  "serve/catalog-thread.ts": "the meta of a catalog that was checked",
  "serve/own-address.ts": "an answer that is made here",
};

describe("rooms that read from elsewhere", () => {
  it("parse JSON without a bound only if it is their own", () => {
    const rooms = ["edge", "extract", "mcp", "pipeline", "publish", "release", "serve"];
    const files = rooms.flatMap((room) =>
      readdirSync(join("src", room), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `${room}/${name}`),
    );
    const found = files.filter((file) =>
      /JSON\.parse\(|\.json\(\)/.test(readFileSync(join("src", file), "utf8")),
    );
    expect(found.filter((file) => OWN_TEXT[file] === undefined)).toEqual([]);
  });
});
