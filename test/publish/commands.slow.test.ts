/** The commands as a person runs them, against a store behind HTTP: publish, releases, rollback, check, kills; and followers. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { targetKey } from "../../src/key/key.ts";
import { JOURNAL_KEY, OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { readLive } from "../../src/publish/documents.ts";
import { publish } from "../../src/publish/publish.ts";
import { readPublic, verifyPublic } from "../../src/publish/served.ts";
import { lockOut } from "../../src/site/out.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { runVitrine, startServer, startVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { followBucket } from "../support/following.ts";
import { freePort } from "../support/free-port.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import {
  bucketAt,
  expectLive,
  filesOf,
  holdsCatalog,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { RGW_ENV } from "../support/rgw.ts";
import { HastyClock } from "../support/simulated-clock.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

describe("commands", () => {
  const memory = createMemoryStore();
  let proxy: FaultProxy;
  let shop: TinyShop;
  beforeAll(async () => {
    Object.assign(process.env, RGW_ENV);
    proxy = await startFaultProxy(memory);
    shop = createTinyShop();
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  const rename = async (name: string, build: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build(build);
  };
  const to = (prefix: string) => ["--to", `s3://shop/${prefix}`, "--endpoint", proxy.url];

  it("publishes, lists, goes back, and puts only the difference", async () => {
    const out = join(shop.folder, "cli");
    const first = await rename("First name", "cli");
    const files = filesOf(first);
    expect(await runVitrine(["publish", ...to("cli"), "--out", out])).toMatchObject({ code: 0 });
    const second = await rename("Second name", "cli");
    const published = await runVitrine(["publish", ...to("cli"), "--out", out, "--json"]);
    const { counts } = JSON.parse(published.out) as { counts: { changed: number } };
    await expectLive(memory, "cli", second);

    const listed = await runVitrine(["rollback", "--list", ...to("cli")]);
    expect(listed.out.split("\n")[0]).toMatch(
      /^live 00000002-\w+ {2}\S+Z {2}\d+ put, 0 deleted, .* by vitrine/,
    );

    proxy.reset();
    const back = await runVitrine(["rollback", ...to("cli"), "00000001"]);
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining("went back to 00000001-") });
    // The journal twice, and the pointer: an older release already has all objects.
    expect(proxy.count("PUT")).toBe(counts.changed + 3);
    // Byte for byte as before, including `generated_at`.
    for (const [key, bytes] of files) {
      expect((await bucketAt(proxy.url, "cli").get(key))?.body.equals(bytes), key).toBe(true);
    }
    const { releases } = await readLive(bucketAt(proxy.url, "cli"));
    expect(releases[0]?.rollbackOf).toMatch(/^00000001-/);
    expect(await runVitrine(["rollback", ...to("cli"), "nonsense"])).toMatchObject({ code: 2 });
  });

  it("checks what a bucket really serves", async () => {
    await publish(await rename("Checked", "check"), OPTIONS, portsOf(bucketAt(proxy.url, "check")));
    const args = ["check", "--to", "s3://shop/check", "--endpoint", proxy.url];
    // One answer that never comes does not stop the check.
    proxy.reset();
    proxy.fault = (n) => (n === 5 ? "hang-after" : null);
    const patient = await runVitrine([...args, "--timeout", "2"]);
    expect(patient).toMatchObject({ code: 0, out: expect.stringContaining("OK") });
    proxy.reset();
    await bucketAt(proxy.url, "check").put("api/v1/store.json", Buffer.from("{}"), OBJECT_HEADERS);
    expect(await runVitrine(args)).toMatchObject({
      code: 4,
      err: expect.stringContaining("api/v1/store.json: the bytes differ"),
    });
  });

  it("repairs a killed publish with the next run, which takes over at once", async () => {
    const out = join(shop.folder, "kill");
    const temporary = { TMPDIR: join(shop.folder, "temporary") };
    mkdirSync(temporary.TMPDIR);
    const left: string[] = [];
    await rename("Before the kill", "kill");
    expect(await runVitrine(["publish", ...to("kill"), "--out", out])).toMatchObject({ code: 0 });
    for (const at of [4, 9]) {
      const after = await rename(`Killed at ${at}`, "kill");
      const problems = watchReaders(proxy, "kill");
      proxy.reset();
      let pid = 0;
      proxy.fault = (n) => {
        if (n === at) process.kill(pid, "SIGKILL");
        return n >= at ? "drop-before" : null;
      };
      const publishing = ["publish", ...to("kill"), "--out", out];
      const killed = await runVitrine(
        publishing,
        (started) => {
          pid = started;
        },
        temporary,
      );
      expect(killed.code, `${at} ${killed.err}`).toBeNull();
      left.push(...readdirSync(temporary.TMPDIR));
      proxy.reset();
      expect(await runVitrine(publishing, undefined, temporary)).toMatchObject({ code: 0 });
      expect(readdirSync(temporary.TMPDIR)).toEqual([]);
      await expectLive(memory, "kill", after);
      expect(problems).toEqual([]);
    }
    expect(left.length).toBeGreaterThan(0);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s in the middle leaves the lock: the next run here takes over at once, another machine's waits",
    async (signal) => {
      const out = join(shop.folder, signal);
      const snapshot = await rename(`Ended by ${signal}`, signal);
      let pid = 0;
      let signalled = false;
      proxy.reset();
      proxy.fault = (_, { method, key }) => {
        if (signalled || method !== "PUT" || !key.includes("/api/v1/")) return null;
        signalled = process.kill(pid, signal);
        // The request is sent again once the signal has surely arrived.
        return "hang-before";
      };
      const args = ["publish", ...to(signal), "--out", out];
      const ended = await runVitrine([...args, "--timeout", "2"], (started) => {
        pid = started;
      });
      expect(ended).toEqual({
        code: null,
        out: "",
        err: expect.stringContaining(`\nstopped by ${signal}: `),
      });
      const bucket = bucketAt(proxy.url, signal);
      const journal = await bucket.get(JOURNAL_KEY);
      expect(JSON.parse(journal?.body.toString() ?? "")).toMatchObject({ leaseSeconds: 60 });
      await expect(publish(snapshot, OPTIONS, portsOf(bucket))).rejects.toMatchObject({
        code: "publisher_busy",
      });
      expect(await runVitrine(args)).toMatchObject({ code: 0 });
      await expectLive(memory, signal, snapshot);
    },
  );

  it("is ended at once by a signal before its first file: nothing of it is live", async () => {
    const out = join(shop.folder, "early");
    await rename("Ended early", "early");
    let pid = 0;
    proxy.reset();
    proxy.fault = (_, { method, key }) => {
      if (method !== "PUT" || !key.includes("/.vitrine/objects/")) return null;
      process.kill(pid, "SIGTERM");
      return "hang-before";
    };
    const args = ["publish", ...to("early"), "--out", out];
    const ended = await runVitrine([...args, "--timeout", "2"], (started) => {
      pid = started;
    });
    expect(ended).toEqual({ code: null, out: "", err: "" });
    proxy.reset();
    for await (const key of bucketAt(proxy.url, "early").list("api/")) expect.fail(`${key} is live`);
    expect(await runVitrine(args)).toMatchObject({ code: 0 });
  });

  it("refuses to publish a snapshot with a local address to a bucket", async () => {
    const local = { ...TINY_CONFIG, baseUrl: "http://127.0.0.1:8080/api/v1" };
    const { manifest } = await shop.build("local", local);
    manifest.close();
    const out = ["--out", join(shop.folder, "local")];
    const refused = {
      code: 6,
      err: expect.stringMatching(/baseUrl http:\/\/127\.0\.0\.1:8080.*--allow-local/),
    };
    const publishing = ["publish", ...to("local"), ...out];
    expect(await runVitrine(publishing)).toMatchObject(refused);
    expect(await runVitrine([...publishing, "--dry-run"])).toMatchObject(refused);
    const config = join(shop.folder, "local.json");
    writeFileSync(
      config,
      JSON.stringify({
        baseUrl: local.baseUrl,
        siteUrl: local.siteUrl,
        queries: resolve("templates/queries"),
      }),
    );
    const watching = ["watch", "--store", shop.store, "--config", config, ...out, ...to("local")];
    expect(await runVitrine(watching)).toMatchObject(refused);
    expect([...memory.objects.keys()].filter((key) => key.startsWith("local/"))).toEqual([]);
    expect(await runVitrine([...publishing, "--allow-local"])).toMatchObject({ code: 0 });
    const www = `file://${join(shop.folder, "www-local")}`;
    expect(await runVitrine(["publish", "--to", www, ...out])).toMatchObject({ code: 0 });
  });

  it("reports what is wrong with a place, a bucket, a key", async () => {
    const out = join(shop.folder, "cli");
    const nowhere = await runVitrine([
      "publish",
      "--to",
      "s3://missing",
      "--endpoint",
      proxy.url,
      "--out",
      out,
    ]);
    expect(nowhere).toMatchObject({ code: 5, err: expect.stringContaining("make it first") });
    expect(await runVitrine(["publish", "--to", "shop", "--out", out])).toMatchObject({ code: 2 });
    expect(await runVitrine(["rollback", "--list", ...to("empty")])).toMatchObject({ code: 2 });
  });

  it("lets a follower fetch each new catalog and serve the old one while the bucket is unreachable", async () => {
    const bucket = bucketAt(proxy.url, "follow");
    const folder = mkdtempSync(join(tmpdir(), "vitrine-follow-"));
    try {
      await expect(followBucket(bucket, folder)).rejects.toThrow(/Nothing was published/);
      const first = await rename("Followed 1", "follow");
      await publish(first, OPTIONS, portsOf(bucket));
      const follower = await followBucket(bucket, folder, { everyMilliseconds: 20 });
      expect(holdsCatalog(follower.file(), first)).toBe(true);
      const second = await rename("Followed 2", "follow");
      await publish(second, OPTIONS, portsOf(bucket));
      await expect.poll(() => holdsCatalog(follower.file(), second)).toBe(true);
      await follower.stop();
      proxy.reset();
      proxy.fault = () => "dead";
      const again = await followBucket(bucket, folder);
      await again.stop();
      expect(holdsCatalog(again.file(), second)).toBe(true);
    } finally {
      proxy.reset();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("verifies a sample at the public address, purges stale answers again, and says for how long a cache has kept one", async () => {
    const snapshot = await rename("Verified", "verify");
    const files = filesOf(snapshot);
    const stale = new Set([`api/v1/product/slug=${shop.slugs[0]}.json`]);
    const edge = createServer((request, response) => {
      const key = targetKey(request.url ?? "") ?? "";
      if (stale.has(key)) response.setHeader("Age", "47");
      response.end(stale.has(key) ? "old" : files.get(key));
    });
    await new Promise<void>((resolve) => edge.listen(0, "127.0.0.1", resolve));
    const address = edge.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const cdn = createMemoryCdn();
    const purging = { ...cdn, purge: async () => stale.clear() };
    const inputs = { keys: [...files.keys()], manifest: snapshot.manifest, release: "r", size: 100 };
    const clock = new HastyClock();
    const ports = { read: readPublic(origin), clock };
    try {
      expect(await verifyPublic(inputs, { ...ports, cdns: [purging] })).toBe(files.size);
      stale.add("api/v1/store.json");
      await expect(verifyPublic(inputs, { ...ports, cdns: [] })).rejects.toMatchObject({
        code: "remote_stale",
        message: expect.stringContaining(
          "the bytes differ from the release's; a cache has kept them for 47 s",
        ),
      });
      // Once after the purge that helped, and three times in vain.
      expect(clock.pauses).toEqual([2000, 2000, 4000, 6000]);
    } finally {
      edge.close();
      edge.closeAllConnections();
    }
  });
});

describe("commands on a folder and a public address", () => {
  let shop: TinyShop;
  beforeAll(() => {
    shop = createTinyShop();
  });
  afterAll(() => {
    shop.close();
  });
  const storeFile = (place: string) => join(place, "api/v1/store.json");

  it("checks what a folder really serves", async () => {
    await shop.build("folder");
    const place = `file://${join(shop.folder, "www")}`;
    const published = await runVitrine(["publish", "--to", place, "--out", join(shop.folder, "folder")]);
    expect(published).toMatchObject({ code: 0, err: "" });
    const check = () => runVitrine(["check", "--to", place]);
    expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining("OK") });
    writeFileSync(storeFile(join(shop.folder, "www")), "{}");
    expect(await check()).toMatchObject({
      code: 4,
      err: expect.stringContaining("api/v1/store.json: the bytes differ"),
    });
  });

  it("publishes one folder to several places at once, allows no build meanwhile, and waits for a running one", async () => {
    const { layout } = await shop.build("twice");
    const out = ["--out", join(shop.folder, "twice")];
    const to = (name: string) => ["publish", "--to", `file://${join(shop.folder, name)}`, ...out];
    const reader = await lockOut(layout, "shared", {});
    const both = await Promise.all([runVitrine(to("www-a")), runVitrine(to("www-b"))]);
    expect(both.map(({ code, err }) => [code, err])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const building = (wait: string) => startVitrine(["build", "--store", shop.store, ...out, "--wait", wait]);
    const refused = building("0");
    expect(await refused.ended).toBe(6);
    expect(refused.said()).toMatch(/out_busy: .* or by a publish that reads the folder: process \d+ on/);
    const waiting = building("60");
    await until("the message that names the holder", () => waiting.said().includes("waiting for up to 60 s"));
    reader[Symbol.dispose]();
    expect(await waiting.ended, waiting.said()).toBe(0);
  });

  it("checks the public address, after a publish and on request", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    // Built for the address that it is served at: otherwise serve would name its own.
    const { config: plain } = await shop.build("plain");
    // A check asks for more answers than are allowed in a minute; how it waits when it is refused is tested in hang.slow.test.ts.
    const config = { ...plain, baseUrl: `${url}/api/v1`, siteUrl: url, rateLimit: { requests: 100_000 } };
    await shop.build("old", config);
    const old = join(shop.folder, "old");
    const served = await startServer(["serve", "--out", old, "--port", String(port)]);
    try {
      const check = (out: string) =>
        runVitrine(["check", "--from", served.url, "--out", join(shop.folder, out)]);
      const ok = await check("old");
      expect(ok).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ answers read: OK/) });

      // The same address, but another shop than the published one.
      shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}'`);
      const renamed = await shop.build("new", config);
      expect(await check("new")).toMatchObject({
        code: 4,
        err: expect.stringContaining(`product/slug=${shop.slugs[0]}.json: the bytes differ`),
      });
      const to = ["--to", `file://${join(shop.folder, "www-verified")}`];
      const published = await runVitrine(["publish", ...to, "--out", old, "--verify", "500"]);
      expect(published).toMatchObject({ code: 0, out: expect.stringMatching(/\d+ answers asked for/) });
      const bucket = openDirectory(join(shop.folder, "www-stale"));
      await expect(
        publish(renamed, { ...OPTIONS, verify: 500 }, portsOf(bucket, { clock: new HastyClock() })),
      ).rejects.toMatchObject({
        code: "remote_stale",
        message: expect.stringMatching(/is live, but \d+ of \d+ sampled answers/),
      });
      expect(await runVitrine(["check", "--to", "ftp://shop"])).toMatchObject({ code: 2 });
    } finally {
      served.child.kill();
    }
    const gone = await runVitrine([
      "check",
      "--from",
      served.url,
      "--out",
      join(shop.folder, "old"),
      "--sample",
      "2",
    ]);
    expect(gone).toMatchObject({ code: 4, err: expect.stringMatching(/fetch failed|ECONNREFUSED/) });
  });
});
