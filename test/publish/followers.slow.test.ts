/**
 * 84 followers of one place, through one history of publishes, rollbacks, erasures, kills, lost objects and repairs. They begin at any
 * time and sleep; publishes continue between two of their requests; caches show some of them older content; and some ask an origin
 * that lies. Whatever they get, they have the records of a release that was live, or what they had before and an error.
 *
 * A follower takes up what a valid pointer names, even if its number is lower than the last one's: a place that was emptied and published
 * to again begins with the first number. So an origin that shows an old pointer shows an old release, complete, until it shows another
 * one.
 */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { eraseAt } from "../../src/pipeline/erase.ts";
import { restoreRelease } from "../../src/pipeline/rollback.ts";
import { type Bucket, POINTER_KEY } from "../../src/publish/bucket.ts";
import { type Pointer, readLive } from "../../src/publish/documents.ts";
import { rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { releaseSource } from "../../src/publish/release-source.ts";
import { OBJECTS } from "../../src/release/objects.ts";
import { followBucket } from "../support/following.ts";
import { MemoryFollower, PREFIX } from "../support/forged-place.ts";
import { createFaultyMemory, expectLive, expectObjects, memoryAt, portsOf } from "../support/publishing.ts";
import { type Random, randomOf } from "../support/random.ts";
import { createTinyShop, SILENT, type TinyShop } from "../support/tiny-shop.ts";

const FOLLOWERS = 84;
/** How many follow as a server does, with threads and files. */
const SERVERS = 4;
const STEPS = 24;

function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** What followers can see of the place, after each change. */
type Instant = ReadonlyMap<string, Buffer>;
const instants: Instant[] = [];
/** Catalogs that were live, with the time since when. */
const lived = new Map<string, number>();
const met = new Map<string, number>();
const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);

let shop: TinyShop;
let folder: string;
let last: Snapshot;

function keepInstant(shadow: ReadonlyMap<string, Buffer>): void {
  const seen = [...shadow].flatMap(([key, body]): [string, Buffer][] => {
    const own = key.slice(PREFIX.length + 1);
    return own === POINTER_KEY || own.startsWith(OBJECTS) ? [[own, body]] : [];
  });
  const before = instants.at(-1);
  if (before?.size === seen.length && seen.every(([key, body]) => before.get(key) === body)) return;
  instants.push(new Map(seen));
  const pointer = seen.find(([key]) => key === POINTER_KEY)?.[1];
  if (pointer === undefined) return;
  const digest = (JSON.parse(pointer.toString()) as Pointer).releases[0]?.catalogDigest ?? "";
  if (!lived.has(digest)) lived.set(digest, instants.length - 1);
}

/** One history, by a seed: each step is done once, then as often as the random numbers say. */
async function makeHistory(random: Random): Promise<void> {
  const store = createFaultyMemory();
  store.changed = keepInstant;
  const bucket = memoryAt(store, PREFIX);
  const ports = () => portsOf(bucket, { isGone: () => true });
  const rules = (more: Parameters<typeof rulesOf>[0] = {}) =>
    rulesOf({
      leaseSeconds: 30,
      waitSeconds: 0,
      allowShrink: 1000,
      resume: true,
      keep: 1 + below(random, 4),
      ...more,
    });
  const edit = async (): Promise<Snapshot> => {
    const slug = shop.slugs[1 + below(random, shop.slugs.length - 1)];
    const edits = [
      `UPDATE products SET regular_price_minor = ${1000 + below(random, 5000)} WHERE slug = '${slug}'`,
      `UPDATE products SET name = 'Name ${below(random, 1000)}' WHERE slug = '${slug}'`,
      `UPDATE products SET status = CASE status WHEN 'draft' THEN 'published' ELSE 'draft' END WHERE slug = '${slug}'`,
    ];
    shop.sql(edits[below(random, edits.length)] ?? "");
    last = await shop.build(random() < 0.5 ? "one" : "two");
    return last;
  };
  const steps: Record<string, () => Promise<unknown>> = {
    publish: async () => publish(await edit(), rules(), ports()),
    "publish of one release": async () => publish(await edit(), rules({ keep: 1 }), ports()),
    kill: async () => {
      const at = below(random, 50);
      store.reset();
      store.fault = (n) => (n === at ? "dead" : null);
      await publish(await edit(), rules(), ports()).catch(() => meet("publish killed"));
      store.reset();
      if (random() < 0.7) await publish(await edit(), rules(), ports());
      else await publish(last, rules(), ports());
    },
    rollback: async () => {
      const { releases } = await readLive(bucket);
      if (releases.length < 2) return;
      const { snapshot, id } = await restoreRelease(
        bucket,
        undefined,
        mkdtempSync(join(folder, "rollback-")),
        SILENT,
      );
      last = snapshot;
      await publish(snapshot, rules({ rollbackOf: id, resume: false, keep: 4 }), ports());
    },
    loss: async () => {
      const keys = [...store.upstream.objects.keys()].filter((key) => key.startsWith(`${PREFIX}/${OBJECTS}`));
      for (let lost = 1 + below(random, 3); lost > 0; lost--) {
        const key = keys[below(random, keys.length)] ?? "";
        store.upstream.objects.delete(key);
        store.shadow.delete(key);
        store.changed(store.shadow);
      }
      if (random() < 0.5) await edit();
      await publish(last, rules({ repair: true }), ports());
      await expectObjects(bucket, last);
    },
    erase: async () => {
      // After a rollback, erasing is refused until something is published.
      if ((await readLive(bucket)).held === true) return;
      const snapshot = await edit();
      const inputs = { out: "", config: snapshot.config } as never;
      await eraseAt(ports(), snapshot, {
        sought: { text: `Name ${below(random, 1000)} that is gone` },
        inputs,
        allowShrink: 1000,
      });
    },
  };
  const names = Object.keys(steps);
  await steps["publish"]?.();
  for (let step = 0; step < STEPS; step++) {
    const name = names[step < names.length ? step : below(random, names.length)] ?? "publish";
    await steps[name]?.();
    meet(name);
    await expectLive(store.upstream, PREFIX, last);
  }
  last = await edit();
  await publish(last, rules(), ports());
  await expectLive(store.upstream, PREFIX, last);
  await expectObjects(bucket, last);
}

beforeAll(async () => {
  shop = createTinyShop(8);
  folder = mkdtempSync(join(tmpdir(), "vitrine-followers-"));
  await makeHistory(randomOf(45));
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const KINDS = ["prompt", "slow", "behind caches", "of a liar"] as const;
type Kind = (typeof KINDS)[number];

/** The place as one follower sees it: time passes between its requests. */
class SeenPlace {
  readonly #random: Random;
  readonly #kind: Kind;
  #now: number;
  isSound = false;

  constructor(random: Random, kind: Kind) {
    this.#random = random;
    this.#kind = kind;
    this.#now = below(random, instants.length);
  }

  get now(): number {
    return this.#now;
  }

  get isOver(): boolean {
    return this.#now >= instants.length - 1;
  }

  pass(most: number): void {
    this.#now = Math.min(instants.length - 1, this.#now + below(this.#random, most + 1));
  }

  becomeSound(): void {
    this.isSound = true;
    this.#now = instants.length - 1;
  }

  readonly bucket = {
    url: "memory://shop",
    get: async (key: string) => {
      const body = this.isSound ? instants.at(-1)?.get(key) : this.#read(key);
      return body === undefined ? null : { body, headers: null, etag: hash("md5", body), ageSeconds: 0 };
    },
  } as Partial<Bucket> as Bucket;

  #read(key: string): Buffer | undefined {
    const random = this.#random;
    if (this.#kind === "slow") this.pass(6);
    const isOld = this.#kind === "behind caches" || this.#kind === "of a liar" ? random() < 0.3 : false;
    const at = isOld ? Math.max(0, this.#now - below(random, instants.length / 2)) : this.#now;
    const instant = instants[at];
    const body = instant?.get(key);
    if (this.#kind !== "of a liar" || body === undefined || random() < 0.8) return body;
    const others = [...(instant?.values() ?? [])];
    const lies: readonly (() => Buffer | undefined)[] = [
      () => undefined,
      () => Buffer.alloc(0),
      () => body.subarray(0, below(random, body.length)),
      () => others[below(random, others.length)],
      () => Buffer.from(body).fill(7, below(random, body.length)),
      () => Buffer.concat([body, body]),
      () => Buffer.from("<html>Sign in to this network</html>"),
    ];
    return lies[below(random, lies.length)]?.();
  }
}

interface Looking {
  readonly digest: string | null;
  look(): Promise<unknown>;
}

/** Each look ends with a release that was live, or with an error and the previous records. */
async function followThrough(follower: Looking, place: SeenPlace, who: string): Promise<void> {
  while (!place.isOver) {
    const before = follower.digest;
    const error: unknown = await follower.look().then(
      () => null,
      (failure: unknown) => failure,
    );
    const after = follower.digest;
    if (error !== null) {
      expect(error, `${who}: ${(error as Error).stack}`).toBeInstanceOf(VitrineError);
      expect(["remote_invalid", "remote_failed", "usage"], who).toContain((error as VitrineError).code);
      expect(after, who).toBe(before);
      meet("look refused");
    } else {
      expect(lived.get(after ?? "") ?? Number.POSITIVE_INFINITY, who).toBeLessThanOrEqual(place.now);
      meet(after === before ? "look at the same" : "look at another");
    }
    place.pass(instants.length / 5);
  }
  place.becomeSound();
  await follower.look();
  expect(follower.digest, who).toBe(last.manifest.meta["catalog_digest"]);
}

describe("followers that begin at any time, sleep, and are lied to", () => {
  it("end with the same records, and only ever had a release's", async () => {
    for (let seed = 1; seed <= FOLLOWERS - SERVERS; seed++) {
      const random = randomOf(seed);
      const kind = KINDS[seed % KINDS.length] ?? "prompt";
      const place = new SeenPlace(random, kind);
      const home = join(folder, "follower");
      const follower = new MemoryFollower(releaseSource(place.bucket), home);
      await followThrough(follower, place, `follower ${seed}, ${kind}`);
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("do the same as servers", async () => {
    const followOne = async (seed: number) => {
      const random = randomOf(1000 + seed);
      const kind = KINDS[seed % KINDS.length] ?? "prompt";
      const place = new SeenPlace(random, kind);
      const home = join(folder, `server-${seed}`);
      let server: Awaited<ReturnType<typeof followBucket>> | null = null;
      const looking: Looking = {
        get digest() {
          if (server === null) return null;
          using catalog = openCatalog(server.file());
          return catalog.digest;
        },
        async look() {
          if (server === null) server = await followBucket(place.bucket, home);
          else await server.look();
        },
      };
      await followThrough(looking, place, `server ${seed}, ${kind}`);
      await (server as { stop(): Promise<void> } | null)?.stop();
    };
    await Promise.all(Array.from({ length: SERVERS }, (_, seed) => followOne(seed)));
  });

  it("met every planned situation", () => {
    expect(instants.length).toBeGreaterThan(STEPS * 5);
    const least = {
      publish: 5,
      "publish of one release": 1,
      kill: 1,
      "publish killed": 1,
      rollback: 1,
      loss: 1,
      erase: 1,
    };
    for (const [what, count] of Object.entries(least))
      expect(met.get(what) ?? 0, what).toBeGreaterThanOrEqual(count);
    expect(met.get("look refused") ?? 0).toBeGreaterThan(FOLLOWERS / 2);
    expect(met.get("look at another") ?? 0).toBeGreaterThan(FOLLOWERS);
  });
});
