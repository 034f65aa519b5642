/** The commands as a person runs them, against a real store: publish, releases, rollback, check, kills; and followers. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { targetKey } from "../../src/key/key.ts";
import { followRelease } from "../../src/publish/follow-release.ts";
import { publish } from "../../src/publish/publish.ts";
import { readPublic } from "../../src/publish/served.ts";
import { readLive } from "../../src/publish/state.ts";
import { verifyPublic } from "../../src/publish/verify-public.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { bucketAt, expectLive, filesOf, OPTIONS, portsOf, watchReaders } from "../support/publishing.ts";
import { RGW_MISSING, type Rgw, useRgw } from "../support/rgw.ts";
import { createTinyShop, SILENT, type TinyShop } from "../support/tiny-shop.ts";

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function vitrine(args: readonly string[], onStart?: (pid: number) => void): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...args]);
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => out.push(part.toString()));
    child.stderr.on("data", (part: Buffer) => err.push(part.toString()));
    onStart?.(child.pid ?? 0);
    child.on("close", (code) => resolve({ code, out: out.join(""), err: err.join("") }));
  });
}

describe.skipIf(RGW_MISSING !== null)("commands", () => {
  let rgw: Rgw;
  let proxy: FaultProxy;
  let shop: TinyShop;
  beforeAll(async () => {
    rgw = await useRgw();
    proxy = await startFaultProxy(rgw);
    shop = createTinyShop();
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  const rename = (name: string, build: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return shop.build(build);
  };
  const to = (prefix: string) => ["--to", `s3://shop/${prefix}`, "--endpoint", proxy.url];

  it("publishes, lists, goes back, and puts only the difference", async () => {
    const out = join(shop.folder, "cli");
    const first = rename("First name", "cli");
    const files = filesOf(first);
    expect(await vitrine(["publish", ...to("cli"), "--out", out])).toMatchObject({ code: 0 });
    const second = rename("Second name", "cli");
    const published = await vitrine(["publish", ...to("cli"), "--out", out, "--json"]);
    const { counts } = JSON.parse(published.out) as { counts: { changed: number } };
    await expectLive(rgw, "cli", second);

    const listed = await vitrine(["releases", ...to("cli")]);
    expect(listed.out.split("\n")[0]).toMatch(
      /^live 00000002-\w+ {2}\S+Z {2}\d+ put, 0 deleted, .* by vitrine/,
    );

    proxy.reset();
    const back = await vitrine(["rollback", ...to("cli"), "00000001"]);
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining("went back to 00000001-") });
    expect(proxy.count("PUT")).toBe(counts.changed + 4);
    // Byte for byte what it was, `generated_at` and all.
    for (const [key, bytes] of files) {
      expect((await bucketAt(rgw.endpoint, "cli").get(key))?.body.equals(bytes), key).toBe(true);
    }
    const { releases } = await readLive(bucketAt(rgw.endpoint, "cli"));
    expect(releases[0]?.rollbackOf).toMatch(/^00000001-/);
    expect(await vitrine(["rollback", ...to("cli"), "nonsense"])).toMatchObject({ code: 2 });
  });

  it("finds what a bucket really serves", async () => {
    await publish(rename("Checked", "check"), OPTIONS, portsOf(bucketAt(proxy.url, "check")));
    const args = ["check", "--remote", "s3://shop/check", "--endpoint", proxy.url];
    expect(await vitrine(args)).toMatchObject({ code: 0, out: expect.stringContaining("all hold") });
    const Key = "check/api/v1/store.json";
    await rgw.client.send(new PutObjectCommand({ Bucket: rgw.bucket, Key, Body: Buffer.from("{}") }));
    expect(await vitrine(args)).toMatchObject({
      code: 4,
      err: expect.stringContaining("api/v1/store.json: other bytes are served"),
    });
  });

  it("killed in the middle, the next run takes over at once and repairs", async () => {
    const out = join(shop.folder, "kill");
    rename("Before the kill", "kill");
    expect(await vitrine(["publish", ...to("kill"), "--out", out])).toMatchObject({ code: 0 });
    for (const at of [3, 5, 8, 11]) {
      const after = rename(`Killed at ${at}`, "kill");
      const problems = watchReaders(proxy, "kill");
      proxy.reset();
      let pid = 0;
      proxy.fault = (n) => {
        if (n === at) process.kill(pid, "SIGKILL");
        return n >= at ? "drop-before" : null;
      };
      const killed = await vitrine(["publish", ...to("kill"), "--out", out], (started) => {
        pid = started;
      });
      expect(killed.code, `${at} ${killed.err}`).toBeNull();
      proxy.reset();
      expect(await vitrine(["publish", ...to("kill"), "--out", out])).toMatchObject({ code: 0 });
      await expectLive(rgw, "kill", after);
      expect(problems).toEqual([]);
    }
  });

  it("tells what is wrong with a place, a bucket, a key", async () => {
    const out = join(shop.folder, "cli");
    const nowhere = await vitrine([
      "publish",
      "--to",
      "s3://missing",
      "--endpoint",
      rgw.endpoint,
      "--out",
      out,
    ]);
    expect(nowhere).toMatchObject({ code: 5, err: expect.stringContaining("Make the bucket first") });
    expect(await vitrine(["publish", "--to", "shop", "--out", out])).toMatchObject({ code: 2 });
    expect(await vitrine(["releases", ...to("empty")])).toMatchObject({ code: 2 });
  });

  it("a follower fetches each new catalog and serves the old one when the bucket is away", async () => {
    const bucket = bucketAt(proxy.url, "follow");
    const folder = mkdtempSync(join(tmpdir(), "vitrine-follow-"));
    const file = join(folder, "catalog.sqlite");
    try {
      await expect(followRelease(bucket, file, SILENT)).rejects.toThrow(/Nothing was published/);
      const first = rename("Followed 1", "follow");
      await publish(first, OPTIONS, portsOf(bucket));
      const follower = await followRelease(bucket, file, SILENT, 20);
      expect(readFileSync(file).equals(readFileSync(first.layout.catalog))).toBe(true);
      const second = rename("Followed 2", "follow");
      await publish(second, OPTIONS, portsOf(bucket));
      await expect.poll(() => readFileSync(file).equals(readFileSync(second.layout.catalog))).toBe(true);
      follower.stop();
      proxy.reset();
      proxy.fault = () => "dead";
      const again = await followRelease(bucket, file, SILENT, 60_000);
      again.stop();
      openCatalog(file).close();
    } finally {
      proxy.reset();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("verifies a sample at the public address, and purges again what is stale", async () => {
    const snapshot = rename("Verified", "verify");
    const files = filesOf(snapshot);
    const stale = new Set([`api/v1/product/slug=${shop.slugs[0]}.json`]);
    const edge = createServer((request, response) => {
      const key = targetKey(request.url ?? "") ?? "";
      response.end(stale.has(key) ? "old" : files.get(key));
    });
    await new Promise<void>((resolve) => edge.listen(0, "127.0.0.1", resolve));
    const address = edge.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const cdn = createMemoryCdn();
    const purging = { ...cdn, purge: async () => stale.clear() };
    const inputs = { keys: [...files.keys()], manifest: snapshot.manifest, release: "r", size: 100 };
    const ports = { read: readPublic(origin), pauseMilliseconds: 1 };
    try {
      expect(await verifyPublic(inputs, { ...ports, cdns: [purging] })).toBe(files.size);
      stale.add("api/v1/store.json");
      await expect(verifyPublic(inputs, { ...ports, cdns: [] })).rejects.toMatchObject({
        code: "remote_stale",
      });
    } finally {
      edge.close();
      edge.closeAllConnections();
    }
  });
});
