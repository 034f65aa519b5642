/** A folder target that others may write to: what they put there, and when, leads nobody out of it and keeps nobody waiting. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openDirectory } from "../../src/publish/targets/directory.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

let shop: TinyShop;
let folder: string;
let ready: string;
let next: Snapshot;
/** Of the live release, and of the one before it. */
let live: string;
let older: string;

beforeAll(async () => {
  shop = createTinyShop(25);
  folder = mkdtempSync(join(tmpdir(), "vitrine-hostile-"));
  ready = join(folder, "ready");
  const reprice = (price: number) => {
    shop.sql(`UPDATE products SET regular_price_minor = ${price} WHERE slug = '${shop.slugs[0]}'`);
    return shop.build("hostile");
  };
  for (const price of [1001, 1002])
    await publish(await reprice(price), OPTIONS, portsOf(openDirectory(ready)));
  next = await reprice(1003);
  live = basename(readlinkSync(join(ready, "current")));
  older = readdirSync(join(ready, "releases")).find((name) => name !== live) ?? "";
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

let places = 0;

function makePlace(): { readonly place: string; readonly victim: string; isTouched(): boolean } {
  places += 1;
  const room = join(folder, `room-${places}`);
  const [place, victim] = [join(room, "place"), join(room, "victim")];
  cpSync(ready, place, { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(victim, "api/v1"), { recursive: true });
  mkdirSync(join(victim, "empty"));
  writeFileSync(join(victim, "api/v1/store.json"), "not yours");
  writeFileSync(join(victim, "current.json"), "not yours");
  const state = () =>
    readdirSync(victim, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const { ino, mtimeMs } = statSync(path);
        return `${path} ${ino} ${mtimeMs} ${lstatSync(path).isFile() ? readFileSync(path, "utf8") : ""}`;
      })
      .join("\n");
  const before = state();
  return { place, victim, isTouched: () => state() !== before };
}

/** Puts a link, to where its second argument says, in the place of what stands at a path. */
function plant(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

const publishTo = (place: string) =>
  publish(next, OPTIONS, portsOf(openDirectory(place))).then(
    () => null,
    (error: unknown) => error,
  );

describe("links that others planted", () => {
  it.each<[string, (place: string, victim: string) => void]>([
    ["releases", (place, victim) => plant(join(place, "releases"), victim)],
    ["the live release", (place, victim) => plant(join(place, "releases", live), victim)],
    ["the release before", (place, victim) => plant(join(place, "releases", older), victim)],
    ["a folder of the live release", (place, victim) => plant(join(place, "releases", live, "api"), victim)],
    [
      "a folder of the release before",
      (place, victim) => plant(join(place, "releases", older, "api"), join(victim, "api")),
    ],
    ["current", (place, victim) => plant(join(place, "current"), victim)],
    [".vitrine", (place, victim) => plant(join(place, ".vitrine"), victim)],
    [".vitrine/releases", (place, victim) => plant(join(place, ".vitrine/releases"), victim)],
    [".vitrine/spare", (place, victim) => plant(join(place, ".vitrine/spare"), victim)],
    [
      "the pointer",
      (place, victim) => plant(join(place, ".vitrine/current.json"), join(victim, "current.json")),
    ],
    [
      "the journal",
      (place, victim) => plant(join(place, ".vitrine/journal.json"), join(victim, "current.json")),
    ],
    ["the lock", (place, victim) => plant(join(place, ".vitrine/lock.sqlite"), join(victim, "current.json"))],
    [
      "the next drafts",
      (place, victim) => {
        for (let draft = 1; draft < 2000; draft++)
          plant(join(place, `.vitrine/draft-${process.pid}-${draft}`), join(victim, "current.json"));
        plant(join(place, `.vitrine/current-${process.pid}`), join(victim, "current.json"));
      },
    ],
  ])("as %s lead nowhere", async (_, forge) => {
    const { place, victim, isTouched } = makePlace();
    forge(place, victim);
    const error = await publishTo(place);
    if (error !== null) {
      expect(error).toBeInstanceOf(VitrineError);
      expect(error).toMatchObject({ exitCode: expect.toBeOneOf([5]) });
    }
    expect(isTouched(), String(error)).toBe(false);
  });

  it("put in place while a release is made or removed lead nowhere either", async () => {
    for (const work of ["forget", "begin", "take over", "sweep"] as const) {
      const { place, victim, isTouched } = makePlace();
      let swapped = false;
      // At the first file that is handled, the folder that is worked in becomes a link.
      const swap = () => {
        if (swapped) return;
        swapped = true;
        for (const release of readdirSync(join(place, "releases"))) {
          const api = join(place, "releases", release, "api");
          if (!existsSync(api)) continue;
          renameSync(api, join(place, "releases", release, "moved"));
          symlinkSync(join(victim, "api"), api);
        }
      };
      const { folders } = openDirectory(place, swap);
      const keys = ["api/v1/store.json", "api/v1/openapi.json", "api/v1/index.json"];
      const since = { id: older, keys, folders: [] };
      await (work === "forget"
        ? folders?.forget([older])
        : work === "sweep"
          ? folders?.sweep(live, [])
          : folders?.begin("00000009-0123456789ab", { id: live, since: work === "begin" ? null : since })
      )?.catch((error: unknown) => expect(error, work).toMatchObject({ exitCode: 5 }));
      expect(swapped, work).toBe(true);
      expect(isTouched(), work).toBe(false);
    }
  });

  it("are swept away where they stand among what belongs to no release, and what they lead to stays", async () => {
    const { place, victim, isTouched } = makePlace();
    const parts = readdirSync(join(place, ".vitrine/releases"));
    const released = readdirSync(join(place, "releases", live), { recursive: true }).sort();
    const [part = ""] = parts;
    const others = ["own.txt", ".vitrine/theirs.txt", `releases/${live}/theirs.txt`];
    for (const name of others) writeFileSync(join(place, name), "theirs");
    for (const root of ["releases", ".vitrine/releases"]) {
      const at = join(place, root);
      plant(join(at, "to a folder"), victim);
      plant(join(at, "to a file"), join(victim, "current.json"));
      plant(join(at, "to nothing"), join(victim, "none"));
      plant(join(at, "to the root"), "/");
      plant(join(at, "to the place"), place);
      execFileSync("mkfifo", [join(at, "pipe")]);
      mkdirSync(join(at, "folder/below"), { recursive: true });
      plant(join(at, "folder/below/link"), join(victim, "api"));
      plant(join(at, "folder/link"), "..");
      for (const name of ["a\nb", "-rf", "..x", "ä", "folder/below/file"])
        writeFileSync(join(at, name), "theirs");
    }
    plant(join(place, "releases", older, "api/link"), join(victim, "api"));
    plant(join(place, ".vitrine/spare"), join(victim, "api"));
    plant(join(place, ".vitrine/draft-1-1"), join(victim, "current.json"));
    plant(join(place, ".vitrine/draft-folder"), join(victim, "empty"));
    mkdirSync(join(place, ".vitrine/draft-2-2/below"), { recursive: true });
    plant(join(place, ".vitrine/draft-2-2/below/link"), victim);

    await openDirectory(place).folders?.sweep(live, parts);
    expect(isTouched()).toBe(false);
    expect(readdirSync(join(place, "releases"))).toEqual([live]);
    expect(readdirSync(join(place, ".vitrine/releases"))).toEqual(parts);
    expect(readdirSync(join(place, ".vitrine/releases", part)).length).toBeGreaterThan(0);
    expect(readdirSync(join(place, ".vitrine")).filter((name) => /^(draft|spare)/.test(name))).toEqual([]);
    for (const name of others) expect(readFileSync(join(place, name), "utf8"), name).toBe("theirs");
    rmSync(join(place, "releases", live, "theirs.txt"));
    expect(readdirSync(join(place, "releases", live), { recursive: true }).sort()).toEqual(released);
    expect(await publishTo(place)).toBeNull();
  });

  it.each(["releases", ".vitrine", ".vitrine/releases"])(
    "as the folder that is swept are refused: %s",
    async (name) => {
      const { place, victim } = makePlace();
      mkdirSync(join(victim, "releases"));
      writeFileSync(join(victim, "draft-1"), "not yours");
      const before = readdirSync(victim, { recursive: true }).sort();
      plant(join(place, name), victim);
      const swept = openDirectory(place).folders?.sweep(live, [live]);
      await expect(swept).rejects.toMatchObject({
        code: "remote_invalid",
        message: expect.stringContaining(name),
      });
      expect(readdirSync(victim, { recursive: true }).sort()).toEqual(before);
      expect(readFileSync(join(victim, "current.json"), "utf8")).toBe("not yours");
    },
  );

  it("and pipes keep nobody waiting", async () => {
    for (const name of ["current.json", "journal.json", "lock.sqlite"]) {
      const { place } = makePlace();
      rmSync(join(place, ".vitrine", name), { force: true });
      execFileSync("mkfifo", [join(place, ".vitrine", name)]);
      expect(await publishTo(place), name).toMatchObject({
        code: "remote_invalid",
        message: expect.stringContaining(name),
      });
    }
  });
});

describe("paths that lead out", () => {
  it.each([
    "../victim/current.json",
    ".vitrine/../../victim/current.json",
    "api/../../../../victim/current.json",
    "/etc/hostname",
    "api//v1.json",
    "",
  ])("are refused by the target itself: %s", async (key) => {
    const { place, isTouched } = makePlace();
    const bucket = openDirectory(place);
    const refused = { code: "remote_invalid", exitCode: 5 };
    await bucket.folders?.begin("00000009-0123456789ab", null);
    await expect(
      bucket.put(key, Buffer.from("x"), { contentType: "", cacheControl: "", metadata: {} }),
    ).rejects.toMatchObject(refused);
    await expect(bucket.delete([key])).rejects.toMatchObject(refused);
    await expect(bucket.get(key)).rejects.toMatchObject(refused);
    for (const id of ["../../victim", "..", ""])
      await expect(bucket.folders?.forget([id])).rejects.toMatchObject(refused);
    expect(isTouched()).toBe(false);
  });
});
