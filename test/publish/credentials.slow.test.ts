/** Keys that are rotated, and sessions that end, while something runs: they are read again without a restart. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { unreadSettings } from "../../src/publish/aws.ts";
import { OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { openS3 } from "../../src/publish/buckets/s3.ts";
import { readLive } from "../../src/publish/documents.ts";
import { STORE_QUERIES } from "../store-fixture.ts";
import { type Running, startVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import type { UpstreamRequest } from "../support/faults.ts";
import { createMemoryStore, type MemoryStore } from "../support/memory-bucket.ts";
import { bucketAt } from "../support/publishing.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

/** A store that knows a few keys, and counts what it refuses. */
interface RotatingStore {
  readonly memory: MemoryStore;
  readonly proxy: FaultProxy;
  readonly known: Set<string>;
  refused: number;
  readonly tokens: Set<string>;
}

async function startRotatingStore(): Promise<RotatingStore> {
  const memory = createMemoryStore();
  const error = (status: number, code: string) => ({
    status,
    headers: { "content-type": "application/xml" },
    body: Buffer.from(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
  });
  const store = { memory, known: new Set<string>(), refused: 0, tokens: new Set<string>() };
  const ask = async (request: UpstreamRequest) => {
    const used = /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1];
    const token = request.headers["x-amz-security-token"];
    if (typeof token === "string") store.tokens.add(token);
    if (store.known.has(used ?? "")) return memory.ask(request);
    store.refused += 1;
    return token === undefined ? error(403, "InvalidAccessKeyId") : error(400, "ExpiredToken");
  };
  return Object.assign(store, { proxy: await startFaultProxy({ ...memory, ask }) });
}

describe("changing credentials", () => {
  let store: RotatingStore;
  let shop: TinyShop;
  let folder: string;
  beforeAll(async () => {
    store = await startRotatingStore();
    shop = createTinyShop(2);
    folder = mkdtempSync(join(tmpdir(), "vitrine-keys-"));
  });
  afterAll(async () => {
    await store.proxy.close();
    shop.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = () => join(folder, "credentials");
  const ENV = () => ({
    AWS_SHARED_CREDENTIALS_FILE: file(),
    AWS_ACCESS_KEY_ID: "",
    AWS_SECRET_ACCESS_KEY: "",
    AWS_REGION: "us-east-1",
  });
  /** Writes a secret as orchestrators do: as a whole file, by a rename. `isKnown`: the store accepts this key from now on. */
  const rotate = (key: string, { token = "", isKnown = true } = {}) => {
    const lines = ["[default]", `aws_access_key_id = ${key}`, "aws_secret_access_key = secret"];
    if (token !== "") lines.push(`aws_session_token = ${token}`);
    writeFileSync(`${file()}.new`, `${lines.join("\n")}\n`);
    renameSync(`${file()}.new`, file());
    if (!isKnown) return;
    store.known.clear();
    store.known.add(key);
  };
  beforeEach(() => {
    store.refused = 0;
    for (const [name, value] of Object.entries(ENV())) vi.stubEnv(name, value === "" ? undefined : value);
  });
  const running: Running[] = [];
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const { child, ended } of running.splice(0)) {
      child.kill("SIGKILL");
      await ended;
    }
  });
  const start = (...args: readonly string[]): Running => {
    const started = startVitrine(args, ENV());
    running.push(started);
    return started;
  };

  it("in their file are used by the next request, and read once for all parallel requests", async () => {
    rotate("KEY1");
    using bucket = bucketAt(store.proxy.url, "port");
    await bucket.put("x", Buffer.from("1"), OBJECT_HEADERS);
    rotate("KEY2");
    await Promise.all(["a", "b", "c"].map((key) => bucket.put(key, Buffer.from("1"), OBJECT_HEADERS)));
    expect(store.refused).toBeLessThanOrEqual(3);
    rotate("KEY3", { token: "session" });
    expect(await bucket.putIf("y", Buffer.from("1"), OBJECT_HEADERS, { ifNoneMatch: "*" })).toMatchObject({
      kind: "written",
    });
    rotate("KEY4", { token: "another" });
    expect((await bucket.get("y"))?.body.toString()).toBe("1");
    rotate("KEY5");
    // A HEAD has no code.
    expect(await bucket.head("y")).toMatchObject({ sizeBytes: 1 });
    expect([...store.tokens]).toEqual(["session", "another"]);
  });

  it("that are refused as well end the request, with advice", async () => {
    rotate("OLD", { isKnown: false });
    using bucket = bucketAt(store.proxy.url, "port");
    const failed = await bucket.get("x").catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: expect.stringContaining("read again, and are the same"),
      hint: expect.stringContaining("AWS_SHARED_CREDENTIALS_FILE"),
    });
    expect(store.refused).toBe(1);
  });

  it("are used by a running watch and a running fallback", async () => {
    rotate("RUN1");
    const config = join(folder, "vitrine.config.json");
    writeFileSync(config, JSON.stringify({ ...TINY_CONFIG, queries: resolve(STORE_QUERIES) }));
    const to = ["--endpoint", store.proxy.url];
    const out = join(folder, "out");
    const watched = start(
      "watch",
      "--store",
      shop.store,
      "--config",
      config,
      "--out",
      out,
      "--to",
      "s3://shop/run",
      ...to,
      "--json",
    );
    const published = () => watched.said().match(/"event":"publish"/g)?.length ?? 0;
    await until("a first publish", () => published() === 1);
    const fallback = start("fallback", "--to", "s3://shop/run", ...to, "--port", "0");
    const url = await until(
      "a fallback that listens",
      () => /listening on (http:[^\s"]+)/.exec(fallback.said())?.[1],
    );
    const nameOf = async () => {
      const response = await fetch(`${url}/api/v1/product?slug=${shop.slugs[0]}`);
      return ((await response.json()) as { data?: { title?: string; name?: string } }).data;
    };
    await nameOf();
    rotate("RUN2");
    shop.sql(`UPDATE products SET name = 'After the rotation' WHERE slug = '${shop.slugs[0]}'`);
    // As a shop's own hook would ask.
    watched.child.kill("SIGUSR2");
    await until("a second publish", () => published() === 2);
    const { release } = await readLive(bucketAt(store.proxy.url, "run"));
    expect(release).toMatch(/^00000002-/);
    await until("the second release", async () =>
      JSON.stringify(await nameOf()).includes("After the rotation"),
    );
    expect(watched.said()).not.toContain('"event":"failed"');
    for (const running of [watched, fallback]) running.child.kill("SIGTERM");
    expect(await Promise.all([watched.ended, fallback.ended])).toEqual([0, 0]);
  });

  it("of a web identity are renewed before they end, with the current token from its file", async () => {
    const seen: string[] = [];
    const sts = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += String(part);
      });
      request.on("end", () => {
        seen.push(new URLSearchParams(body).get("WebIdentityToken") ?? "");
        store.known.add(`STS${seen.length}`);
        response
          .setHeader("content-type", "text/xml")
          .end(
            '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>' +
              `<Credentials><AccessKeyId>STS${seen.length}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t${seen.length}</SessionToken>` +
              `<Expiration>${new Date(Date.now() + 1000).toISOString()}</Expiration></Credentials>` +
              "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>",
          );
      });
    });
    await new Promise<void>((resolve) => sts.listen(0, "127.0.0.1", resolve));
    try {
      const token = join(folder, "token");
      writeFileSync(token, "token-1");
      for (const name of ["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"])
        vi.stubEnv(name, join(folder, "none"));
      vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${(sts.address() as AddressInfo).port}`);
      vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/publisher");
      vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", token);
      using bucket = bucketAt(store.proxy.url, "sts");
      await bucket.put("x", Buffer.from("1"), OBJECT_HEADERS);
      writeFileSync(token, "token-2");
      await until("a session by the second token", async () => {
        await bucket.put("x", Buffer.from("2"), OBJECT_HEADERS);
        return seen.at(-1) === "token-2";
      });
      // The store ends the session early.
      store.known.clear();
      expect((await bucket.get("x"))?.body.toString()).toBe("2");
    } finally {
      sts.close();
      sts.closeAllConnections();
    }
  });
});

it("a file of credentials that gives nothing is named, where the SDK only misses a region", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-keys-"));
  const file = join(folder, "s3.credentials");
  const missing = new Error("Region is missing");
  const why = (env: NodeJS.ProcessEnv, error: Error = missing) => unreadSettings(error, env);
  try {
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: file })).toMatch(
      /^AWS_SHARED_CREDENTIALS_FILE names .*s3\.credentials, which this user cannot read: ENOENT/,
    );
    writeFileSync(file, "[default]\nregion = us-east-1\n\n[ profile  shop ]\n");
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: file })).toBeNull();
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: "shop" })).toBeNull();
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: "other" })).toMatch(
      /has no section \[other\]\.$/,
    );
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: folder })).toBeNull();
    expect(why({})).toBeNull();
    expect(why({ AWS_SHARED_CREDENTIALS_FILE: "/none" }, new Error("socket hang up"))).toBeNull();
    const bucket = openS3({ bucket: "shop", prefix: "", service: "s3", concurrency: 1 });
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "none"));
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID"]) vi.stubEnv(name, undefined);
    await expect(bucket.get("x")).rejects.toMatchObject({
      message: expect.stringContaining("none, which this user cannot read"),
      hint: expect.stringContaining("correct that file or the variable"),
    });
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  }
});
