/** Publishing to a folder that a web server serves: a file for each key, each replaced as a whole. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, CONTROL_HEADERS, POINTER_KEY } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { parsePlace } from "../../src/publish/buckets/open.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { filesOf, missingDetails, OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const KEY = "api/v1/products/category=scripts/page=1.json";
const HEADERS = { contentType: "application/json", cacheControl: "", metadata: {} };

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "vitrine-www-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Files of a folder by their paths, without control objects. */
function served(place: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(place.length + 1);
    if (entry.isFile() && !key.startsWith(".vitrine/")) files.set(key, readFileSync(path));
  }
  return files;
}

describe("publish to a folder", () => {
  let shop: TinyShop;
  beforeAll(() => {
    shop = createTinyShop();
  });
  afterAll(() => shop.close());

  const rename = async (name: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build("directory");
  };

  function expectServed(place: string, snapshot: Snapshot): void {
    const expected = filesOf(snapshot);
    const found = served(place);
    expect([...found.keys()].sort()).toEqual([...expected.keys()]);
    for (const [key, bytes] of expected) expect(found.get(key)?.equals(bytes), key).toBe(true);
  }

  it("puts the files at their keys, and replaces the changed ones", async () => {
    const place = join(root, "www");
    await publish(await rename("One"), OPTIONS, portsOf(openDirectory(place)));
    const inodeOf = (key: string) => statSync(join(place, key)).ino;
    const [store, detail] = ["api/v1/store.json", `api/v1/product/slug=${shop.slugs[0]}.json`];
    const before = [inodeOf(store), inodeOf(detail)];
    const second = await rename("Two");
    await publish(second, OPTIONS, portsOf(openDirectory(place)));
    expectServed(place, second);
    expect(inodeOf(store)).toBe(before[0]);
    expect(inodeOf(detail)).not.toBe(before[1]);
    expect(readdirSync(place).sort()).toEqual([".vitrine", "api", "widgets"]);
    expect(readdirSync(join(place, ".vitrine")).filter((name) => name.startsWith("draft-"))).toEqual([]);
    expect(await publish(second, OPTIONS, portsOf(openDirectory(place)))).toMatchObject({
      outcome: "unchanged",
    });
  });

  it("needs of a file's handle only what Yarn's Plug'n'Play gives, too: it cannot sync, and `using` cannot close it", async () => {
    const handle = await open("package.json");
    const node = Object.getPrototypeOf(handle) as Record<string | symbol, unknown>;
    await handle.close();
    const [sync, dispose] = [node["sync"], node[Symbol.asyncDispose]];
    node["sync"] = () => {
      throw new Error("Method not implemented.");
    };
    Reflect.deleteProperty(node, Symbol.asyncDispose);
    try {
      const place = join(root, "plug");
      const snapshot = await rename("Plug");
      await publish(snapshot, OPTIONS, portsOf(openDirectory(place)));
      expectServed(place, snapshot);
    } finally {
      Object.assign(node, { sync, [Symbol.asyncDispose]: dispose });
    }
  });

  it("replaces foreign files at its keys only with adopt, and leaves all others", async () => {
    const snapshot = await rename("Foreign");
    const place = join(root, "foreign");
    const taken = [...filesOf(snapshot).keys()]
      .filter((key) => key.startsWith("api/v1/product/"))
      .slice(0, 12);
    for (const key of [...taken, "index.html", "api/v1/theirs.json"]) {
      mkdirSync(dirname(join(place, key)), { recursive: true });
      writeFileSync(join(place, key), "theirs");
    }
    const theirs = served(place);
    await expect(publish(snapshot, OPTIONS, portsOf(openDirectory(place)))).rejects.toMatchObject({
      code: "guard_refused",
      message: expect.stringMatching(/objects of others(.*\n)+ {2}api\/v1\/product\/.*\n(.*\n)*.*--adopt/),
    });
    expect(served(place)).toEqual(theirs);
    await publish(snapshot, { ...OPTIONS, adopt: true }, portsOf(openDirectory(place)));
    for (const key of ["index.html", "api/v1/theirs.json"]) {
      expect(readFileSync(join(place, key), "utf8")).toBe("theirs");
      rmSync(join(place, key));
    }
    expectServed(place, snapshot);
  });

  it("never lists a missing detail, wherever a publish dies, and the next one repairs", async () => {
    /** Dies before the write after the first ones. */
    const dying = (bucket: Bucket, at: number): Bucket => {
      let calls = 0;
      const guard =
        <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
        async (...args: Args) => {
          calls += 1;
          if (calls <= at) return work(...args);
          throw new Error("the machine died");
        };
      const { put, putIf, delete: remove } = bucket;
      return { ...bucket, put: guard(put), putIf: guard(putIf), delete: guard(remove) };
    };
    const larger = createTinyShop(8);
    try {
      const ready = join(root, "ready");
      const renameIn = (name: string) => {
        larger.sql(`UPDATE products SET name = '${name}' WHERE slug = '${larger.slugs[0]}'`);
        return larger.build("dies");
      };
      for (const name of ["One", "Two", "Three"])
        await publish(await renameIn(name), OPTIONS, portsOf(openDirectory(ready)));
      larger.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${larger.slugs[1]}'`);
      const after = await renameIn("After");
      let survived = false;
      for (let at = 0; !survived; at++) {
        const place = join(root, `dies-${at}`);
        cpSync(ready, place, { recursive: true, preserveTimestamps: true });
        survived = await publish(after, OPTIONS, portsOf(dying(openDirectory(place), at))).then(
          () => true,
          () => false,
        );
        expect(missingDetails(served(place))).toEqual([]);
        await publish(after, OPTIONS, portsOf(openDirectory(place), { isGone: () => true }));
        expectServed(place, after);
        expect(existsSync(join(place, ".vitrine/journal.json"))).toBe(false);
        rmSync(place, { recursive: true });
      }
    } finally {
      larger.close();
    }
  });

  it("lets one of two parallel publishers win", async () => {
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

describe("a file of a folder", () => {
  let places = 0;
  const openPlace = () => {
    places += 1;
    const place = join(root, `place-${places}`);
    return { place, file: join(place, KEY), bucket: openDirectory(place) };
  };

  it("is complete for readers at every moment while it is replaced", async () => {
    const { file, bucket } = openPlace();
    const versions = ["a", "b", "c"].map((letter, at) => Buffer.alloc(3_000_000 + at, letter));
    const [first = Buffer.alloc(0)] = versions;
    await bucket.put(KEY, first, HEADERS);
    let isDone = false;
    const seen = new Set<number>();
    const read = async () => {
      while (!isDone) {
        await using handle = await open(file);
        const bytes = await handle.readFile();
        const at = bytes.length - 3_000_000;
        if (versions[at]?.equals(bytes) !== true) throw new Error(`half a file: ${bytes.length} bytes`);
        seen.add(at);
      }
    };
    const reading = read();
    const write = async () => {
      for (let round = 0; round < 10 || (seen.size < versions.length && round < 500); round++)
        for (const version of versions) await bucket.put(KEY, version, HEADERS);
    };
    await write().finally(() => {
      isDone = true;
    });
    await reading;
    expect(seen.size).toBe(versions.length);
  });

  it("is at least a second younger than the one that it replaces, since nginx compares seconds", async () => {
    const { file, bucket } = openPlace();
    const secondOf = () => Math.floor(statSync(file).mtimeMs / 1000);
    const began = Math.floor(Date.now() / 1000);
    await bucket.put(KEY, Buffer.from("0"), HEADERS);
    for (let version = 1; version <= 3; version++) {
      const before = secondOf();
      await bucket.put(KEY, Buffer.from(`${version}`), HEADERS);
      expect(secondOf()).toBeGreaterThan(before);
    }
    expect(secondOf()).toBeGreaterThanOrEqual(began + 3);
    // An old one is replaced by one with the current time.
    utimesSync(file, 1_000_000_000, 1_000_000_000);
    // The kernel's clock for files may be a tick behind.
    const asked = Math.floor(Date.now() / 1000) - 1;
    await bucket.put(KEY, Buffer.from("new"), HEADERS);
    expect(secondOf()).toBeGreaterThanOrEqual(asked);
    expect(secondOf()).toBeLessThanOrEqual(Date.now() / 1000);
    // A journal's time is its age, so it is not changed.
    for (let round = 0; round < 5; round++) {
      await bucket.put(POINTER_KEY, Buffer.from(`${round}`), CONTROL_HEADERS);
      expect((await bucket.get(POINTER_KEY))?.ageSeconds).toBeGreaterThanOrEqual(-0.1);
    }
  });

  it("is deleted together with the folders that become empty, and no others", async () => {
    const { place, bucket } = openPlace();
    const beside = "api/v1/store.json";
    for (const key of [KEY, beside]) await bucket.put(key, Buffer.from("{}"), HEADERS);
    await bucket.delete([KEY, "api/v1/products/page=1.json", "never/there.json"]);
    expect(readdirSync(join(place, "api/v1"))).toEqual(["store.json"]);
    await bucket.delete([beside]);
    expect(readdirSync(place)).toEqual([".vitrine"]);
    rmSync(join(place, ".vitrine"), { recursive: true });
    await bucket.put(beside, Buffer.from("{}"), HEADERS);
    expect(readdirSync(place).sort()).toEqual([".vitrine", "api"]);
  });

  it("can be put while deletions empty its folder", async () => {
    const { bucket } = openPlace();
    const others = Array.from({ length: 50 }, (_, at) => KEY.replace("page=1", `page=${at + 2}`));
    for (const other of others) {
      await bucket.put(other, Buffer.from("{}"), HEADERS);
      await Promise.all([bucket.put(KEY, Buffer.from("mine"), HEADERS), bucket.delete([other])]);
      expect((await bucket.get(KEY))?.body.toString()).toBe("mine");
      await bucket.delete([KEY]);
    }
  });

  it("is unchanged if its draft cannot be made, and a dead process's draft is removed", async () => {
    const { place, bucket } = openPlace();
    await bucket.put(KEY, Buffer.from("old"), HEADERS);
    // An object is not bytes, so writing it fails.
    const broken = bucket.put(KEY, { length: 1 } as Buffer, HEADERS);
    await expect(broken).rejects.toThrow();
    expect((await bucket.get(KEY))?.body.toString()).toBe("old");
    expect(readdirSync(join(place, ".vitrine"))).toEqual([]);
    const [dead, alive] = ["draft-dead", "draft-alive"].map((name) => join(place, ".vitrine", name));
    for (const draft of [dead, alive]) writeFileSync(draft ?? "", "half");
    const longAgo = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(dead ?? "", longAgo, longAgo);
    await openDirectory(place).put(KEY, Buffer.from("new"), HEADERS);
    expect(readdirSync(join(place, ".vitrine"))).toEqual(["draft-alive"]);
  });

  it("replaces a link at its key instead of writing through it", async () => {
    const { place, file, bucket } = openPlace();
    const victim = join(root, "victim");
    writeFileSync(victim, "not yours");
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(victim, file);
    await bucket.put(KEY, Buffer.from("mine"), HEADERS);
    expect(readFileSync(victim, "utf8")).toBe("not yours");
    expect(readFileSync(join(place, KEY), "utf8")).toBe("mine");
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
    expect(parsePlace(text)).toEqual(target);
  });
  it.each([
    ...["shop", "s3:/shop", "file://srv/www", "https://shop.example"],
    ...["file:///srv/shop#1", "file:///srv/shop?1", "file:///srv/50%", "file:///srv%2Fwww"],
  ])("refuses %s", (text) => {
    expect(() => parsePlace(text)).toThrow(/not a place to publish to/);
  });
});
