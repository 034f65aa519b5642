/** The private parts of a bucket or an output folder: no edge serves them, and the documented policies forbid them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ASSETS, ENDPOINTS } from "../../src/api/endpoints.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { canonicalKey } from "../../src/key/key.ts";
import { JOURNAL_KEY, POINTER_KEY } from "../../src/publish/bucket.ts";
import { objectKey } from "../../src/release/objects.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { createHttpServer, listen, stop } from "../../src/serve/http.ts";
import { RGW_MISSING, type Rgw, useRgw } from "../support/rgw.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";
import { runCloudFront } from "./support/engines.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { sendMany } from "./support/wire.ts";

const OBJECT = "3f".repeat(32);
const PRIVATE = [
  POINTER_KEY,
  JOURNAL_KEY,
  objectKey(OBJECT),
  ".vitrine/probe-1",
  "catalog.sqlite",
  "manifest.sqlite",
  ".lock",
  ".turn",
  ".holders",
  ".next/journal",
];
const MARK = "not for readers";

/** Ways to ask for a key without the key function. */
function spellings(key: string): string[] {
  return [
    `/${key}`,
    `//${key}`,
    `/${key}?v=1`,
    `/${key}/`,
    `/./${key}`,
    `/${key.replace(".", "%2e")}`,
    `/${key.replaceAll("/", "%2f")}`,
    `/api/v1/${key}`,
    `/api/v1/../../${key}`,
    `/api/v1/..%2f..%2f${key}`,
    `/api/v1/%2e%2e/%2e%2e/${key}`,
    `/widgets/../${key}`,
    `/widgets/reviews.js/../../${key}`,
    `/api/v1/product?slug=../../../${key}`,
    `/api/v1/product?slug=..%2f..%2f..%2f${key}`,
    `/fallback/${key}`,
    `/none/${key}`,
  ];
}
const TARGETS = [
  ...PRIVATE.flatMap(spellings),
  "/.vitrine",
  "/.vitrine/",
  "/.vitrine/objects/",
  // nginx's internal paths, for errors.
  "/.vitrine/bad-request",
  "/.vitrine/too-long",
];

const folder = temporaryFolder();
let shop: TinyShop;
let site: string;
let catalogFile: string;
let fallback: Running;
let fallbackOfWorker: Running;

beforeAll(async () => {
  shop = createTinyShop();
  const { layout, manifest } = await shop.build("private");
  manifest.close();
  site = layout.site;
  catalogFile = layout.catalog;
  // The worst place: among the served files, as in a bucket.
  for (const key of PRIVATE) {
    mkdirSync(dirname(join(site, key)), { recursive: true });
    writeFileSync(join(site, key), MARK);
  }
  fallback = await startFallback(catalogFile);
  fallbackOfWorker = await startFallback(catalogFile, { targetHeader: true });
});
afterAll(async () => {
  await fallback.stop();
  await fallbackOfWorker.stop();
  shop.close();
});

async function startServe(): Promise<Running> {
  const catalog = openCatalog(catalogFile);
  const server = createHttpServer({
    answer: (target) => answerAtEdge(catalog, site, target),
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => {},
    failed: (error) => {
      throw error;
    },
  });
  const url = await listen(server, "127.0.0.1", 0);
  return {
    port: Number(new URL(url).port),
    stop: async () => {
      await stop(server);
      catalog.close();
    },
  };
}

function itRefuses(start: () => Promise<Running>): void {
  it("serves an answer, but nothing private, however it is requested", async () => {
    const edge = await start();
    try {
      const requests = ["/api/v1/store", ...TARGETS].map((target, at) => {
        const address = `198.51.${Math.floor(at / 100)}.${at % 100}`;
        return { target, headers: { "X-Forwarded-For": address, "CF-Connecting-IP": address } };
      });
      const [file, ...replies] = await sendMany({ port: edge.port }, requests);
      expect(file?.status).toBe(200);
      for (const [at, { status, body }] of replies.entries()) {
        expect([400, 404], TARGETS[at]).toContain(status);
        expect(JSON.parse(body), TARGETS[at]).toMatchObject({ success: false });
        expect(body).not.toContain(MARK);
      }
    } finally {
      await edge.stop();
    }
  });
}

const options = (name: string) => ({
  folder: join(folder, name),
  site,
  fallbackPort: fallback.port,
  trusted: ["127.0.0.1"],
});

describe("vitrine serve", () => itRefuses(startServe));
describeWith(["nginx"], "nginx", () => itRefuses(() => startNginx(options("nginx"))));
describe("the Worker", () => {
  const worker = () => ({ site, fallbackPort: fallbackOfWorker.port });
  itRefuses(() => startWorker(worker(), [...PRIVATE, "api/v1/store.json"]));
});

describeWith(["njs"], "CloudFront's function", () => {
  it("asks the bucket only for keys that its policy allows, or that no object has", () => {
    const code = readFileSync("templates/edge/aws/function.js", "utf8");
    for (const [at, { uri }] of runCloudFront(temporaryFolder(), code, TARGETS).entries()) {
      // The function answered itself.
      if (uri === undefined) continue;
      expect(uri, TARGETS[at]).toMatch(/^\/(?:fallback\/|api\/v1\/product\/slug=)/);
      expect(PRIVATE).not.toContain(uri.slice(1));
    }
  });
});

describe("the policies", () => {
  const prefix = "v1";

  /** A policy of templates/edge for a bucket of the test store; "everyone" replaces CloudFront. */
  function policyText(file: string, bucket: string): string {
    const text = readFileSync(join("templates/edge", file), "utf8");
    const policy = JSON.parse(text.replaceAll("BUCKET/PREFIX", `${bucket}/${prefix}`)) as {
      Statement: Record<string, unknown>[];
    };
    const statements = policy.Statement.map(({ Condition: _, ...rest }) => ({ ...rest, Principal: "*" }));
    return JSON.stringify({ ...policy, Statement: statements });
  }

  it("name CloudFront, and one of its distributions, in what they allow and deny", () => {
    const { Statement } = JSON.parse(readFileSync("templates/edge/aws/site-policy.json", "utf8")) as {
      Statement: Record<string, unknown>[];
    };
    const Principal = { Service: "cloudfront.amazonaws.com" };
    expect(Statement).toMatchObject([
      { Effect: "Allow", Principal, Condition: { StringEquals: { "AWS:SourceArn": expect.any(String) } } },
      { Effect: "Deny", Principal, Action: "s3:*" },
    ]);
    expect(Statement[1]).not.toHaveProperty("Condition");
  });

  it("let a fallback read what it follows releases by, and nothing else", () => {
    interface Policy {
      readonly Statement: readonly {
        readonly Action: string;
        readonly Resource: string | readonly string[];
      }[];
    }
    const { Statement } = JSON.parse(
      readFileSync("templates/edge/aws/fallback-policy.json", "utf8"),
    ) as Policy;
    const read = Statement.find(({ Action }) => Action === "s3:GetObject")?.Resource ?? [];
    const patterns = [read].flat().map((name) => name.replace("arn:aws:s3:::BUCKET/PREFIX/", ""));
    const mayRead = (key: string) =>
      patterns.some((each) => (each.endsWith("*") ? key.startsWith(each.slice(0, -1)) : key === each));
    const followed = [POINTER_KEY, objectKey(OBJECT)];
    expect([...PRIVATE, ...ASSETS, "api/v1/products/page=1.json"].filter(mayRead)).toEqual(followed);
  });

  describe.skipIf(RGW_MISSING !== null)("in a real store", () => {
    let rgw: Rgw;
    beforeAll(async () => {
      rgw = await useRgw();
    });

    it.each([
      ["aws/site-policy.json", "behind-cloudfront"],
      ["s3/public-policy.json", "public"],
    ])("%s lets everybody read every answer, and nothing else", async (file, bucket) => {
      const answers = [
        ...ENDPOINTS.flatMap(({ path }) => canonicalKey(`/api/v1/${path}`, "") ?? []),
        ...ASSETS,
      ];
      const hidden = [...PRIVATE, "api/private.json", "index.html"];
      await rgw.client.send(new CreateBucketCommand({ Bucket: bucket }));
      for (const key of [...answers, ...hidden]) {
        await rgw.client.send(
          new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${key}`, Body: Buffer.from(MARK) }),
        );
      }
      await rgw.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policyText(file, bucket) }));
      const status = async (key: string) =>
        (await fetch(`${rgw.endpoint}/${bucket}/${prefix}/${key}`)).status;
      for (const key of answers) expect(await status(key), key).toBe(200);
      for (const key of hidden) expect(await status(key), key).toBe(403);
      expect((await fetch(`${rgw.endpoint}/${bucket}?list-type=2`)).status).toBe(403);
    });

    it("aws/fallback-policy.json opens a release to who holds it, and nothing else", async () => {
      const Bucket = "followed";
      const keys = [...PRIVATE, "api/v1/products/page=1.json"];
      await rgw.client.send(new CreateBucketCommand({ Bucket }));
      for (const key of keys)
        await rgw.client.send(
          new PutObjectCommand({ Bucket, Key: `${prefix}/${key}`, Body: Buffer.from(MARK) }),
        );
      // Everybody has the right to read here that AWS gives the fallback's role.
      const { Statement, ...policy } = JSON.parse(policyText("aws/fallback-policy.json", Bucket));
      const Policy = JSON.stringify({ ...policy, Statement: [Statement[0]] });
      await rgw.client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      const opened: string[] = [];
      for (const key of keys)
        if ((await fetch(`${rgw.endpoint}/${Bucket}/${prefix}/${key}`)).ok) opened.push(key);
      expect(opened).toEqual([POINTER_KEY, objectKey(OBJECT)]);
    });

    it("s3/public-policy.json leaves the publisher the permissions that it needs", async () => {
      const Key = `${prefix}/${POINTER_KEY}`;
      await rgw.client.send(new PutObjectCommand({ Bucket: "public", Key, Body: Buffer.from("{}") }));
      const { Body } = await rgw.client.send(new GetObjectCommand({ Bucket: "public", Key }));
      expect(await Body?.transformToString()).toBe("{}");
    });
  });
});
