/** The output folder and the published folder do not lie in each other. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { publishFolder } from "../../src/pipeline/publish.ts";
import { buildQuietly, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const shop = join(folder, "shop");
mkdirSync(shop);
const out = join(shop, "out");
await buildQuietly(demoInputs(seedSmall(shop), out));
symlinkSync(shop, join(folder, "link"));

const publishTo = (path: string) => publishFolder({ out, to: pathToFileURL(path).href });

it.each([
  [
    "the shop's folder, which has the store and the output folder",
    ["shop"],
    "could also serve what is private",
  ],
  ["the same, by a link", ["link"], "could also serve what is private"],
  ["a folder above it", [""], "could also serve what is private"],
  ["the output folder", ["shop", "out"], "could also serve what is private"],
  ["the snapshot's files", ["shop", "out", "site"], "a build replaces its files"],
  ["a folder in them", ["shop", "out", "site", "live"], "a build replaces its files"],
  ["the same, by a link", ["link", "out", "site", "live"], "a build replaces its files"],
])("%s is no place to publish to", async (_what, names, why) => {
  const place = join(folder, ...names);
  await expect(publishTo(place)).rejects.toMatchObject({
    code: "guard_refused",
    message: expect.stringMatching(new RegExp(`^${place} is no place to publish to: .*${why}`)),
  });
  expect(existsSync(join(place, ".vitrine"))).toBe(false);
  expect(existsSync(join(out, "site/live"))).toBe(false);
});

it.each([
  ["a folder beside it", ["shop", "live"]],
  ["a folder whose name begins like it", ["shop", "out-live"]],
  ["a folder in the output folder", ["shop", "out", "live"]],
])("%s is a place to publish to", async (_what, names) => {
  const place = join(folder, ...names);
  await publishTo(place);
  expect(existsSync(join(place, "api/v1/store.json"))).toBe(true);
});
