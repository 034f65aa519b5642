/** Requests to an S3 service, and reactions to odd responses: against a server that inspects requests, and with made-up responses. */
import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bucket, OBJECT_HEADERS, type PutMetadata } from "../../src/publish/bucket.ts";
import { type Handler, openS3 } from "../../src/publish/buckets/s3.ts";
import { compareAndSet } from "../../src/publish/conditional-writes.ts";
import { createCloudFront } from "../../src/publish/purge.ts";
import { responseOf } from "../support/faults.ts";
import { QUICK } from "../support/publishing.ts";

describe("a request", () => {
  const seen: IncomingMessage[] = [];
  let respond: (response: ServerResponse) => void;
  let url = "";
  const server = createServer((request, response) => {
    seen.push(request);
    respond(response);
  });
  beforeEach(async () => {
    seen.length = 0;
    respond = (response) => response.setHeader("etag", '"1"').end();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_REGION", "us-east-1");
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const open = (more: Partial<Parameters<typeof openS3>[0]> = {}) =>
    openS3({ bucket: "shop", prefix: "", service: "test", concurrency: 1, retries: QUICK, ...more });
  const KEY = "a b/é!.json";
  /** The request for an object whose key needs escaping. A PUT, which takes a way of its own, goes to the same place in the same name. */
  const send = async (bucket: Bucket) => {
    await bucket.put(KEY, Buffer.from("x"), OBJECT_HEADERS);
    const put = seen.at(-1);
    await bucket.head(KEY);
    const head = seen.at(-1);
    const scopeOf = (request?: IncomingMessage) => request?.headers.authorization?.split("/20")[0];
    const names = ["host", "user-agent", "x-amz-security-token"] as const;
    expect([put?.method, put?.url, scopeOf(put)]).toEqual(["PUT", head?.url, scopeOf(head)]);
    expect(names.map((name) => put?.headers[name])).toEqual(names.map((name) => head?.headers[name]));
    return head;
  };

  it("has the bucket's name in its path, and is signed for the region", async () => {
    vi.stubEnv("AWS_SESSION_TOKEN", "session");
    const bucket = open({ endpoint: `${url}/`, region: "auto" });
    const request = await send(bucket);
    expect(request?.url).toBe("/shop/a%20b/%C3%A9%21.json");
    expect(request?.headers["x-amz-security-token"]).toBe("session");
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/auto\/s3\/aws4_request, SignedHeaders=.*host;.*x-amz-content-sha256;/,
    );
    bucket[Symbol.dispose]();
  });

  it("finds endpoint, region and credentials in the environment and in a profile", async () => {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", url);
    const known = open();
    const scope = /Credential=(\w+)\/\d{8}\/([\w-]+)\//;
    expect(scope.exec((await send(known))?.headers.authorization ?? "")?.slice(1)).toEqual([
      "key",
      "us-east-1",
    ]);
    known[Symbol.dispose]();
    const folder = mkdtempSync(join(tmpdir(), "vitrine-aws-"));
    const lines = ["region = eu-west-1", "aws_access_key_id = theirs", "aws_secret_access_key = secret"];
    writeFileSync(join(folder, "config"), `[profile shop]\n${lines.join("\n")}\nendpoint_url = ${url}\n`);
    for (const name of ["AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
      vi.stubEnv(name, undefined);
    vi.stubEnv("AWS_PROFILE", "shop");
    vi.stubEnv("AWS_CONFIG_FILE", join(folder, "config"));
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "none"));
    const profile = open();
    expect(scope.exec((await send(profile))?.headers.authorization ?? "")?.slice(1)).toEqual([
      "theirs",
      "eu-west-1",
    ]);
    profile[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it("takes the environment's proxy if Node is told to, as fetch does", async () => {
    vi.stubEnv("HTTP_PROXY", url);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const bucket = open({ endpoint: "http://store.example" });
    expect((await send(bucket))?.url).toBe("http://store.example/shop/a%20b/%C3%A9%21.json");
    bucket[Symbol.dispose]();
    const client = { endpoint: "http://cloudfront.example" };
    const cdn = createCloudFront({ distribution: "E1", tags: false, client, retries: QUICK });
    await cdn.purge({ kind: "everything" }, "r").catch(() => undefined);
    expect(seen.at(-1)?.url).toMatch(/^http:\/\/cloudfront\.example\/.*\/E1\/invalidation$/);
    vi.stubEnv("NODE_USE_ENV_PROXY", undefined);
    const direct = open({ endpoint: "http://store.invalid" });
    await expect(direct.head(KEY)).rejects.toMatchObject({
      hint: expect.stringMatching(/NODE_USE_ENV_PROXY=1/),
    });
    direct[Symbol.dispose]();
  });

  it("is signed with the service's clock if ours is far off", async () => {
    const theirs = Date.now() + 3_600_000;
    respond = (response) =>
      response.setHeader("date", new Date(theirs).toUTCString()).setHeader("etag", '"1"').end();
    const bucket = open({ endpoint: url });
    const stamp = (time: number) => new Date(time).toISOString().replaceAll("-", "").slice(0, 11);
    await bucket.head(KEY);
    for (const ask of [
      () => bucket.head(KEY),
      () => bucket.put(KEY, Buffer.from("x"), OBJECT_HEADERS),
      () => bucket.head(KEY),
    ])
      await ask();
    const [first, ...others] = seen.map(({ headers }) => String(headers["x-amz-date"]).slice(0, 11));
    expect([stamp(Date.now()), stamp(Date.now() - 5000)]).toContain(first);
    expect(others).toHaveLength(3);
    for (const each of others) expect([stamp(theirs), stamp(theirs + 60_000)]).toContain(each);
    expect(Math.abs(((await bucket.clock?.()) ?? 0) - theirs)).toBeLessThan(60_000);
    bucket[Symbol.dispose]();
  });

  it("announces the digests and the size of its body, and does not send it in chunks", async () => {
    const bucket = open({ endpoint: url });
    await bucket.put("x", Buffer.from("x"), OBJECT_HEADERS);
    expect(seen.at(-1)?.headers).toMatchObject({
      "content-length": "1",
      "content-md5": hash("md5", "x", "base64"),
      "x-amz-content-sha256": hash("sha256", "x", "hex"),
    });
    expect(Object.keys(seen.at(-1)?.headers ?? {})).not.toContain("transfer-encoding");
    bucket[Symbol.dispose]();
  });

  type Sent = Parameters<Handler["handle"]>[0];
  /** Carries no request, and keeps each in `sent`. */
  const keeper = (sent: Sent[]): Handler => ({
    async handle(request) {
      sent.push(request);
      return { response: responseOf(200, { etag: '"1"', "content-length": "0" }, Readable.from([])) };
    },
    destroy: () => undefined,
  });

  describe("to put an object has the address, headers and signature of the SDK's own", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 29, 12) });
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const PATH_STYLE = { endpoint: "https://s3.example.org:8443" };
    const HOST_STYLE = { endpoint: "https://shop.s3.example.org" };
    const OF_FILE = { digest: hash("sha256", "x", "hex"), "cache-tag": "vitrine-products,vitrine-product" };

    /** Puts an object by our client and by the SDK's, which leaves out its query and its headers about itself; returns both requests. */
    const putByBoth = async (
      to: { readonly endpoint?: string; readonly region?: string; readonly prefix?: string },
      key: string,
      metadata: PutMetadata = {},
      condition?: { readonly ifMatch: string } | { readonly ifNoneMatch: "*" },
    ) => {
      const sent: Sent[] = [];
      const options = { bucket: "shop", prefix: "", service: "test", concurrency: 1, ...to };
      using bucket = openS3(options, keeper(sent));
      const body = Buffer.from("x");
      const headers = { ...OBJECT_HEADERS, metadata };
      if (condition === undefined) await bucket.put(key, body, headers);
      else await bucket.putIf(key, body, headers, condition);

      const endpoint = to.endpoint?.replace("shop.", "");
      const theirs = new S3Client({
        ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: endpoint === to.endpoint }),
        ...(to.region === undefined ? {} : { region: to.region }),
        requestChecksumCalculation: "WHEN_REQUIRED",
        requestHandler: keeper(sent),
      });
      theirs.middlewareStack.addRelativeTo(
        <Args extends { readonly request: unknown }, Result>(next: (args: Args) => Result) =>
          (args: Args) => {
            const request = args.request as Sent;
            request.query = {};
            for (const name of Object.keys(request.headers))
              if (/^(amz-sdk-|x-amz-user-agent$)/.test(name)) delete request.headers[name];
            return next(args);
          },
        { relation: "before", toMiddleware: "httpSigningMiddleware", name: "aboutItself" },
      );
      const { ifMatch, ifNoneMatch } = { ifMatch: undefined, ifNoneMatch: undefined, ...condition };
      await theirs.send(
        new PutObjectCommand({
          Bucket: "shop",
          Key: to.prefix === undefined ? key : `${to.prefix}/${key}`,
          Body: body,
          ContentType: headers.contentType,
          CacheControl: headers.cacheControl,
          Metadata: { ...metadata },
          ContentMD5: hash("md5", "x", "base64"),
          IfMatch: ifMatch,
          IfNoneMatch: ifNoneMatch,
        }),
      );
      theirs.destroy();
      expect(sent).toHaveLength(2);
      const [ours, sdks] = sent.map(({ method, protocol, hostname, port, path, query, headers }) => {
        const { "user-agent": _, ...others } = headers;
        return { method, address: [protocol, hostname, port ?? null, path, { ...query }], headers: others };
      });
      return { ours, sdks };
    };

    const KEYS = [
      "api/v1/products/page=1.json",
      "a b.json",
      "a+b.json",
      "Bücher/über uns.json",
      "100%.json",
      "100%25.json",
      "~user.json",
      "it's (a) [b] {c} *.json!",
      "a//b.json",
      "q?x=1&y=2#z",
      "日本 🛒.json",
      `"<a>|\\^\`@:;,$`,
    ];
    it.each(KEYS.flatMap((key) => [PATH_STYLE, HOST_STYLE].map((to) => ({ ...to, key }))))(
      "for $key at $endpoint",
      async ({ endpoint, key }) => {
        const { ours, sdks } = await putByBoth({ endpoint }, key, OF_FILE);
        expect(ours).toEqual(sdks);
        expect(ours?.headers["authorization"]).toMatch(/^AWS4-HMAC-SHA256 .*, Signature=[0-9a-f]{64}$/);
      },
    );

    it.each([
      ["neither metadata nor a condition", {}, undefined],
      ["no metadata, if there is no such object", {}, { ifNoneMatch: "*" }],
      ["no metadata, if the object is of this version", {}, { ifMatch: '"9a-2"' }],
      ["metadata and no condition", OF_FILE, undefined],
      ["metadata, if there is no such object", OF_FILE, { ifNoneMatch: "*" }],
      ["metadata, if the object is of this version", OF_FILE, { ifMatch: '"9a-2"' }],
    ] as const)("with %s", async (_, metadata, condition) => {
      const { ours, sdks } = await putByBoth(PATH_STYLE, "a b.json", metadata, condition);
      expect(ours).toEqual(sdks);
      const signed = /SignedHeaders=([^,]*),/.exec(String(ours?.headers["authorization"]))?.[1]?.split(";");
      const conditional = Object.keys(condition ?? {}).map((name) =>
        name.replace(/[A-Z]/g, "-$&").toLowerCase(),
      );
      const described = Object.keys(metadata).map((name) => `x-amz-meta-${name}`);
      expect(signed).toEqual(expect.arrayContaining([...conditional, ...described, "host", "content-md5"]));
    });

    it.each([
      ["in a folder of the bucket", { ...PATH_STYLE, prefix: "shops/größe m" }],
      ["below a path of the service", { endpoint: "https://gate.example.org/s3/" }],
      ["below a path, with the bucket in the host", { endpoint: "https://shop.gate.example.org/s3" }],
      ["at a port of its own, without TLS", { endpoint: "http://127.0.0.1:9000" }],
      ["in another region of a service", { ...PATH_STYLE, region: "auto" }],
      ["at AWS", { region: "eu-central-1" }],
      ["at AWS in China", { region: "cn-north-1" }],
      ["at AWS, in the region of its global address", { region: "aws-global" }],
    ])("%s", async (_, to) => {
      const { ours, sdks } = await putByBoth(to, "a b+ü%.json", OF_FILE, { ifNoneMatch: "*" });
      expect(ours).toEqual(sdks);
    });

    it("with the token of a session", async () => {
      vi.stubEnv("AWS_SESSION_TOKEN", "session/+=");
      const { ours, sdks } = await putByBoth(PATH_STYLE, "x");
      expect(ours).toEqual(sdks);
      expect(ours?.headers["authorization"]).toMatch(/;x-amz-security-token[;,]/);
    });
  });

  it("to put an object that is refused for its clock is tried again with the service's", async () => {
    const theirs = Date.now() + 3_600_000;
    respond = (response) => {
      response.setHeader("date", new Date(theirs).toUTCString()).setHeader("etag", '"1"');
      if (seen.length > 1) response.end();
      else response.writeHead(403).end("<Error><Code>RequestTimeTooSkewed</Code></Error>");
    };
    const bucket = open({ endpoint: url });
    await bucket.put("x", Buffer.from("x"), OBJECT_HEADERS);
    const stamp = (time: number) => new Date(time).toISOString().replaceAll("-", "").slice(0, 11);
    expect([stamp(theirs), stamp(theirs + 60_000)]).toContain(
      String(seen[1]?.headers["x-amz-date"]).slice(0, 11),
    );
    expect(seen).toHaveLength(2);
    bucket[Symbol.dispose]();
  });

  it("to delete has an MD5 and no checksum that recent services do not know", async () => {
    respond = (response) => response.end("<DeleteResult><Deleted><Key>x</Key></Deleted></DeleteResult>");
    const bucket = open({ endpoint: url });
    await bucket.delete(["x"]);
    await bucket.delete([]);
    expect(seen.map(({ method }) => method)).toEqual(["POST"]);
    const headers = seen[0]?.headers ?? {};
    expect(headers["content-md5"]).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(Object.keys(headers).filter((name) => /checksum|trailer|transfer-encoding/.test(name))).toEqual(
      [],
    );
    expect(headers.authorization).toMatch(/SignedHeaders=[^,]*content-md5/);
    bucket[Symbol.dispose]();
  });

  it.each([
    ["s3.example.org", /does not say how to reach it/, "https://s3.example.org"],
    ["localhost:9000", /does not say how to reach it/, "https://localhost:9000"],
    ["s3://shop", /does not say how to reach it/, "--endpoint https://"],
    ["https://s3.example.org/shop", /has the bucket in it/, "--endpoint https://s3.example.org"],
    ["https://gate.example.org/s3/shop/", /has the bucket in it/, "--endpoint https://gate.example.org/s3"],
  ])("is not sent to an invalid endpoint: %s", (endpoint, message, todo) => {
    const opened = () => open({ endpoint });
    expect(opened).toThrow(message);
    expect(opened).toThrow(expect.objectContaining({ code: "usage", hint: expect.stringContaining(todo) }));
    vi.stubEnv("AWS_ENDPOINT_URL_S3", endpoint);
    expect(() => open()).toThrow(message);
  });

  it("is not sent to a directory bucket, which the SDK asks for sessions and signs for in another name", () => {
    const opened = () => open({ bucket: "shop--euc1-az1--x-s3" });
    expect(opened).toThrow(/shop--euc1-az1--x-s3 is a directory bucket of S3/);
    expect(opened).toThrow(
      expect.objectContaining({ code: "usage", hint: expect.stringContaining("general") }),
    );
  });

  it.each([
    ["https://shop.oss-eu-central-1.aliyuncs.com", "shop.oss-eu-central-1.aliyuncs.com", "/x"],
    ["https://shop.s3.example.org:8443", "shop.s3.example.org", "/x"],
    ["https://shop.example", "shop.example", "/shop/x"],
    ["https://s3.example.org", "s3.example.org", "/shop/x"],
  ])("goes to a host that has the bucket in its name unchanged: %s", async (endpoint, hostname, path) => {
    const asked: string[] = [];
    const handle: Handler["handle"] = async (request) => {
      asked.push(request.hostname, request.path);
      return { response: responseOf(200, { etag: '"1"', "content-length": "0" }, Readable.from([])) };
    };
    const place = { bucket: "shop", endpoint, prefix: "", service: "test", concurrency: 1 };
    const opened = openS3(place, { handle, destroy: () => undefined });
    await opened.head("x");
    await opened.put("x", Buffer.from("x"), OBJECT_HEADERS);
    expect(asked).toEqual([hostname, path, hostname, path]);
  });

  it.each([
    ["shop", "eu-central-1", "shop.s3.eu-central-1.amazonaws.com", "/x"],
    ["shop.example", "us-east-1", "s3.us-east-1.amazonaws.com", "/shop.example/x"],
    ["shop", "cn-north-1", "shop.s3.cn-north-1.amazonaws.com.cn", "/x"],
  ])("for a bucket at AWS goes to its own host: %s in %s", async (bucket, region, hostname, path) => {
    const asked: string[] = [];
    const handle: Handler["handle"] = async (request) => {
      asked.push(request.hostname, request.path);
      return { response: responseOf(200, { etag: '"1"', "content-length": "0" }, Readable.from([])) };
    };
    const opened = openS3(
      { bucket, region, prefix: "", service: "aws", concurrency: 1 },
      { handle, destroy: () => undefined },
    );
    await opened.head("x");
    await opened.put("x", Buffer.from("x"), OBJECT_HEADERS);
    expect(asked).toEqual([hostname, path, hostname, path]);
  });
});

describe("an odd response", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  });

  /** A bucket whose service gives these responses in turn, and then always the last one. */
  const bucketOf = (...responses: readonly (readonly [status: number, text: string])[]) => {
    const requests: Parameters<Handler["handle"]>[0][] = [];
    const bucket = openS3(
      {
        bucket: "shop",
        prefix: "a&b",
        service: "test",
        concurrency: 1,
        retries: QUICK,
        endpoint: "http://memory.invalid",
        region: "us-east-1",
      },
      {
        async handle(request) {
          requests.push(request);
          const [status, text] = responses[Math.min(requests.length, responses.length) - 1] ?? [500, ""];
          const headers = { "content-length": String(text.length) };
          return { response: responseOf(status, headers, Readable.from([Buffer.from(text)])) };
        },
        destroy: () => undefined,
      },
    );
    return { bucket, requests };
  };
  const bodyOf = (request?: { readonly body?: unknown }) => String(request?.body);

  it("to a deletion: keys that it does not list as deleted are tried again", async () => {
    const { bucket, requests } = bucketOf(
      [200, "<Error><Code>InternalError</Code><Message>try again</Message></Error>"],
      [200, "<DeleteResult><Error><Key>a&amp;b/x</Key><Code>InternalError</Code></Error></DeleteResult>"],
      [200, ""],
      [
        200,
        "<DeleteResult><Error><Key>a&amp;b/x</Key><Code>SlowDown</Code></Error><Deleted><Key>a&amp;b/y</Key></Deleted></DeleteResult>",
      ],
      [200, "<DeleteResult><Deleted><Key>a&amp;b/x</Key></Deleted></DeleteResult>"],
    );
    await bucket.delete(["x", "y"]);
    const deletions = requests.filter(({ method }) => method === "POST");
    expect(deletions).toHaveLength(4);
    expect(bodyOf(deletions[2])).toContain("<Key>a&amp;b/x</Key></Object><Object><Key>a&amp;b/y</Key>");
    // Keys that were deleted are not requested again.
    expect(bodyOf(deletions[3])).not.toContain("a&amp;b/y");
  });

  it("without an end is given up", async () => {
    let given = 0;
    const endless = function* () {
      yield Buffer.from("<Error><Message>");
      for (const piece = Buffer.alloc(1024 * 1024, "x"); ; given += piece.length) yield piece;
    };
    const handle: Handler["handle"] = async () => ({
      response: responseOf(400, {}, Readable.from(endless())),
    });
    const bucket = openS3(
      { bucket: "shop", prefix: "", service: "test", concurrency: 1, region: "us-east-1" },
      { handle, destroy: () => undefined },
    );
    await expect(bucket.put("x", Buffer.from("x"), OBJECT_HEADERS)).rejects.toThrow(/putting x failed/);
    expect(given).toBeLessThan(20 * 1024 * 1024);
  });

  it("to a deletion: keys that it does not name are looked up, and remaining ones tried again", async () => {
    const { bucket, requests } = bucketOf(
      [200, "<DeleteResult/>"],
      [404, ""],
      [200, ""],
      [200, "<DeleteResult/>"],
      [404, ""],
    );
    await bucket.delete(["x", "y"]);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "HEAD", "HEAD", "POST", "HEAD"]);
    expect(bodyOf(requests[3])).not.toContain("a&amp;b/x");
  });

  it("to a deletion that deletes nothing is an error that names the remaining keys", async () => {
    const { bucket } = bucketOf([200, "<html><body>welcome</body></html>"]);
    await expect(bucket.delete(["x"])).rejects.toThrow(
      /deleting x failed: .*1 key not deleted, first a&b\/x/,
    );
  });

  it("to a PUT without an ETag counts if the object is there", async () => {
    const stored = bucketOf([200, ""]);
    await stored.bucket.put("x", Buffer.from(""), OBJECT_HEADERS);
    expect(stored.requests.map(({ method }) => method)).toEqual(["PUT", "HEAD"]);
    const page = bucketOf([200, "<html>sign in</html>"], [404, ""]);
    await expect(page.bucket.put("x", Buffer.from("x"), OBJECT_HEADERS)).rejects.toThrow(
      /putting x failed: .*The reply does not come from a service/,
    );
  });

  it("to a PUT that is an error in spite of its status 200 is tried again", async () => {
    const failure = "<Error><Code>InternalError</Code><Message>try again</Message></Error>";
    const { bucket, requests } = bucketOf([200, failure], [200, ""]);
    await bucket.put("x", Buffer.from(""), OBJECT_HEADERS);
    expect(requests.map(({ method }) => method)).toEqual(["PUT", "PUT", "HEAD"]);
  });

  it("to a conditional PUT without an ETag proves nothing", async () => {
    const { bucket } = bucketOf([200, ""]);
    const outcome = await bucket.putIf("x", Buffer.from("x"), OBJECT_HEADERS, { ifNoneMatch: "*" });
    expect(outcome).toMatchObject({ kind: "unknown" });
    const write = { key: "x", body: Buffer.from("x"), headers: OBJECT_HEADERS, expected: "" } as const;
    await expect(compareAndSet(bucket, { ...write, style: "quoted" })).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringContaining("without an ETag"),
    });
  });

  const pageOf = (keys: readonly string[], token = "more") =>
    `<ListBucketResult>${keys.map((key) => `<Contents><Key>a%26b/${key}</Key></Contents>`).join("")}` +
    "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>" +
    `<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`;

  it.each([
    ["the same page for ever", pageOf(["api/1", "api/2"]), /it has a&b\/api\/1 twice/, 2],
    ["a key twice", pageOf(["api/2", "api/1", "api/2"]), /it has a&b\/api\/2 twice/, 1],
    ["pages without a key for ever", pageOf([]), /101 pages in a row hold no key/, 101],
    ["more keys, but no token", pageOf(["api/1"], ""), /more keys follow a&b\/api\/1/, 1],
    ["a page for people", "<html><body>welcome</body></html>", /does not say whether more keys follow/, 1],
  ])("to an endless or broken listing is an error: %s", async (_, page, message, asked) => {
    const { bucket, requests } = bucketOf([200, page]);
    const list = async () => {
      for await (const _key of bucket.list("api/"));
    };
    await expect(list()).rejects.toThrow(message);
    expect(requests.length).toBe(asked);
  });

  const lastPageOf = (said: string, ...keys: string[]) =>
    `<ListBucketResult><IsTruncated>false</IsTruncated>${said}` +
    `${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("")}</ListBucketResult>`;

  it.each([
    ["encoded", "<EncodingType>url</EncodingType>", "a%26b/100%25+of+it", "100% of it"],
    ["unchanged, with a %", "", "a&amp;b/100% of it", "100% of it"],
    ["unchanged, looking like encoded ones", "", "a&amp;b/a%41+b", "a%41+b"],
    ["called encoded, but unchanged", "<EncodingType>url</EncodingType>", "a&amp;b/100% of it", "100% of it"],
  ])("to a listing: names are %s", async (_, said, spelled, key) => {
    const { bucket } = bucketOf([200, lastPageOf(said, spelled)]);
    const found: string[] = [];
    for await (const each of bucket.list("")) found.push(each);
    expect(found).toEqual([key]);
  });

  it("to a listing: a token is ignored if nothing follows", async () => {
    const page = lastPageOf("<NextContinuationToken>more</NextContinuationToken>", "a&amp;b/x");
    const { bucket, requests } = bucketOf([200, page]);
    for await (const key of bucket.list("")) expect(key).toBe("x");
    expect(requests).toHaveLength(1);
  });

  it("to a listing: pages without a key are skipped, and keys may be in the order of the service's folders", async () => {
    const last = lastPageOf("<EncodingType>url</EncodingType>", "a%26b/api/faqs.json");
    const { bucket } = bucketOf([200, pageOf(["api/faqs/1.json"])], [200, pageOf([])], [200, last]);
    const found: string[] = [];
    for await (const key of bucket.list("api/")) found.push(key);
    expect(found).toEqual(["api/faqs/1.json", "api/faqs.json"]);
  });

  it("to a conditional write means refused, unknown or final, and the write is never repeated", async () => {
    for (const [status, code, kind] of [
      [412, "PreconditionFailed", "refused"],
      [409, "ConditionalRequestConflict", "conflict"],
      [404, "NoSuchKey", "refused"],
      [500, "InternalError", "unknown"],
      [503, "SlowDown", "unknown"],
    ] as const) {
      const { bucket, requests } = bucketOf([status, `<Error><Code>${code}</Code></Error>`]);
      const outcome = await bucket.putIf("x", Buffer.from("x"), OBJECT_HEADERS, { ifNoneMatch: "*" });
      expect([outcome.kind, requests.length], code).toEqual([kind, 1]);
    }
    for (const [status, code, thrown] of [
      [404, "NoSuchBucket", "remote_failed"],
      [501, "NotImplemented", "conditions_ignored"],
      [400, "InvalidArgument", "conditions_ignored"],
    ] as const) {
      const { bucket, requests } = bucketOf([status, `<Error><Code>${code}</Code></Error>`]);
      const hopeless = bucket.putIf("x", Buffer.from("x"), OBJECT_HEADERS, { ifNoneMatch: "*" });
      await expect(hopeless).rejects.toMatchObject({ code: thrown });
      expect(requests).toHaveLength(1);
    }
  });
});
