/** The object in workerd follows releases: all of one or all of the other, whatever happens meanwhile. */
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { planEdge } from "../../src/edge/edges.ts";
import { openCdn, planPurge, purgeOfAll, runPurge } from "../../src/publish/purge.ts";
import { nameOfObject } from "../../src/release/objects.ts";
import { answerMiss } from "../../src/serve/answer.ts";
import { catalogsAfter } from "../support/changed-catalogs.ts";
import { type Random, randomOf } from "../support/random.ts";
import { DEMO_CONFIG, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { ObjectHost, type Release, releaseFrom, SECRET } from "./host.ts";
import { randomTarget } from "./queries.ts";

const SECRET_WORDS = "Withdrawn by its author Quixotella";
const folder = temporaryFolder();
/** The shop at first, and after each of some changes of its database. */
const CHANGES = {
  first: `DELETE FROM reviews WHERE id % 4 > 0; DELETE FROM threads WHERE id > 25;
    DELETE FROM posts WHERE thread_id > 25; DELETE FROM releases WHERE id % 3 > 0;
    UPDATE reviews SET body = '${SECRET_WORDS}' WHERE id = (SELECT MIN(r.id) FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.status = 'approved' AND p.status = 'published')`,
  price: "UPDATE products SET regular_price_minor = 1234 WHERE slug = 'invoice-kit'",
  // Two products change their slugs, and a third takes one of the old ones.
  slugs: `UPDATE products SET slug = 'kit-between' WHERE slug = 'invoice-kit';
    UPDATE products SET slug = 'invoice-kit' WHERE slug = 'invoice-kit-pro';
    UPDATE products SET slug = 'invoice-kit-pro' WHERE slug = 'kit-between'`,
  erased: `DELETE FROM reviews WHERE body = '${SECRET_WORDS}'`,
  fewer: "UPDATE products SET status = 'draft' WHERE id % 2 = 0; DELETE FROM reviews WHERE id % 3 > 0",
} as const;
type Step = keyof typeof CHANGES;
const releases = {} as Record<Step, Release>;
const catalogs = {} as Record<Step, Catalog>;

beforeAll(async () => {
  for (const [step, file] of Object.entries(await catalogsAfter(folder, CHANGES)) as [Step, string][]) {
    // Few records a partition, so that a first fetch has many.
    releases[step] = releaseFrom(file, 4);
    catalogs[step] = openCatalog(file);
  }
}, 120_000);

afterAll(() => {
  for (const catalog of Object.values(catalogs)) catalog.close();
});

/** The number of a seeded query's answers that are not those of any of these releases; 503 counts as none. */
async function wrongAnswers(
  host: ObjectHost,
  steps: readonly Step[],
  count: number,
  random: Random = randomOf(7),
): Promise<string[]> {
  const wrong: string[] = [];
  const [first = "first"] = steps;
  for (let at = 0; at < count; at += 20) {
    const targets = Array.from({ length: 20 }, () => randomTarget(random, catalogs[first]));
    await Promise.all(
      targets.map(async (target) => {
        const reply = await host.ask(target);
        const body = Buffer.from(await reply.arrayBuffer());
        const isRight = steps.some((step) => {
          const wanted = answerMiss(catalogs[step], target);
          return (
            wanted.status === reply.status &&
            wanted.body.equals(body) &&
            (wanted.headers["ETag"] ?? null) === reply.headers.get("etag") &&
            (wanted.headers["X-Corrected-Search"] ?? null) === reply.headers.get("x-corrected-search")
          );
        });
        if (!isRight) wrong.push(`${reply.status} ${target}`);
      }),
    );
  }
  return wrong;
}

/** The files in which workerd keeps the storage of objects that have tables of ours. */
function storagesIn(home: string): string[] {
  const folder = join(home, "objects");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".sqlite"),
  );
  return files
    .map((name) => join(folder, name))
    .filter((file) => {
      const db = new Database(file);
      const found = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'object_state'").get();
      db.close();
      return found !== undefined;
    });
}

describe("an object", { timeout: 300_000 }, () => {
  it("answers the bytes of the fallback, release after release, says when it is ready and what it counts", async () => {
    await using host = await ObjectHost.start();
    expect((await host.ask("/api/v1/search?q=kit")).status).toBe(503);
    expect((await host.ready()).status).toBe("no_release");
    let id = "";
    for (const [at, step] of (["first", "price", "slugs", "fewer", "first"] as const).entries()) {
      id = await host.publish(releases[step]);
      await host.following(id);
      expect(await wrongAnswers(host, [step], 80, randomOf(at)), step).toEqual([]);
    }
    expect(await host.ready()).toMatchObject({ status: "ok", release: id, reason: null });
    const metrics = await host.metrics();
    expect(metrics).toMatch(/^vitrine_requests_total\{code="200"\} \d+$/m);
    expect(metrics).toMatch(/^vitrine_object_rows_written_total [1-9]\d+$/m);
  });

  it("follows also if it is only asked whether it is ready", async () => {
    await using host = await ObjectHost.start();
    await host.publish(releases.first);
    await until("readiness", async () => (await host.ready()).status === "ok");
  });

  it("goes on wherever it was killed, and answers the old release or the new one", async () => {
    const home = join(folder, "killed");
    let host = await ObjectHost.start({ folder: home });
    await host.following(await host.publish(releases.fewer));
    const id = await host.publish(releases.first);
    const random = randomOf(3);
    let kills = 0;
    for (; kills < 4; kills++) {
      const asked = host.notify().catch(() => 0);
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      const wrong = await wrongAnswers(host, ["fewer", "first"], 20, random);
      expect(wrong).toEqual([]);
      await host[Symbol.asyncDispose]();
      await asked;
      host = await ObjectHost.start({ folder: home });
    }
    await host.following(id);
    expect(await wrongAnswers(host, ["first"], 80)).toEqual([]);
    await host[Symbol.asyncDispose]();
  });

  it("answers what is in its storage after a cold start, while the place cannot be read", async () => {
    const home = join(folder, "cold");
    {
      await using host = await ObjectHost.start({ folder: home });
      await host.following(await host.publish(releases.first));
      await host.putFile(".vitrine/current.json", "{");
    }
    await using host = await ObjectHost.start({ folder: home });
    expect(await wrongAnswers(host, ["first"], 40)).toEqual([]);
    expect(await host.ready()).toMatchObject({ status: "poll_too_old", reason: "remote_invalid" });
  });

  it("fetches the release again if another version of the Worker filled its tables", async () => {
    const home = join(folder, "version");
    let id = "";
    {
      await using host = await ObjectHost.start({ folder: home });
      id = await host.publish(releases.first);
      await host.following(id);
    }
    for (const file of storagesIn(home)) {
      const db = new Database(file);
      db.exec(
        "UPDATE object_state SET value = '\"older\"' WHERE name = 'schema'; ALTER TABLE product ADD COLUMN more",
      );
      db.close();
    }
    await using host = await ObjectHost.start({ folder: home });
    await host.following(id);
    expect(await wrongAnswers(host, ["first"], 40)).toEqual([]);
  });

  it("keeps no text of a withdrawn record in any row", async () => {
    const home = join(folder, "erased");
    {
      await using host = await ObjectHost.start({ folder: home });
      await host.following(await host.publish(releases.slugs));
      await host.following(await host.publish(releases.erased));
    }
    const rows: string[] = [];
    for (const file of storagesIn(home)) {
      const db = new Database(file);
      const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'";
      for (const table of db.prepare<[], string>(sql).pluck().all())
        for (const row of db.prepare<[], unknown[]>(`SELECT * FROM "${table}"`).raw().all())
          rows.push(row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString("latin1") : cell)).join(" "));
      db.close();
    }
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => /Quixotella/i.test(row))).toEqual([]);
  });

  it("answers 300 requests at once while it follows a whole release, each from one release", async () => {
    await using host = await ObjectHost.start();
    await host.following(await host.publish(releases.fewer));
    const id = await host.publish(releases.first);
    const notified = host.notify();
    const asked = Array.from({ length: 15 }, (_, at) =>
      wrongAnswers(host, ["first", "fewer"], 20, randomOf(at)),
    );
    expect((await Promise.all(asked)).flat()).toEqual([]);
    expect(await notified).toBe(204);
    await host.following(id);
    expect(await wrongAnswers(host, ["first"], 40)).toEqual([]);
  });

  it("is evicted while it follows, and goes on", async () => {
    await using host = await ObjectHost.start();
    await host.following(await host.publish(releases.fewer));
    const id = await host.publish(releases.first);
    const random = randomOf(5);
    for (let evictions = 0; evictions < 4; evictions++) {
      const notified = host.notify().catch(() => 0);
      const wrong = wrongAnswers(host, ["fewer", "first"], 20, random);
      await host.evict();
      expect(await wrong).toEqual([]);
      await notified;
    }
    await host.following(id);
    await host.evict();
    expect(await host.metrics()).toMatch(/^vitrine_object_rows_written_total 0$/m);
    expect(await wrongAnswers(host, ["first"], 80)).toEqual([]);
  });

  /** Publishes all of a release but its products, and waits until some of what is there was fetched. */
  async function beginIncomplete(host: ObjectHost): Promise<void> {
    const products = new Set(releases.first.index.lists.product);
    const isMissing = (name: string) => products.has(name) && !releases.fewer.objects.has(name);
    await host.putObjects(releases.first, (name) => !isMissing(name));
    await host.point(releases.first);
    await until("a release begun", async () => {
      await host.notify();
      return (await host.ready()).partitions_of_next > 0;
    });
  }

  it("follows what is published while it fetches another release, and forgets one that was taken back before it was whole", async () => {
    await using host = await ObjectHost.start();
    await host.putObjects(releases.fewer);
    for (const before of ["no release", "a release"]) {
      await beginIncomplete(host);
      await host.following(await host.point(releases.fewer));
      expect((await host.ready()).partitions_of_next, before).toBe(0);
      expect(await wrongAnswers(host, ["fewer"], 60), before).toEqual([]);
    }
  });
});

describe("an object whose place has three releases", { timeout: 300_000 }, () => {
  let host: ObjectHost;
  beforeAll(async () => {
    host = await ObjectHost.start();
    await host.putObjects(releases.price);
    await host.putObjects(releases.fewer);
    await host.following(await host.publish(releases.first));
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("opens nothing but answers to whoever lacks the secret", async () => {
    await host.following(await host.point(releases.first));
    // It was a 405, which a publish explained as a wrong address.
    expect(await host.notify("another secret")).toBe(403);
    for (const [path, status] of [
      ["/_vitrine/readyz", 403],
      ["/_vitrine/metrics", 403],
      ["/_vitrine/", 404],
      ["/readyz", 404],
      ["/metrics", 404],
      ["/look", 404],
    ] as const) {
      const reply = await host.ask(path, { headers: { Authorization: "Bearer nothing" } });
      expect([path, reply.status]).toEqual([path, status]);
    }
    expect((await host.ask("/look", { method: "POST" })).status).toBe(405);
    const headers = { "X-Vitrine-Target": "/metrics" };
    expect((await host.ask("/api/v1/search?q=kit", { headers })).status).toBe(200);
  });

  it("tells a publish that has another secret, or none, which secret it is", async () => {
    const told = (secret: string | undefined, at = host) => {
      const cdn = openCdn(`webhook:${new URL("/_vitrine/published", at.address)}`, {
        origin: "https://shop.example",
        env: { VITRINE_WEBHOOK_SECRET: secret },
      });
      return runPurge(cdn, planPurge(purgeOfAll("a"), cdn), "a");
    };
    await expect(told(SECRET)).resolves.toBeUndefined();
    await expect(told("another")).rejects.toMatchObject({
      message: expect.stringMatching(
        /403: .*signed with another VITRINE_WEBHOOK_SECRET than that of this Worker/,
      ),
      hint: expect.stringMatching(/VITRINE_WEBHOOK_SECRET/),
    });
    await expect(told(undefined)).rejects.toMatchObject({
      message: expect.stringMatching(/VITRINE_WEBHOOK_SECRET is not set here/),
      hint: expect.stringMatching(/set VITRINE_WEBHOOK_SECRET/),
    });
    await using without = await ObjectHost.start({ bindings: { VITRINE_WEBHOOK_SECRET: "" } });
    for (const secret of [SECRET, undefined])
      await expect(told(secret, without)).rejects.toThrow(/This Worker has no VITRINE_WEBHOOK_SECRET/);
  });

  it("tells a publish why it cannot look at the place", async () => {
    await host.putFile(".vitrine/current.json", "{");
    const body = "{}";
    const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
    const headers = { "X-Vitrine-Signature": signature };
    const reply = await host.ask("/_vitrine/published", { method: "POST", body, headers });
    expect([reply.status, await reply.text()]).toEqual([502, expect.stringMatching(/^shop: r2:SITE/)]);
  });

  it("answers HEAD of its readiness and metrics as GET, without the body", async () => {
    await host.following(await host.point(releases.first));
    const headers = { Authorization: `Bearer ${SECRET}` };
    for (const path of ["/_vitrine/readyz", "/_vitrine/metrics"]) {
      const [head, get] = await Promise.all(
        ["HEAD", "GET"].map((method) => host.ask(path, { method, headers })),
      );
      expect([head?.status, head?.headers.get("content-type"), await head?.text()]).toEqual([
        200,
        get?.headers.get("content-type"),
        "",
      ]);
    }
  });

  it("follows an older release again after a rollback, by a few records or by all of them", async () => {
    await host.following(await host.point(releases.price));
    for (const step of ["first", "price", "fewer", "price"] as const) {
      await host.following(await host.point(releases[step]));
      expect(await wrongAnswers(host, [step], 40), step).toEqual([]);
    }
  });

  /** The objects that a release has and the first one has not, without its index. */
  const own = ({ objects, indexName }: Release) =>
    [...objects.keys()].filter((name) => name !== indexName && !releases.first.objects.has(name));

  const WRONG: Readonly<Record<string, (name: string, content: Buffer) => Promise<unknown>>> = {
    "an object is lost": (name) => host.deleteObject(name),
    "an object is cut off": (name, content) => host.putObject(name, gzipSync(content).subarray(0, -9)),
    "an object is another one": (name) => host.putObject(name, gzipSync("{}\n")),
    "an object is not compressed": (name, content) => host.putObject(name, content),
    "an object is far too long": (name) => host.putObject(name, gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  };

  it.each(
    Object.keys(WRONG).flatMap((what) => (["price", "fewer"] as const).map((step) => ({ what, step }))),
  )(
    "answers the release before while $what of $step, and follows once it is right",
    async ({ what, step }) => {
      await host.following(await host.point(releases.first));
      const release = releases[step];
      const [name = ""] = own(release);
      const content = release.objects.get(name) ?? Buffer.alloc(0);
      await WRONG[what]?.(name, content);
      const id = await host.point(release);
      await until("a failure", async () => {
        await host.notify();
        return (await host.ready()).reason?.startsWith("remote_");
      });
      expect((await host.ready()).release).not.toBe(id);
      expect(await wrongAnswers(host, ["first"], 20)).toEqual([]);
      await host.putObject(name, gzipSync(content));
      await host.following(id);
      expect(await wrongAnswers(host, [step], 20)).toEqual([]);
    },
  );

  it.each(["another field", "no id", "another partition's record", "a text that no row can hold"])(
    "refuses a release whose records have %s, and follows the next one",
    async (what) => {
      const { index } = releases.first;
      const [object = ""] = index.lists.product.filter((name) => name !== null);
      const line = JSON.parse((releases.first.objects.get(object)?.toString() ?? "").split("\n")[0] ?? "{}");
      const forged =
        what === "another field"
          ? { ...line, secret: 1 }
          : what === "no id"
            ? { ...line, id: undefined }
            : what === "a text that no row can hold"
              ? { ...line, description_html: "long ".repeat(500_000) }
              : { ...line, id: line.id + 1 };
      const content = Buffer.from(`${JSON.stringify(forged)}\n`);
      const product = index.lists.product.map((name) => (name === object ? nameOfObject(content) : name));
      const nextIndex = { ...index, lists: { ...index.lists, product } };
      const bytes = Buffer.from(`${JSON.stringify(nextIndex)}\n`);
      const release = {
        index: nextIndex,
        indexName: nameOfObject(bytes),
        objects: new Map([
          ...releases.first.objects,
          [nameOfObject(content), content],
          [nameOfObject(bytes), bytes],
        ]),
      };
      await host.following(await host.point(releases.first));
      await host.publish(release);
      await until("a refusal", async () => {
        await host.notify();
        const { reason, partitions_of_next } = await host.ready();
        return reason === "remote_invalid" && partitions_of_next === 0;
      });
      expect(await wrongAnswers(host, ["first"], 20)).toEqual([]);
      await host.following(await host.point(releases.price));
    },
  );

  it("says that a release is too large, and answers no other one instead", async () => {
    const { index } = releases.first;
    const review = Array.from({ length: 4096 }, () => null);
    const nextIndex = { ...index, lists: { ...index.lists, review } };
    const bytes = Buffer.from(`${JSON.stringify(nextIndex)}\n`);
    await host.publish({
      index: nextIndex,
      indexName: nameOfObject(bytes),
      objects: new Map([[nameOfObject(bytes), bytes]]),
    });
    await until("a refusal", async () => {
      await host.notify();
      return (await host.ready()).status === "release_too_large";
    });
    expect((await host.ask("/api/v1/search?q=kit")).status).toBe(503);
    await host.following(await host.point(releases.first));
    expect(await wrongAnswers(host, ["first"], 20)).toEqual([]);
  });
});

describe("Pages that is bound to the object of a Worker", () => {
  it("answers from it what has no file", async () => {
    const settings = { config: DEMO_CONFIG, site: "site", fallbacks: ["fallback.example"] };
    const others = { listen: [], listenTls: [], trusted: [], exempt: [], brotli: false };
    const readTemplate = (name: string) => readFileSync(join("templates/edge", name), "utf8");
    const files = planEdge("cloudflare-pages", { ...settings, ...others }, readTemplate);
    const script = files.find(({ name }) => name === "_worker.js")?.text ?? "";
    await using host = await ObjectHost.start({ pages: script });
    const target = "/api/v1/search?q=invoice";
    expect((await host.askPages(target)).status).toBe(503);
    await host.following(await host.publish(releases.first));
    const wanted = answerMiss(catalogs.first, target);
    expect(await host.askPages(target)).toEqual({
      status: 200,
      text: wanted.body.toString(),
      etag: wanted.headers["ETag"],
    });
    expect((await host.askPages("/api/v1/nothing")).status).toBe(404);
  });
});

describe("an object for each part of the world", () => {
  it("follows by itself, is told of each publish, and answers its readers", async () => {
    await using host = await ObjectHost.start({ bindings: { REGIONS: "true" } });
    const target = "/api/v1/search?q=invoice";
    const askFrom = async (continent: string) => {
      const answer = await host.miniflare.dispatchFetch(`http://shop${target}`, {
        cf: { continent } as never,
      });
      return [answer.status, await answer.text()];
    };
    for (const step of ["first", "price"] as const) {
      await host.publish(releases[step]);
      const wanted = [200, answerMiss(catalogs[step], target).body.toString()];
      for (const continent of ["EU", "AS", "nowhere"])
        await until(`${step} in ${continent}`, async () => {
          await host.notify();
          return isDeepStrictEqual(await askFrom(continent), wanted);
        });
    }
    // Each has a storage of its own.
    const ids = await host.miniflare.listDurableObjectIds("CATALOG");
    expect(ids).toHaveLength(7);
  });
});
