/** Answers of services, proxies and networks, played through the SDK and the command: one line says what happened, one what to do. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import type { UpstreamRequest, UpstreamResponse } from "../support/faults.ts";
import { createMemoryStore, type MemoryStore } from "../support/memory-bucket.ts";
import { RGW_ENV, RGW_MISSING, useRgw } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const GOES_ON = "it goes on where it stopped";

interface Case {
  readonly status: number;
  /** S3's XML: its code and message. */
  readonly code?: string;
  readonly message?: string;
  /** A body other than S3's XML. */
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Which requests get this answer; the others reach a service. Default: all. */
  readonly to?: (request: UpstreamRequest) => boolean;
  readonly says: RegExp;
  readonly hint: RegExp;
  readonly exitCode?: number;
  /** True if running again may help by itself. */
  readonly passes?: true;
}

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>No entry</title></head><body><p>No<br>entry</body></html>\n";
const HTML = { "content-type": "text/html", server: "squid/6.6" };
const PUTS = ({ method }: UpstreamRequest) => method === "PUT";
const ANSWERS = ({ method, path }: UpstreamRequest) => method === "PUT" && !path.includes("/.vitrine/");
const CONDITIONS = ({ headers }: UpstreamRequest) =>
  headers["if-none-match"] !== undefined || headers["if-match"] !== undefined;

const CASES: readonly Case[] = [
  // 403s, by their reasons.
  {
    status: 403,
    code: "AccessDenied",
    says: /lack s3:GetObject or s3:ListBucket/,
    hint: /publish-policy\.json/,
  },
  { status: 403, code: "AccessDenied", to: PUTS, says: /lack s3:PutObject/, hint: /publish-policy\.json/ },
  {
    status: 403,
    code: "AccessDenied",
    message:
      "User: arn:aws:iam::1:user/p is not authorized to perform: kms:GenerateDataKey on resource: arn:aws:kms:…",
    to: PUTS,
    says: /encrypted with a key \(KMS\)/,
    hint: /kms:GenerateDataKey and kms:Decrypt/,
  },
  {
    status: 400,
    code: "KMS.DisabledException",
    to: PUTS,
    says: /\(KMS\) is disabled/,
    hint: /enable it in KMS/,
  },
  { status: 403, code: "QuotaExceeded", to: ANSWERS, says: /quota .* is used up/, hint: /smaller --keep/ },
  { status: 400, code: "XMinioAdminBucketQuotaExceeded", to: ANSWERS, says: /quota/, hint: /smaller --keep/ },
  {
    status: 403,
    code: "AccessDenied",
    message: "Cannot upload files, storage cap exceeded. See the Caps & Alerts page to increase your cap.",
    to: PUTS,
    says: /quota .* is used up/,
    hint: /smaller --keep/,
  },
  { status: 507, code: "XMinioStorageFull", to: ANSWERS, says: /disks are full/, hint: /make room/ },
  {
    status: 403,
    body: PAGE,
    headers: HTML,
    says: /a page for people by squid\/6\.6 \(403\)/,
    hint: /let this machine through/,
  },
  { status: 407, body: PAGE, headers: HTML, says: /proxy or firewall/, hint: /let this machine through/ },
  { status: 403, code: "AllAccessDisabled", says: /closed the account/, hint: /provider's console/ },

  // Credentials.
  {
    status: 403,
    code: "InvalidAccessKeyId",
    says: /rotated or deleted.*read again, and are the same/,
    hint: /AWS_SHARED_CREDENTIALS_FILE/,
  },
  {
    status: 403,
    code: "SignatureDoesNotMatch",
    says: /secret is not this key's/,
    hint: /AWS_SECRET_ACCESS_KEY and --region/,
  },
  {
    status: 400,
    code: "ExpiredToken",
    message: "The provided token has expired.",
    says: /session of these credentials has ended/,
    hint: /renew them/,
  },
  { status: 403, code: "RequestTimeTooSkewed", says: /clock/, hint: /timedatectl set-ntp true/ },

  // The wrong place.
  { status: 404, code: "NoSuchBucket", to: PUTS, says: /bucket does not exist/, hint: /make it first/ },
  {
    status: 301,
    code: "PermanentRedirect",
    headers: { "x-amz-bucket-region": "eu-west-1" },
    says: /another region, eu-west-1/,
    hint: /--region eu-west-1/,
  },
  { status: 307, code: "TemporaryRedirect", says: /another region/, hint: /--region NAME/ },
  {
    status: 400,
    code: "AuthorizationHeaderMalformed",
    message:
      "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'",
    says: /another region, eu-central-1/,
    hint: /--region eu-central-1/,
  },
  {
    status: 301,
    body: PAGE,
    headers: { ...HTML, location: "https://s3.example.org/shop/x" },
    says: /leads to https:\/\/s3\.example\.org\./,
    hint: /--endpoint https:\/\/s3\.example\.org;/,
  },
  {
    status: 307,
    body: "",
    headers: { location: "https://s3.example.org/shop/x" },
    says: /leads to https:\/\/s3\.example\.org\./,
    hint: /--region NAME/,
  },
  { status: 404, body: PAGE, headers: HTML, says: /page for people/, hint: /correct --endpoint and --to/ },
  {
    status: 405,
    body: "",
    to: PUTS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  {
    status: 400,
    body: "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head><body><hr></body></html>",
    headers: HTML,
    says: /page for people/,
    hint: /scheme, host and port/,
  },
  { status: 200, body: PAGE, headers: HTML, says: /NoETag \(200\)/, hint: /ask the service itself/ },
  {
    status: 403,
    code: "SecondLevelDomainForbidden",
    says: /bucket in the host's name/,
    hint: /https:\/\/BUCKET\.HOST/,
  },

  // Refused requests.
  {
    status: 413,
    body: PAGE,
    headers: { ...HTML, server: "nginx" },
    to: ANSWERS,
    says: /no body of that size/,
    hint: /client_max_body_size/,
  },
  {
    status: 400,
    code: "InvalidArgument",
    to: CONDITIONS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  {
    status: 501,
    code: "NotImplemented",
    to: CONDITIONS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  { status: 400, code: "BadDigest", to: ANSWERS, says: /body changed on its way/, hint: /https/ },

  // Temporary failures.
  { status: 503, code: "SlowDown", says: /too many requests/, hint: /--concurrency 8/ },
  {
    status: 503,
    code: "SlowDown",
    to: ANSWERS,
    says: /too many requests/,
    hint: /--concurrency 8/,
    passes: true,
  },
  {
    status: 502,
    body: PAGE,
    headers: HTML,
    to: ANSWERS,
    says: /does not answer it/,
    hint: /run it again/,
    passes: true,
  },
  {
    status: 500,
    code: "InternalError",
    message: "We encountered an internal error. Please try again.",
    to: ANSWERS,
    says: /failure is in the service itself/,
    hint: /run it again/,
    passes: true,
  },
];

describe("the command says what happened and what to do,", () => {
  let shop: TinyShop;
  let memory: MemoryStore;
  let proxy: FaultProxy;
  let playing: Case | null = null;
  beforeAll(async () => {
    Object.assign(process.env, RGW_ENV);
    shop = createTinyShop(2);
    await shop.build("answers");
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

  const publish = (endpoint: string, more: readonly string[] = [], env: Record<string, string> = {}) => {
    const place = ["--to", "s3://shop", "--endpoint", endpoint, ...more];
    return runVitrine(["publish", ...place, "--out", join(shop.folder, "answers")], undefined, env);
  };
  /** Exactly two lines: what happened and what it means; what to do. No sentence ends with two full stops. */
  const expectSaid = (
    { code, err }: Awaited<ReturnType<typeof runVitrine>>,
    {
      says,
      hint,
      exitCode = 5,
      passes = false,
    }: Pick<Case, "says" | "hint" | "exitCode"> & { readonly passes?: boolean },
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
    CASES.map((each) => [`${each.status} ${each.code ?? each.headers?.["server"] ?? ""}`, each] as const),
  )("of %s", async (_, each) => {
    memory.objects.clear();
    playing = each;
    try {
      expectSaid(await publish(proxy.url), each);
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
    expectSaid(await publish(endpoint), { says, hint });
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
      expectSaid(await publish(endpoint), {
        says: /does not trust the authority/,
        hint: /NODE_EXTRA_CA_CERTS/,
      });
      expectSaid(await publish(`https://127.0.0.1:${await portOf(plain)}`), {
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
    expectSaid(await publish(proxy.url, [], none), {
      says: /CredentialsProviderError.*No usable credentials/,
      hint: /AWS_SHARED_CREDENTIALS_FILE/,
    });
    expectSaid(await publish(proxy.url, [], { AWS_REGION: "", HOME: shop.folder }), {
      says: /No region is named/,
      hint: /--region us-east-1/,
    });
  });

  it("if the endpoint is invalid", async () => {
    expectSaid(await publish("s3.example.org"), {
      says: /"s3\.example\.org"/,
      hint: /--endpoint https:\/\/s3\.example\.org/,
      exitCode: 2,
    });
    expectSaid(await publish("https://s3.example.org/shop"), {
      says: /has the bucket in it/,
      hint: /--endpoint https:\/\/s3\.example\.org$/,
      exitCode: 2,
    });
  });

  it.skipIf(RGW_MISSING !== null)(
    "for a real store: a missing bucket, a wrong secret and an unknown key",
    async () => {
      const { endpoint } = await useRgw();
      const nowhere = await publish(endpoint, ["--to", "s3://nowhere"]);
      expectSaid(nowhere, { says: /NoSuchBucket/, hint: /make it first/ });
      expectSaid(await publish(endpoint, [], { AWS_SECRET_ACCESS_KEY: "wrong" }), {
        says: /SignatureDoesNotMatch \(403\).*secret is not this key's/,
        hint: /AWS_SECRET_ACCESS_KEY/,
      });
      expectSaid(await publish(endpoint, [], { AWS_ACCESS_KEY_ID: "unknown" }), {
        says: /InvalidAccessKeyId \(403\)/,
        hint: /AWS_SHARED_CREDENTIALS_FILE/,
      });
    },
  );
});
