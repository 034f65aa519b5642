/** Each format's number: a changed format needs a new number (docs/decisions/formats.md). */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PublicConfig } from "../../src/api/config.ts";
import { RECORDS } from "../../src/api/records.ts";
import { VitrineError } from "../../src/base/error.ts";
import { FORMATS, nameNewer, readsFormat, readsFormatText } from "../../src/base/formats.ts";
import { PART_INDEXES, TABLES } from "../../src/catalog/resources.ts";
import { JOURNAL_FORMAT, POINTER_FORMAT } from "../../src/publish/documents.ts";
import { BULK_FORMAT } from "../../src/release/public-source.ts";
import { INDEX_FORMAT } from "../../src/release/release-index.ts";

/** Digest of a schema without its descriptions: other words are not another format. */
function shortDigest(schema: unknown): string {
  const isWords = (name: string, value: unknown) => name === "description" && typeof value === "string";
  const text = JSON.stringify(schema, (name, value) => (isWords(name, value) ? undefined : value));
  return hash("sha256", text).slice(0, 12);
}

it("has the number in docs/versions.md", () => {
  const names = { "release index": "releaseIndex", "bulk files": "bulk" } as Readonly<Record<string, string>>;
  const rows = readFileSync("docs/versions.md", "utf8").matchAll(/^\| ([a-z ]+) \| (\d+) \| /gm);
  const said = [...rows].map(([, name = "", number]) => [names[name] ?? name, Number(number)]);
  expect(said).toEqual(Object.entries(FORMATS).map(([name, { newest }]) => [name, newest]));
});

describe("a format", () => {
  it.each([
    ["catalog", [TABLES, PART_INDEXES, PublicConfig], "1 75d2fbd77cc2"],
    ["pointer", POINTER_FORMAT, "1 c4335f7deb3b"],
    ["journal", JOURNAL_FORMAT, "1 5c91faafa33d"],
    ["releaseIndex", INDEX_FORMAT, "1 6fc0ec2a6657"],
    [
      "bulk",
      [BULK_FORMAT, PublicConfig, RECORDS.map(({ list, detail }) => [list, detail])],
      "2 5f140082eb3e",
    ],
  ] as const)("has another number after a change: %s", (name, what, pinned) => {
    const now = `${FORMATS[name].newest} ${shortDigest(what)}`;
    const next = `${name} changed. If the old one was released: raise the number, and still read the old one. Otherwise pin the new digest.`;
    expect(now, next).toBe(pinned);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 60, "2", null, undefined, [], {}])("is refused for %j", (found) => {
    expect(readsFormat("pointer", found)).toBe(false);
  });

  it.each(["", "0", "01", "-1", "1.0", "1e3", " 1", "1\n", "9".repeat(30), undefined])(
    "is refused for the text %j",
    (found) => {
      expect(readsFormatText("pointer", found)).toBe(false);
    },
  );

  it("is read from the oldest number to the newest, and above that refused with its name", () => {
    const { oldest, newest } = FORMATS.pointer;
    expect([oldest, newest].map((number) => readsFormat("pointer", number))).toEqual([true, true]);
    expect(() => readsFormat("pointer", newest + 1, "s3://shop/x.json")).toThrow(
      expect.objectContaining({
        code: "newer_format",
        exitCode: 6,
        message: expect.stringMatching(
          /^s3:\/\/shop\/x\.json was made by a newer Vitrine: .*2, .* up to 1\. .*Update/,
        ),
      }),
    );
  });

  it("is named with the file's path as it is, dollar signs included", () => {
    const newer = new VitrineError("newer_format", "it was made by a newer Vitrine");
    expect(nameNewer("/srv/$$/$&.json", newer).message).toBe("/srv/$$/$&.json was made by a newer Vitrine");
  });
});
