/** Publishing to a directory that a web server serves: whole releases, hard links, one link that is swapped. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openDirectory } from "../../src/publish/targets/directory.ts";
import { parseTarget } from "../../src/publish/targets/open.ts";
import { filesOf, missingDetails, OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

describe("publish to a directory", () => {
  let shop: TinyShop;
  let root: string;
  beforeAll(() => {
    shop = createTinyShop();
    root = mkdtempSync(join(tmpdir(), "vitrine-www-"));
  });
  afterAll(() => {
    shop.close();
    rmSync(root, { recursive: true, force: true });
  });

  const rename = async (name: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build("directory");
  };

  function served(place: string): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    for (const entry of readdirSync(join(place, "current"), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(path.slice(join(place, "current").length + 1), readFileSync(path));
    }
    return files;
  }

  function expectServed(place: string, snapshot: Snapshot): void {
    const expected = filesOf(snapshot);
    const found = served(place);
    expect([...found.keys()].sort()).toEqual([...expected.keys()]);
    for (const [key, bytes] of expected) expect(found.get(key)?.equals(bytes), key).toBe(true);
  }

  it("does not put away what others serve there, unless it is told to adopt it", async () => {
    const snapshot = await rename("Foreign");
    for (const [name, make] of [
      ["folder", (at: string) => mkdirSync(at, { recursive: true })],
      ["link", (at: string) => symlinkSync(mkdtempSync(join(tmpdir(), "vitrine-theirs-")), at)],
    ] as const) {
      const place = join(root, `foreign-${name}`);
      mkdirSync(place);
      make(join(place, "current"));
      for (let at = 10; at < 22; at++) writeFileSync(join(place, `current/page-${at}.html`), "theirs");
      const theirs = served(place);
      await expect(publish(snapshot, OPTIONS, portsOf(openDirectory(place)))).rejects.toMatchObject({
        code: "guard_refused",
        message: expect.stringMatching(/(\n {2}page-\d\d\.html){10}\n {2}and more\n.*--adopt/),
      });
      expect(served(place)).toEqual(theirs);
      await publish(snapshot, { ...OPTIONS, adopt: true }, portsOf(openDirectory(place)));
      expectServed(place, snapshot);
      if (name === "folder")
        expect(readFileSync(join(place, ".vitrine/adopted/page-10.html"), "utf8")).toBe("theirs");
    }
  });

  it("holds each release whole, and links what did not change", async () => {
    const place = join(root, "www");
    const bucket = openDirectory(place);
    await publish(await rename("One"), OPTIONS, portsOf(bucket));
    const first = readlinkSync(join(place, "current"));
    const old = served(place);
    const second = await rename("Two");
    await publish(second, OPTIONS, portsOf(bucket));
    expectServed(place, second);
    expect(readlinkSync(join(place, "current"))).not.toBe(first);
    // The older release is as it was: nothing was written through a shared link.
    for (const [key, bytes] of old)
      expect(readFileSync(join(place, first, key)).equals(bytes), key).toBe(true);
    const store = "api/v1/store.json";
    expect(statSync(join(place, first, store)).ino).toBe(statSync(join(place, "current", store)).ino);
    expect(await publish(second, OPTIONS, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });
  });

  it("makes the next release of a tree that stands, from the first update on, with links to what changed", async () => {
    const place = join(root, "along");
    const larger = createTinyShop(25);
    try {
      const change = (sql: string) => {
        larger.sql(sql);
        return larger.build("along");
      };
      await publish(await larger.build("along"), OPTIONS, portsOf(openDirectory(place)));
      const [one, two, three] = larger.slugs;
      const whole = readlinkSync(join(place, "current")).split("/").at(-1) ?? "";
      const inodeOf = (folder: string) => statSync(join(place, folder, "api/v1")).ino;
      const [first, spare] = [inodeOf("current"), inodeOf(`.vitrine/spare/${whole}`)];
      const inodes: number[] = [];
      for (const sql of [
        `UPDATE products SET name = 'One' WHERE slug = '${one}'`,
        `UPDATE products SET slug = 'another-slug' WHERE slug = '${two}'`,
        `UPDATE products SET slug = '${two}' WHERE slug = 'another-slug'`,
        `UPDATE products SET name = 'Three' WHERE slug = '${three}'`,
      ]) {
        const snapshot = await change(sql);
        const bucket = openDirectory(place);
        await publish(snapshot, OPTIONS, portsOf(bucket));
        expectServed(place, snapshot);
        expect((await readLive(bucket)).parts.at(-1)?.kind).toBe("delta");
        inodes.push(inodeOf("current"));
        // Of the releases that are kept two are folders.
        expect(readdirSync(join(place, "releases")).length).toBe(2);
      }
      // Two trees in turn, the spare one first: nothing was walked, and nothing linked but what changed.
      expect(inodes).toEqual([spare, first, spare, first]);
      expect(readdirSync(join(place, ".vitrine"))).not.toContain("spare");
    } finally {
      larger.close();
    }
  });

  it("is live before the tree of the next release is made, which the next publish makes where this one died", async () => {
    const snapshot = await rename("Live");
    for (const isDone of [false, true]) {
      const place = join(root, `spare-${isDone}`);
      const bucket = openDirectory(place);
      const { folders } = bucket;
      const prepare = async (id: string) => {
        if (isDone) await folders?.prepare(id);
        throw new Error("the machine died");
      };
      const dying = { ...bucket, ...(folders && { folders: { ...folders, prepare } }) };
      await expect(publish(snapshot, OPTIONS, portsOf(dying))).rejects.toThrow("the machine died");
      expectServed(place, snapshot);
      const next = portsOf(openDirectory(place), { isGone: () => true });
      expect(await publish(snapshot, OPTIONS, next)).toMatchObject({ outcome: "unchanged" });
      const live = readlinkSync(join(place, "current")).split("/").at(-1) ?? "";
      expect(readdirSync(join(place, ".vitrine/spare"))).toEqual([live]);
    }
  });

  it("forgets releases beyond those that are kept", async () => {
    const place = join(root, "keep");
    for (const name of ["One", "Two", "Three"])
      await publish(await rename(name), { ...OPTIONS, keep: 2 }, portsOf(openDirectory(place)));
    expect(readdirSync(join(place, "releases")).map((id) => id.slice(0, 8))).toEqual([
      "00000002",
      "00000003",
    ]);
  });

  it("shows a whole release at every moment, wherever a publish dies, and the next one repairs", async () => {
    /** Dies at the n-th write: before it is done, or as soon as it is. */
    const dying = (bucket: Bucket, at: number, isDone: boolean): Bucket => {
      let calls = 0;
      const guard =
        <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
        async (...args: Args) => {
          calls += 1;
          if (calls <= at) return work(...args);
          if (isDone && calls === at + 1) await work(...args);
          throw new Error("the machine died");
        };
      const { put, putIf, delete: remove, folders } = bucket;
      if (folders === undefined) throw new Error("a directory has folders");
      return {
        ...bucket,
        put: guard(put),
        putIf: guard(putIf),
        delete: guard(remove),
        folders: {
          begin: guard(folders.begin),
          expose: guard(folders.expose),
          prepare: guard(folders.prepare),
          forget: guard(folders.forget),
          sweep: guard(folders.sweep),
        },
      };
    };
    const larger = createTinyShop(20);
    try {
      const ready = join(root, "ready");
      const renameIn = (name: string) => {
        larger.sql(`UPDATE products SET name = '${name}' WHERE slug = '${larger.slugs[0]}'`);
        return larger.build("dies");
      };
      for (const name of ["One", "Two", "Three"])
        await publish(await renameIn(name), OPTIONS, portsOf(openDirectory(ready)));
      const after = await renameIn("After");
      for (const isDone of [false, true]) {
        let survived = false;
        for (let at = 0; !survived; at++) {
          const place = join(root, `dies-${isDone}-${at}`);
          cpSync(ready, place, { recursive: true, verbatimSymlinks: true });
          survived = await publish(after, OPTIONS, portsOf(dying(openDirectory(place), at, isDone))).then(
            () => true,
            () => false,
          );
          const files = served(place);
          expect(missingDetails(files)).toEqual([]);
          expect(new Set([...files.keys()])).toEqual(new Set(filesOf(after).keys()));
          await publish(after, OPTIONS, portsOf(openDirectory(place), { isGone: () => true }));
          expectServed(place, after);
          expect((await readLive(openDirectory(place))).parts.at(-1)?.kind).toBe("delta");
          expect(existsSync(join(place, ".vitrine/journal.json"))).toBe(false);
        }
      }
    } finally {
      larger.close();
    }
  });

  it("lets one of two publishers through", async () => {
    const place = join(root, "race");
    const snapshots: Snapshot[] = [];
    for (const name of ["A", "B"]) {
      shop.sql(`UPDATE products SET name = 'Race ${name}' WHERE slug = '${shop.slugs[0]}'`);
      snapshots.push(await shop.build(`race-${name}`));
    }
    const results = await Promise.allSettled(
      snapshots.map((one) => publish(one, OPTIONS, portsOf(openDirectory(place)))),
    );
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    const lists = served(place);
    expect(
      snapshots.some((one) => [...filesOf(one)].every(([key, bytes]) => lists.get(key)?.equals(bytes))),
    ).toBe(true);
  });
});

describe("--to", () => {
  it.each([
    ["s3://shop", { kind: "s3", bucket: "shop", prefix: "" }],
    ["s3://shop/", { kind: "s3", bucket: "shop", prefix: "" }],
    ["s3://shop/a/b/", { kind: "s3", bucket: "shop", prefix: "a/b" }],
    ["file:///srv/www/", { kind: "directory", path: "/srv/www" }],
    ["file:///srv/shop%231", { kind: "directory", path: "/srv/shop#1" }],
  ])("%s", (text, target) => {
    expect(parseTarget(text)).toEqual(target);
  });
  it.each([
    ...["shop", "s3:/shop", "file://srv/www", "https://shop.example"],
    ...["file:///srv/shop#1", "file:///srv/shop?1", "file:///srv/50%", "file:///srv%2Fwww"],
  ])("refuses %s", (text) => {
    expect(() => parseTarget(text)).toThrow(/no place to publish to/);
  });
});
