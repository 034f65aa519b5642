/** Plans of what a build would make. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planBuild } from "../../src/pipeline/plan.ts";
import { withOut } from "../../src/site/out.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

it("is made while a build holds the output folder, and writes nothing there", async () => {
  const inputs = demoInputs(seedDemo(folder), join(folder, "out"), { config: SMALL_CONFIG });
  const own = join(folder, "plan");
  mkdirSync(own);
  await withOut(inputs.out, {}, async () => {
    const before = readdirSync(inputs.out, { recursive: true });
    const { files, products } = await planBuild(inputs, own);
    expect(products).toBeGreaterThan(100);
    expect(files).toBeGreaterThan(1000);
    expect(readdirSync(inputs.out, { recursive: true })).toEqual(before);
  });
});

it("weighs what a build makes to the byte, while no list is cut: answers, pages, feeds and widgets", async () => {
  const inputs = demoInputs(seedDemo(temporaryFolder()), join(folder, "built"), {
    config: { ...SMALL_CONFIG, pages: false, grid: { ...SMALL_CONFIG.grid, pages: "all" } },
  });
  const own = join(folder, "plan-of-all");
  mkdirSync(own);
  const plan = await planBuild(inputs, own);
  const { files, sizeBytes } = await buildQuietly(inputs);
  expect({ files: plan.files, sizeBytes: plan.sizeBytes }).toEqual({ files, sizeBytes });
  const listed = plan.bands.filter(({ kept }) => kept).reduce((sum, band) => sum + band.files, 0);
  expect(listed + plan.pages.files).toBe(files);
});
