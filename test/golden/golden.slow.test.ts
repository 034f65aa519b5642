/**
 * Golden trees: the key and ETag of every file that a build makes: of the demo with all feeds, of a grid that leaves files out, and of
 * another shop. A change that is not meant to change an answer leaves them alone; one that is updates them with
 * `npx vitest run test/golden -u`.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  seedDemo,
  sharedStore,
  temporaryFolder,
} from "../support/shop.ts";

const FEEDS: PublicConfig["feeds"] = {
  sitemap: true,
  news: true,
  llms: true,
  jsonLd: true,
  google: true,
  bulk: true,
};

/** The key without values and numbers: `category=scripts/page=2.json` is one of the family `category=…/page=….json`. */
function familyOf(key: string): string {
  const family = key.replace(/=[^/]*?(?=\.json$|\/)/g, "=…");
  return family.startsWith("api/") ? family : family.replace(/[0-9]+(?=\.)/, "…");
}

/** Google takes no SVG, and the demo store has no other pictures. */
function storeWithPhotos(): string {
  const store = seedDemo(temporaryFolder());
  const db = new Database(store);
  db.exec("UPDATE product_media SET url = REPLACE(url, '.svg', '.jpg')");
  db.close();
  return store;
}

/** A line a family, in order: how many files, a digest of their keys and ETags, and the family. */
function treeOf(out: string): string {
  const manifest = openManifest(layoutOf(out).manifest);
  const families = new Map<string, { files: number; readonly digest: ReturnType<typeof createHash> }>();
  try {
    for (const { key, etag } of manifest.entries()) {
      const family = familyOf(key);
      const found = families.get(family) ?? { files: 0, digest: createHash("sha256") };
      found.files += 1;
      found.digest.update(`${key} ${etag}\n`);
      families.set(family, found);
    }
  } finally {
    manifest.close();
  }
  const lines = [...families].map(
    ([family, { files, digest }]) =>
      `${String(files).padStart(7)} ${digest.digest("hex").slice(0, 16)} ${family}`,
  );
  return `${lines.join("\n")}\n`;
}

describe("the key and ETag of every file", () => {
  const folder = temporaryFolder();
  const built = async (name: string, store: string, config: PublicConfig) => {
    const out = join(folder, name);
    await buildQuietly(demoInputs(store, out, { config }));
    return out;
  };
  // Named, because bulk/index.json holds the configuration.
  const grid = { ...DEMO_CONFIG.grid, maxFiles: 250_000 };

  it.each([
    ["demo", () => built("demo", storeWithPhotos(), { ...DEMO_CONFIG, grid, feeds: FEEDS })],
    [
      "limited",
      () =>
        built("limited", sharedStore(150), {
          ...DEMO_CONFIG,
          grid: { depth: 0, maxFiles: 450, pages: 3 },
          pageSizes: [7],
        }),
    ],
    ["chinook", () => sharedSnapshot("chinook")],
  ])("is as it was for %s", async (name, snapshot) => {
    await expect(treeOf(await snapshot())).toMatchFileSnapshot(`${name}.txt`);
  });
});
