/** Files by their fingerprints: which ones are made, which ones stay, and the explanation. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { plainBody } from "../../src/catalog/envelope.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { explainInputs, type MadeFile } from "../../src/site/made-file.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { beginStaging } from "../../src/site/out.ts";
import { NextSnapshot } from "../../src/site/writer.ts";
import { vitrine } from "../support/command.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const [EARLIER, LATER] = ["2026-11-20T12:00:00+00:00", "2026-11-20T13:00:00+00:00"];

interface Given {
  readonly fingerprint: string;
  readonly text: string;
  readonly aliases?: readonly string[];
}

/** Puts files and returns the keys of those that were made. */
function put(
  out: string,
  now: string,
  files: Readonly<Record<string, Given>>,
  { remembers = true, mostFileBytes = Infinity } = {},
) {
  const layout = layoutOf(join(folder, out));
  beginStaging(layout);
  let previous = null;
  try {
    previous = openManifest(layout.manifest);
  } catch {
    // The first one.
  }
  const writer = new NextSnapshot(layout, previous, { now, remembers, mostFileBytes });
  const made: string[] = [];
  for (const [key, { fingerprint, text, aliases = [] }] of Object.entries(files)) {
    const file: MadeFile = {
      key,
      aliases,
      fingerprint,
      inputs: () => `content ${fingerprint}`,
      make: () => {
        made.push(key);
        return plainBody(text);
      },
    };
    writer.put(file);
  }
  const report = writer.commit({}, null);
  const manifest = openManifest(layout.manifest);
  const entries = [...manifest.entries()].map(({ key, generatedAt }) => [key, generatedAt]);
  manifest.close();
  return { made, entries, report, read: (key: string) => readFileSync(join(layout.site, key), "utf8") };
}

describe("a file", () => {
  it("is not made if its fingerprint is remembered; otherwise it is made, and stays if its bytes are the same", () => {
    const files = { "a.json": { fingerprint: "1", text: "a" }, "b.json": { fingerprint: "1", text: "b" } };
    expect(put("one", EARLIER, files).made).toEqual(["a.json", "b.json"]);
    const next = put("one", LATER, {
      "a.json": { fingerprint: "1", text: "other bytes that a wrong fingerprint hides" },
      "b.json": { fingerprint: "2", text: "b" },
      "c.json": { fingerprint: "1", text: "c" },
    });
    expect(next.made).toEqual(["b.json", "c.json"]);
    expect(next.entries).toEqual([
      ["a.json", EARLIER],
      ["b.json", EARLIER],
      ["c.json", LATER],
    ]);
    expect(next.report).toMatchObject({ files: 3, written: 1, deleted: 0 });
    const all = put("one", LATER, files, { remembers: false });
    expect(all.made).toEqual(["a.json", "b.json"]);
    expect(all.report).toMatchObject({ files: 2, written: 0, deleted: 1 });
  });

  it("is written again, with its time, if it is damaged or missing and all files are made again", () => {
    const files = {
      "a.json": { fingerprint: "1", text: "a", aliases: ["id/1.json"] },
      "b.json": { fingerprint: "1", text: "b" },
      "c.json": { fingerprint: "1", text: "c" },
      "d.json": { fingerprint: "1", text: "d" },
    };
    const first = put("damaged", EARLIER, files);
    const { site } = layoutOf(join(folder, "damaged"));
    for (const [key, text] of [
      ["b.json", "x"],
      ["id/1.json", "y"],
    ] as const) {
      rmSync(join(site, key));
      writeFileSync(join(site, key), text);
    }
    rmSync(join(site, "c.json"));
    // As after an update that makes no difference: the files are not looked at.
    expect(put("damaged", LATER, files).report.written).toBe(0);
    const mended = put("damaged", LATER, files, { remembers: false });
    expect(mended.report).toMatchObject({ files: 5, written: 3, deleted: 0 });
    expect(Object.keys(files).map(mended.read)).toEqual(["a", "b", "c", "d"]);
    expect(mended.read("id/1.json")).toBe("a");
    expect(mended.entries).toEqual(first.entries);
  });

  it("has its aliases as links, which come and go with the plan while the file stays", () => {
    const file = (aliases: string[]) => ({ "a.json": { fingerprint: "1", text: "a", aliases } });
    put("links", EARLIER, file([]));
    const linked = put("links", LATER, file(["id/1.json"]));
    expect(linked.made).toEqual([]);
    expect(linked.report).toMatchObject({ files: 2, written: 1 });
    expect(linked.read("id/1.json")).toBe("a");
    expect(put("links", LATER, file([])).report).toMatchObject({ files: 1, written: 0, deleted: 1 });
  });

  it("is not in the snapshot if it is too large, and neither are its aliases", () => {
    const files = { "a.json": { fingerprint: "1", text: "12345", aliases: ["b.json"] } };
    expect(put("large", EARLIER, files, { mostFileBytes: 5 }).report.files).toBe(2);
    expect(
      put("large", LATER, { "a.json": { ...files["a.json"], fingerprint: "2" } }, { mostFileBytes: 4 })
        .report,
    ).toMatchObject({ files: 0, deleted: 2 });
  });
});

describe("why a file was written", () => {
  it.each([
    [
      "total 61\nproduct 12=aa 40=bb",
      "total 62\nproduct 12=ab 41=cc",
      "total 61 → 62; product 12 changed; product 41 added; product 40 removed",
    ],
    ["total 2\nproduct 12=aa 40=bb", "total 2\nproduct 40=bb 12=aa", "the order of its records"],
    ["code aa\ntotal 2", "code ab\ntotal 2", "code changed"],
  ])("%j, then %j", (before, after, words) => {
    expect(explainInputs(before, after).join("; ")).toBe(words);
  });

  it("is explained by check, for a key or a request", async () => {
    const store = seedDemo(folder);
    const out = join(folder, "why");
    await buildQuietly(demoInputs(store, out, { config: SMALL_CONFIG }));
    const db = new Database(store);
    db.exec("UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'");
    const id = db.prepare("SELECT id FROM products WHERE slug = 'invoice-kit'").pluck().get();
    db.close();
    const report = await buildQuietly(
      demoInputs(store, out, { config: SMALL_CONFIG, now: "2026-11-20 13:00:00" }),
    );
    expect(report.work).toBe("part");
    const asked = (why: string) =>
      JSON.parse(vitrine(["check", "--out", out, "--why", why, "--json"]).stdout);
    expect(asked("api/v1/product/slug=invoice-kit.json")).toMatchObject({
      writtenAt: "2026-11-20T13:00:00+00:00",
      why: [`product ${id} changed`],
    });
    expect(asked(`/api/v1/product?id=${id}`)).toMatchObject({
      sameAs: "api/v1/product/slug=invoice-kit.json",
      why: [`product ${id} changed`],
    });
    const page = asked("/api/v1/reviews");
    expect(page).toMatchObject({ writtenAt: "2026-11-20T12:00:00+00:00", why: ["new"] });
    expect(page.inputs[1]).toMatch(/^total \d+$/);
    const missing = vitrine(["check", "--out", out, "--why", "api/v1/nothing.json"]);
    expect([missing.status, missing.stderr]).toEqual([
      2,
      expect.stringContaining("has no file api/v1/nothing.json"),
    ]);
  });
});
