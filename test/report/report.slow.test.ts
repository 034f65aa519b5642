import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  endpointOfKey,
  gatherFacts,
  makeReport,
  type ReportFacts,
  renderReport,
} from "../../src/build/report-page.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { openManifest } from "../../src/snapshot/manifest.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("small");

describe("the facts of a report", () => {
  it("add up to the manifest, by endpoint and beside the API", () => {
    const manifest = openManifest(layoutOf(out).manifest);
    const { files, sizeBytes, endpoints, pages, largest } = gatherFacts(manifest.entries());
    expect({ files, sizeBytes }).toEqual(manifest.totals());
    manifest.close();
    const parts = [...endpoints.values(), pages];
    expect(parts.reduce((all, one) => all + one.files, 0)).toBe(files);
    expect(parts.reduce((all, one) => all + one.sizeBytes, 0)).toBe(sizeBytes);
    expect(largest).toHaveLength(15);
    for (const { key } of largest) expect(key).toMatch(/^api\/v1\//);
    const sizes = largest.map((one) => one.sizeBytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  it("know the endpoint of every key", () => {
    expect(endpointOfKey("api/v1/products/category=a/status=b/sort=rating/page=2.json")).toBe("/products");
    expect(endpointOfKey("api/v1/index.json")).toBe("/");
    expect(endpointOfKey("api/v1/store.json")).toBe("/store");
    expect(endpointOfKey("api/v1/openapi.json")).toBe("/openapi.json");
    expect(endpointOfKey("widgets/reviews.js")).toBeNull();
  });

  it("keep the largest of any number of files", () => {
    const keys = Array.from({ length: 5000 }, (_, at) => ({
      key: `api/v1/k${at}.json`,
      sizeBytes: (at * 7919) % 5000,
    }));
    expect(gatherFacts(keys).largest.map((one) => one.sizeBytes)).toEqual(
      Array.from({ length: 15 }, (_, at) => 4999 - at),
    );
  });
});

const HOSTILE: ReportFacts = {
  ...gatherFacts([{ key: "api/v1/<script>alert(1)</script>.json", sizeBytes: 0 }]),
  storeName: "</title><script>alert(1)</script>",
  place: '"><img src=x onerror=alert(1)>',
  ...{ release: null, generatedAt: "2026-11-20T12:00:00+00:00", nextChangeAt: null },
  ...{ grid: [], build: null, changes: null },
};

describe("the page", () => {
  it("is complete in itself: no script, no style attribute, nothing to load, its one style sheet named by digest", async () => {
    const page = await makeReport(out, join(folder, "x"), {});
    for (const text of [page, renderReport(HOSTILE)]) {
      expect(text).not.toMatch(/<script|<img|<link|<[^>]+ style=|<[^>]+ (?:src|href)=|url\(|@import/);
      const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
      expect(text).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    }
    // Whose machine it was made on does not show.
    expect(page).not.toContain(out);
  });

  /** Its rows and list items, as what is read of them. */
  function linesOf(text: string): string[] {
    return [...text.matchAll(/<(?:tr|li)>(.*?)<\/(?:tr|li)>/g)].map(([, line = ""]) =>
      line
        .replace(/<[^>]+>/g, " ")
        .replace(/ +/g, " ")
        .trim(),
    );
  }

  it("says in words what needs a server, and of each endpoint who answers it", () => {
    const row = { sizeBytes: 0, firstPages: { files: 2, of: 2 }, leftOut: { pages: 0, byId: 0 } };
    const grid = [
      { ...row, endpoint: "/blog", files: 2 },
      { ...row, endpoint: "/store", files: 1 },
      {
        ...row,
        endpoint: "/reviews",
        files: 1,
        firstPages: { files: 1, of: 3 },
        leftOut: { pages: 1, byId: 4 },
      },
      { ...row, endpoint: "/search", files: 0, firstPages: { files: 0, of: 0 } },
    ];
    const lines = linesOf(renderReport({ ...HOSTILE, grid }));
    expect(lines).toEqual(
      expect.arrayContaining([
        "/blog : whatever names q",
        "/reviews : 2 of 3 first pages; 1 page beyond grid.pages or grid.maxFiles; 4 records by id",
        "/search : every answer",
        expect.stringMatching(/^\/blog file /),
        expect.stringMatching(/^\/reviews file \+ fallback /),
        expect.stringMatching(/^\/search fallback /),
      ]),
    );
    expect(lines.filter((line) => line.startsWith("/store :"))).toEqual([]);
    const changes = { put: 1, deleted: 0, records: ["1 of products"] };
    expect(renderReport({ ...HOSTILE, changes })).toContain("1 file put, 0 deleted; 1 of products.");
  });

  it("says of each stage of a build its time, and the most memory by its end", () => {
    const build = {
      seconds: { extract: 1.25, render: 2, commit: 0.1 },
      peakBytes: { extract: 90e6, render: 240e6, commit: 240e6 },
      feeds: [
        {
          ...{ name: "google", resource: "product" as const, records: 120, leftOut: 3, files: {} },
          missing: { price: 1, image_link: 2 },
        },
      ],
    };
    expect(linesOf(renderReport({ ...HOSTILE, build }))).toContain(
      "google image_link 2, price 1 product 120 3",
    );
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
        expect(await tab.locator("svg.bar").count()).toBeGreaterThan(10);
        // The style sheet holds.
        expect(await tab.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight")).toBe("650");
      }
      await browser.close();
    },
  );
});
