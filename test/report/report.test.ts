import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { familyOfKey, gatherFacts } from "../../src/report/facts.ts";
import { type ReportFacts, renderReport } from "../../src/report/page.tsx";
import { makeReport } from "../../src/report.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { openManifest } from "../../src/snapshot/manifest.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");

describe("the facts of a report", () => {
  it("add up to the manifest, by endpoint, by family and by size", () => {
    const manifest = openManifest(layoutOf(out).manifest);
    const { files, sizeBytes, groups, sizes, largest } = gatherFacts(manifest.entries());
    expect({ files, sizeBytes }).toEqual(manifest.totals());
    manifest.close();
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    expect(sum(groups.map((group) => group.files))).toBe(files);
    for (const group of groups) expect(sum(group.families.map((one) => one.sizeBytes))).toBe(group.sizeBytes);
    expect(sum(sizes.map((one) => one.files))).toBe(files);
    expect(largest).toHaveLength(20);
    expect(largest.map((one) => one.sizeBytes)).toEqual(
      largest.map((one) => one.sizeBytes).sort((a, b) => b - a),
    );
  });

  it("know the family of every key", () => {
    expect(familyOfKey("api/v1/products/category=a/status=b/sort=rating/page=2.json")).toEqual({
      endpoint: "/products",
      family: "category × status, sorted",
    });
    expect(familyOfKey("api/v1/index.json")).toEqual({ endpoint: "/", family: "all" });
    expect(familyOfKey("widgets/reviews.js").endpoint).toBe("beside the API");
  });

  it("keep the largest of any number of files", () => {
    const keys = Array.from({ length: 5000 }, (_, at) => ({
      key: `api/v1/k${at}.json`,
      sizeBytes: (at * 7919) % 5000,
    }));
    expect(gatherFacts(keys).largest.map((one) => one.sizeBytes)).toEqual(
      Array.from({ length: 20 }, (_, at) => 4999 - at),
    );
  });
});

const HOSTILE: ReportFacts = {
  ...gatherFacts([{ key: "api/v1/<script>alert(1)</script>.json", sizeBytes: 0 }]),
  storeName: "</title><script>alert(1)</script>",
  place: '"><img src=x onerror=alert(1)>',
  ...{ release: null, generatedAt: "2026-11-20T12:00:00+00:00", nextChangeAt: null },
  ...{ grid: [], build: null, changes: null, uploadDollars: 0 },
};

describe("the page", () => {
  it("is complete in itself: no script, no style attribute, nothing to load, its one style sheet named by digest", async () => {
    const page = await makeReport(out, join(folder, "x"), {});
    for (const text of [page, renderReport(HOSTILE)]) {
      expect(text).not.toMatch(/<script|<img|<link| style=| src=["']|href=|url\(|@import/);
      const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
      expect(text).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    }
    // Whose machine it was made on does not show.
    expect(page).not.toContain(out);
  });

  it("says of each stage of a build its time, and the most memory by its end", () => {
    const build = [
      { name: "extract", seconds: 1.25, peakBytes: 90e6 },
      { name: "render", seconds: 2, peakBytes: 240e6 },
    ];
    const text = renderReport({ ...HOSTILE, build }).replace(/<[^>]+>/g, "|");
    expect(text).toMatch(/extract\|+1\.3 s\|+90\.0 MB\|+render\|+2\.0 s\|+240\.0 MB/);
  });

  it.runIf(hasBrowser())(
    "fits 360 and 1280 pixels, asks for nothing, and its policy refuses nothing of it",
    async () => {
      const file = join(folder, "report.html");
      writeFileSync(file, await makeReport(out, join(folder, "y"), {}));
      const browser = await startBrowser();
      for (const width of [360, 1280]) {
        const tab = await browser.newPage({
          viewport: { width, height: 800 },
          colorScheme: width === 360 ? "dark" : "light",
        });
        const noise: string[] = [];
        tab.on("console", (message) => noise.push(message.text()));
        tab.on("request", (request) => noise.push(request.url()));
        await tab.goto(pathToFileURL(file).href);
        expect(noise).toEqual([pathToFileURL(file).href]);
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await tab.locator("rect.tile").count()).toBeGreaterThan(20);
        // The style sheet holds.
        expect(await tab.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight")).toBe("650");
      }
      await browser.close();
    },
  );
});
