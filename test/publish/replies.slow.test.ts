/** Answers of services, proxies and networks, played through the SDK and the command: one line says what happened, one what to do. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VitrineError } from "../../src/base/error.ts";
import { formatError } from "../../src/cli/errors.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { type Ran, runVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import type { UpstreamRequest, UpstreamResponse } from "../support/faults.ts";
import { createMemoryStore, type MemoryStore } from "../support/memory-bucket.ts";
import { bucketAt, OPTIONS, portsOf } from "../support/publishing.ts";
import { explainSeen, REPLIES, type SeenReply } from "../support/replies.ts";
import { RGW_ENV, RGW_MISSING, useRgw } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const GOES_ON = "it goes on where it stopped";

type Said = Pick<Ran, "code" | "err">;

/** The command repeats these requests for ten seconds and more. */
const isRepeated = ({ status, code }: SeenReply) =>
  [500, 502, 503].includes(status) || code === "RequestTimeTooSkewed";

describe("the command says what happened and what to do,", () => {
  let shop: TinyShop;
  let snapshot: Snapshot;
  let memory: MemoryStore;
  let proxy: FaultProxy;
  let playing: SeenReply | null = null;
  beforeAll(async () => {
    Object.assign(process.env, RGW_ENV);
    shop = createTinyShop(2);
    snapshot = await shop.build("answers");
    memory = createMemoryStore();
    const ask = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
      if (playing === null || playing.to?.(request) === false) return memory.ask(request);
      const { status, code, message = code, body, headers } = playing;
      const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
      return {
        status,
        headers: { "content-type": "application/xml", ...headers },
        body: Buffer.from(body ?? xml),
      };
    };
    proxy = await startFaultProxy({ ...memory, ask });
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  const publishByCommand = (
    endpoint: string,
    more: readonly string[] = [],
    env: Record<string, string> = {},
  ) => {
    const place = ["--to", "s3://shop", "--endpoint", endpoint, ...more];
    return runVitrine(["publish", ...place, "--out", join(shop.folder, "answers")], undefined, env);
  };
  /** As the command does and says it, with pauses of milliseconds between tries. */
  const publishQuickly = (endpoint: string): Promise<Said> =>
    publish(snapshot, OPTIONS, portsOf(bucketAt(endpoint, ""))).then(
      () => ({ code: 0, err: "" }),
      (error: VitrineError) => ({
        code: error.exitCode,
        err: formatError(error.code, error.message, error.hint),
      }),
    );
  /** Exactly two lines: what happened and what it means; what to do. No sentence ends with two full stops. */
  const expectSaid = (
    { code, err }: Said,
    {
      says,
      hint,
      exitCode = 5,
      passes = false,
    }: Pick<SeenReply, "says" | "hint" | "exitCode"> & { readonly passes?: boolean },
  ) => {
    const [message = "", todo = "", ...more] = err.trimEnd().split("\n");
    expect(more, err).toEqual([]);
    expect(message, err).toMatch(says);
    expect(todo, err).toMatch(/^ {2}hint: [^.]/);
    expect(todo, err).toMatch(hint);
    expect(err).not.toMatch(/\.\s*\.(\s|$)/);
    expect(err).not.toContain("SDK XML parse error");
    expect(err.includes(GOES_ON), err).toBe(passes);
    expect(code, err).toBe(exitCode);
  };

  it.each(
    REPLIES.map((each) => [`${each.status} ${each.code ?? each.headers?.["server"] ?? ""}`, each] as const),
  )("of %s", async (_, each) => {
    memory.objects.clear();
    playing = each;
    try {
      const result = await (isRepeated(each) ? publishQuickly : publishByCommand)(proxy.url);
      expectSaid(result, each);
      const { means, todo } = explainSeen(each);
      expect(result.err, "the words of docs/s3-services.md").toContain(means);
      expect(result.err, "the words of docs/s3-services.md").toContain(todo);
    } finally {
      playing = null;
    }
  });

  it.each([
    [
      "a name that does not exist",
      "http://s3.vitrine.invalid",
      /ENOTFOUND.*No name server knows|EAI_AGAIN/,
      /name service|repair it/,
    ],
    [
      "a port where nothing listens",
      "http://127.0.0.1:1",
      /ECONNREFUSED.*Nothing listens/,
      /start the service/,
    ],
  ])("of %s", async (_, endpoint, says, hint) => {
    expectSaid(await publishByCommand(endpoint), { says, hint });
  });

  it("for TLS: a certificate of an unknown authority, of another host, and no TLS at all", async () => {
    const [key, cert] = [join(shop.folder, "key.pem"), join(shop.folder, "cert.pem")];
    const made = spawnSync("openssl", [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=other".split(
        " ",
      ),
      ...["-keyout", key, "-out", cert],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    const portOf = async (server: Server | ReturnType<typeof createTlsServer>) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    };
    const secure = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end(),
    );
    const plain = createServer((_, response) => response.end());
    try {
      const endpoint = `https://127.0.0.1:${await portOf(secure)}`;
      expectSaid(await publishByCommand(endpoint), {
        says: /does not trust the authority/,
        hint: /NODE_EXTRA_CA_CERTS/,
      });
      expectSaid(await publishByCommand(`https://127.0.0.1:${await portOf(plain)}`), {
        says: /One side speaks TLS/,
        hint: /https:\/\/ to http:\/\//,
      });
    } finally {
      secure.close();
      plain.close();
    }
  });

  it("if credentials or a region are missing here", async () => {
    const none = {
      AWS_ACCESS_KEY_ID: "",
      AWS_SECRET_ACCESS_KEY: "",
      AWS_EC2_METADATA_DISABLED: "true",
      HOME: shop.folder,
    };
    expectSaid(await publishByCommand(proxy.url, [], none), {
      says: /CredentialsProviderError.*No usable credentials/,
      hint: /AWS_SHARED_CREDENTIALS_FILE/,
    });
    expectSaid(await publishByCommand(proxy.url, [], { AWS_REGION: "", HOME: shop.folder }), {
      says: /No region is named/,
      hint: /--region us-east-1/,
    });
  });

  it("if the endpoint is invalid", async () => {
    expectSaid(await publishByCommand("s3.example.org"), {
      says: /"s3\.example\.org"/,
      hint: /--endpoint https:\/\/s3\.example\.org/,
      exitCode: 2,
    });
    expectSaid(await publishByCommand("https://s3.example.org/shop"), {
      says: /has the bucket in it/,
      hint: /--endpoint https:\/\/s3\.example\.org$/,
      exitCode: 2,
    });
  });

  it.skipIf(RGW_MISSING !== null)(
    "for a real store: a missing bucket, a wrong secret and an unknown key",
    async () => {
      const { endpoint } = await useRgw();
      const nowhere = await publishByCommand(endpoint, ["--to", "s3://nowhere"]);
      expectSaid(nowhere, { says: /NoSuchBucket/, hint: /make it first/ });
      expectSaid(await publishByCommand(endpoint, [], { AWS_SECRET_ACCESS_KEY: "wrong" }), {
        says: /SignatureDoesNotMatch \(403\).*secret is not this key's/,
        hint: /AWS_SECRET_ACCESS_KEY/,
      });
      expectSaid(await publishByCommand(endpoint, [], { AWS_ACCESS_KEY_ID: "unknown" }), {
        says: /InvalidAccessKeyId \(403\)/,
        hint: /AWS_SHARED_CREDENTIALS_FILE/,
      });
    },
  );
});
