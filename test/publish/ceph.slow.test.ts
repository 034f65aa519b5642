/** What only a real store shows: a publish, an update and a rollback on it, also over TLS; and the messages if it refuses. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type BucketVersioningStatus,
  CopyObjectCommand,
  CreateBucketCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachAtOnce } from "../../src/base/at-once.ts";
import { publishFolder } from "../../src/pipeline/publish.ts";
import { type Bucket, OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { openS3 } from "../../src/publish/buckets/s3.ts";
import { publish } from "../../src/publish/publish.ts";
import { runVitrine } from "../support/command.ts";
import { startFaultProxy, upstreamOf } from "../support/fault-proxy.ts";
import {
  bucketAt,
  expectLive,
  filesOf,
  OPTIONS,
  portsOf,
  QUICK,
  watchReaders,
} from "../support/publishing.ts";
import { RGW_MISSING, type Rgw, useRgw } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

describe.skipIf(RGW_MISSING !== null)("a real store", () => {
  let rgw: Rgw;
  let shop: TinyShop;
  beforeAll(async () => {
    rgw = await useRgw();
    shop = createTinyShop();
  });
  afterAll(() => shop.close());

  const change = async (build: string) => {
    shop.sql(`UPDATE products SET name = 'Name ${randomUUID()}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build(build);
  };

  it("gets back the headers that another client's copy of an object onto itself has dropped", async () => {
    const place = { to: "s3://shop/headers", endpoint: rgw.endpoint, region: "us-east-1" };
    const { layout } = await change("headers");
    const out = dirname(layout.site);
    await publishFolder({ ...place, out });
    const Key = `headers/api/v1/product/slug=${shop.slugs[0]}.json`;
    const copy = { Bucket: rgw.bucket, Key, CopySource: `${rgw.bucket}/${Key}` };
    const args = [
      "check",
      "--to",
      place.to,
      "--endpoint",
      rgw.endpoint,
      "--region",
      "us-east-1",
      "--out",
      out,
    ];
    for (const [others, named] of [
      [{}, "Cache-Control is missing"],
      [{ ContentEncoding: "gzip", CacheControl: "no-cache" }, "Cache-Control is no-cache"],
    ] as const) {
      const headers = { ContentType: "application/json; charset=utf-8", ...others };
      await rgw.client.send(new CopyObjectCommand({ ...copy, ...headers, MetadataDirective: "REPLACE" }));
      const checked = await runVitrine(args);
      expect([checked.code, checked.err]).toEqual([4, expect.stringContaining(named)]);
      expect(await runVitrine([...args, "--repair"])).toMatchObject({
        code: 0,
        out: expect.stringContaining("1 put back"),
      });
      const head = await rgw.client.send(new HeadObjectCommand({ Bucket: rgw.bucket, Key }));
      expect(head.CacheControl).toMatch(/^public, max-age=60/);
      expect(head.ContentEncoding).toBeUndefined();
      expect(Object.keys(head.Metadata ?? {}).sort()).toEqual(["cache-tag", "digest"]);
      expect((await runVitrine(args)).code).toBe(0);
    }
  });

  it("is published to, updated and rolled back, in the expected requests", async () => {
    const proxy = await startFaultProxy(upstreamOf(rgw));
    // With the command's address, so that it need not be probed again.
    const bucket = { ...bucketAt(proxy.url, "walk"), service: proxy.url };
    const problems = watchReaders(proxy, "walk");
    const first = await change("walk");
    const files = filesOf(first);
    await publish(first, OPTIONS, portsOf(bucket));
    await expectLive(rgw, "walk", first);
    proxy.reset();
    expect(await publish(first, OPTIONS, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });
    expect(proxy.seen.map(({ method }) => method)).toEqual(["GET", "GET"]);
    proxy.reset();
    const second = await change("walk");
    const { counts } = await publish(second, OPTIONS, portsOf(bucket));
    expect(counts.changed).toBeGreaterThan(2);
    const objects = proxy.seen.filter(({ method, key }) => method === "PUT" && key.includes("/objects/"));
    // The journal twice, and the pointer. A rollback puts no object: the older release has them all.
    expect(proxy.count("PUT")).toBe(counts.changed + objects.length + 3);
    await expectLive(rgw, "walk", second);
    proxy.reset();
    const back = await runVitrine([
      "rollback",
      "--to",
      "s3://shop/walk",
      "--endpoint",
      proxy.url,
      "00000001",
    ]);
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining("went back to 00000001-") });
    expect(proxy.count("PUT")).toBe(counts.changed + 3);
    // Byte for byte as before, including `generated_at`.
    for (const [key, bytes] of files) expect((await bucket.get(key))?.body.equals(bytes), key).toBe(true);
    expect(problems).toEqual([]);
    bucket[Symbol.dispose]();
    await proxy.close();
  });

  it("has the right headers for each object, as any client sees them", async () => {
    await publish(await change("headers"), OPTIONS, portsOf(bucketAt(rgw.endpoint, "headers")));
    const Key = `headers/api/v1/product/slug=${shop.slugs[0]}.json`;
    const head = await rgw.client.send(new HeadObjectCommand({ Bucket: rgw.bucket, Key }));
    expect(head).toMatchObject({
      ContentType: "application/json; charset=utf-8",
      CacheControl: "public, max-age=60, s-maxage=300, stale-if-error=86400",
      Metadata: { "cache-tag": "vitrine-product" },
    });
    expect(head.Metadata?.["digest"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("lists pages of keys as they are spelled", async () => {
    const bucket = bucketAt(rgw.endpoint, "list a+b", 32);
    const keys = Array.from({ length: 1001 }, (_, at) => `api/a b+é&<${at}`).sort();
    await forEachAtOnce(keys, 32, (key) => bucket.put(key, Buffer.from("x"), OBJECT_HEADERS));
    const found: string[] = [];
    for await (const key of bucket.list("api/")) found.push(key);
    expect(found.sort()).toEqual(keys);
    await bucket.delete(keys);
    expect(await bucket.get(keys[0] ?? "")).toBeNull();
  });

  it("is published to over TLS if its certificate is trusted", async () => {
    const [key, cert] = [join(shop.folder, "key.pem"), join(shop.folder, "cert.pem")];
    const made = spawnSync("openssl", [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ],
      ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    const secure = await startFaultProxy(upstreamOf(rgw), {
      key: readFileSync(key),
      cert: readFileSync(cert),
    });
    try {
      const snapshot = await change("tls");
      const place = ["--to", "s3://shop/tls", "--endpoint", secure.url];
      const args = ["publish", ...place, "--out", join(shop.folder, "tls")];
      const trusting = { NODE_EXTRA_CA_CERTS: cert };
      expect(await runVitrine(args, undefined, trusting)).toMatchObject({ code: 0 });
      await expectLive(rgw, "tls", snapshot);
      expect(secure.count("PUT")).toBeGreaterThan(snapshot.manifest.totals().files);
      expect(await runVitrine(args)).toMatchObject({ code: 5, err: expect.stringContaining("self-signed") });
    } finally {
      await secure.close();
    }
  });
});

describe.skipIf(RGW_MISSING !== null)("a publish reports", () => {
  let rgw: Rgw;
  let shop: TinyShop;
  beforeAll(async () => {
    rgw = await useRgw();
    shop = createTinyShop(2);
  });
  afterAll(() => shop.close());

  const makeBucket = async (): Promise<{ name: string; bucket: Bucket }> => {
    const name = `b${randomUUID()}`;
    await rgw.client.send(new CreateBucketCommand({ Bucket: name }));
    const { endpoint } = rgw;
    const place = { endpoint, bucket: name, prefix: "", service: "test", concurrency: 8, retries: QUICK };
    return { name, bucket: openS3(place) };
  };
  const setVersioning = (Bucket: string, Status: BucketVersioningStatus) =>
    rgw.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
  const change = async (name: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build(name);
  };

  it("that a store ignores conditions in a bucket with versioning, before a file is put", async () => {
    const { name, bucket } = await makeBucket();
    await setVersioning(name, "Enabled");
    await expect(publish(await shop.build("versioned"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringMatching(/ignores If-None-Match.*has versioning on/),
    });
    const { Versions = [] } = await rgw.client.send(new ListObjectVersionsCommand({ Bucket: name }));
    expect(Versions.filter(({ Key = "" }) => !Key.startsWith(".vitrine/probe-"))).toEqual([]);
  });

  it("that its deletions leave markers if versioning was suspended, already at the first publish", async () => {
    const { name, bucket } = await makeBucket();
    await setVersioning(name, "Enabled");
    await setVersioning(name, "Suspended");
    await expect(publish(await shop.build("suspended"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringMatching(/treats a deleted object as an existing one.*suspended/),
    });
  });

  it("that versioning may have been turned on since", async () => {
    const { name, bucket } = await makeBucket();
    await publish(await change("before"), OPTIONS, portsOf(bucket));
    await setVersioning(name, "Enabled");
    await expect(publish(await change("since"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/refuses a condition that holds. Was versioning .* turned on or off/),
    });
  });

  it.each([
    ["s3:PutObject", /putting \.vitrine\/probe-\S+ failed.*These credentials lack s3:PutObject/],
    ["s3:GetObject", /reading \.vitrine\/\S+ failed.*These credentials lack s3:GetObject/],
    ["s3:ListBucket", /listing its keys failed.*These credentials lack s3:ListBucket/],
    ["s3:DeleteObject", /deleting \.vitrine\/probe-\S+ failed.*These credentials lack s3:DeleteObject/],
  ])("which permission its credentials lack: %s", async (Action, message) => {
    const { name, bucket } = await makeBucket();
    const Resource = [`arn:aws:s3:::${name}`, `arn:aws:s3:::${name}/*`];
    const Statement = [{ Effect: "Deny", Principal: "*", Action, Resource }];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await rgw.client.send(new PutBucketPolicyCommand({ Bucket: name, Policy }));
    await expect(publish(await shop.build("rights"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "remote_failed",
      exitCode: 5,
      message: expect.stringMatching(message),
    });
  });
});
