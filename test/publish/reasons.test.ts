/** Buckets that cannot be published to, on a real store: what a person is told is what is wrong. */
import { randomUUID } from "node:crypto";
import {
  type BucketVersioningStatus,
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../src/publish/bucket.ts";
import { publish } from "../../src/publish/publish.ts";
import { openS3 } from "../../src/publish/targets/s3.ts";
import { OPTIONS, portsOf, QUICK } from "../support/publishing.ts";
import { RGW_MISSING, type Rgw, useRgw } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

describe.skipIf(RGW_MISSING !== null)("a publish is told", () => {
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
    const place = { bucket: name, prefix: "", service: "test", concurrency: 8, retries: QUICK };
    return { name, bucket: openS3({ client: rgw.client, ...place }) };
  };
  const setVersioning = (Bucket: string, Status: BucketVersioningStatus) =>
    rgw.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
  const change = (name: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return shop.build(name);
  };

  it("that a store keeps no conditions in a bucket with versioning, before an answer is put", async () => {
    const { name, bucket } = await makeBucket();
    await setVersioning(name, "Enabled");
    await expect(publish(await shop.build("versioned"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringMatching(/does not keep If-None-Match.*has versioning on/),
    });
    const { Versions = [] } = await rgw.client.send(new ListObjectVersionsCommand({ Bucket: name }));
    expect(Versions.filter(({ Key = "" }) => !Key.startsWith(".vitrine/probe-"))).toEqual([]);
  });

  it("that its deletions leave markers where versioning was suspended, at the first publish already", async () => {
    const { name, bucket } = await makeBucket();
    await setVersioning(name, "Enabled");
    await setVersioning(name, "Suspended");
    await expect(publish(await shop.build("suspended"), OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringMatching(/takes a deleted object for one that stands.*suspended/),
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
    ["s3:ListBucket", /listing what stands there failed.*These credentials lack s3:ListBucket/],
    ["s3:DeleteObject", /deleting \S+ keys failed.*These credentials lack s3:DeleteObject/],
  ])("which right its credentials lack: %s", async (Action, message) => {
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
