/** The output folder and the published folder do not lie in each other, and no store in the published folder. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { watchOnce } from "../../src/pipeline/once.ts";
import { publishFolder } from "../../src/pipeline/publish.ts";
import { buildQuietly, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const shop = join(folder, "shop");
mkdirSync(shop);
const out = join(shop, "out");
const store = seedSmall(shop);
await buildQuietly(demoInputs(store, out));
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

it.each([
  ["in it", (web: string) => join(web, "shop.sqlite")],
  ["in a folder of it", (web: string) => join(web, "data/shop.sqlite")],
  [
    "elsewhere, and a link in it leads there",
    (web: string) => {
      symlinkSync(store, join(web, "link.sqlite"));
      return join(web, "link.sqlite");
    },
  ],
  [
    "behind a link that leads into it",
    (web: string) => {
      const link = `${web}.sqlite`;
      symlinkSync(join(web, "shop.sqlite"), link);
      return link;
    },
  ],
])("a folder is no place to publish to if the store is %s", async (_what, placeStore) => {
  const web = mkdtempSync(join(folder, "web-"));
  mkdirSync(join(web, "data"));
  for (const name of ["shop.sqlite", "data/shop.sqlite"]) copyFileSync(store, join(web, name));
  const configFile = `${web}.json`;
  const placed = placeStore(web);
  const addresses = { baseUrl: "https://api.shop.example/api/v1", siteUrl: "https://shop.example" };
  writeFileSync(configFile, JSON.stringify({ ...addresses, store: placed, out }));
  const to = pathToFileURL(web).href;
  const refusal = {
    code: "guard_refused",
    message: expect.stringContaining(`${web} is no place to publish to: the store `),
  };
  await expect(publishFolder({ configFile, to })).rejects.toMatchObject(refusal);
  await expect(publishFolder({ configFile, out, to })).rejects.toMatchObject(refusal);
  const never = () => Promise.reject(new Error("it began"));
  const ports = { build: never, built: () => undefined, publish: never, countObjects: never };
  await expect(watchOnce(demoInputs(placed, out), ports, { to })).rejects.toMatchObject(refusal);
  expect(existsSync(join(web, ".vitrine"))).toBe(false);
});

it("no store and no SQL files are read from a snapshot's files", async () => {
  const own = mkdtempSync(join(folder, "own-"));
  const inputs = demoInputs(store, join(own, "out"));
  await buildQuietly(inputs);
  const inSite = join(own, "out/site/shop.sqlite");
  copyFileSync(store, inSite);
  cpSync(inputs.queries, join(own, "out/site/queries"), { recursive: true });
  for (const wrong of [{ store: inSite }, { queries: join(own, "out/site/queries") }])
    await expect(buildQuietly({ ...inputs, ...wrong })).rejects.toMatchObject({
      code: "guard_refused",
      message: expect.stringContaining("which a web server serves: everybody could read it"),
    });
});
