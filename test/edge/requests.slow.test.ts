/** The same requests to `vitrine serve`, nginx, the Worker with a fallback or with its object, and Cloudflare Pages: the same answers. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { targetKey } from "../../src/key/key.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { createHttpServer, listen, stop } from "../../src/serve/http.ts";
import { ObjectHost, releaseFrom } from "../object/host.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG } from "../support/tiny-shop.ts";
import { CASES, type Case } from "./support/cases.ts";
import { type Running, startFallback, startNginx, startPages, startWorker } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { type Reply, send } from "./support/wire.ts";

const CONTRACT_HEADERS = [
  "content-type",
  "x-content-type-options",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
  "cache-control",
  "cdn-cache-control",
  "etag",
  "vary",
  "allow",
  "location",
  "retry-after",
  "x-corrected-search",
];

/** A difference that an edge cannot avoid: the edge, and the parts of the answer. */
interface Difference {
  readonly name: string;
  readonly when: (asked: Case, expected: Reply) => boolean;
  /** `status`, `body` or a header. */
  readonly parts: readonly string[];
}

const every = ["status", "body", ...CONTRACT_HEADERS];
const isFile = (reply: Reply) => reply.headers["x-source"] === "file";

const NGINX: readonly Difference[] = [
  {
    name: "the ETag of a file is made from its time and size",
    when: (_, expected) => isFile(expected),
    parts: ["etag"],
  },
  {
    // njs can't make a 304 of a proxied answer: nginx sends its status line all the same.
    name: "the fallback's answer gets no 304 for an ETag that a server in front has changed",
    when: ({ again }, expected) => again !== undefined && !isFile(expected) && expected.status === 304,
    parts: ["status", "body", "content-type"],
  },
  {
    name: "a path with a broken escape is refused as invalid HTTP",
    when: ({ target }) => target.includes("/%zz"),
    parts: ["status", "body"],
  },
];
const WORKER: readonly Difference[] = [
  {
    name: "dot segments are resolved before the Worker sees them",
    when: ({ target }) => target.includes("/./"),
    parts: every,
  },
  {
    name: "bytes that are not UTF-8 are replaced before the Worker sees them, so the 400 names other ones",
    when: ({ target }) => target.includes("\xff"),
    parts: ["body"],
  },
];
const PAGES: readonly Difference[] = [
  ...WORKER,
  {
    name: "outside the API Pages answers itself: with its ETags, its 404 page, an absolute redirect",
    when: ({ target }) => !target.includes("/api/v1") || target.startsWith("/fallback/"),
    parts: every.filter((part) => part !== "status"),
  },
  {
    name: "below an endpoint, a path is a file's own path, without the Worker",
    when: ({ target }) => target.startsWith("/api/v1/products/"),
    parts: every,
  },
  {
    name: "doubled slashes are redirected",
    when: ({ target }) => target.startsWith("//api") || target.startsWith("/api/v1%2f"),
    parts: every,
  },
];

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
const site = join(out, "site");
let reference: Running;
let fallback: Running;
let fallbackOfWorker: Running;

/** `vitrine serve` without its rate limit; it also says who answered. */
async function startServe(): Promise<Running> {
  const catalog = openCatalog(join(out, "catalog.sqlite"));
  const server = createHttpServer({
    answer: (target) => {
      const answer = answerAtEdge(catalog, site, target);
      return { ...answer, headers: { ...answer.headers, "X-Source": answer.source } };
    },
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => {},
    failed: (error) => {
      throw error;
    },
  });
  const url = await listen(server, "127.0.0.1", 0);
  return { port: Number(new URL(url).port), stop: () => stop(server) };
}

beforeAll(async () => {
  reference = await startServe();
  fallback = await startFallback(join(out, "catalog.sqlite"));
  fallbackOfWorker = await startFallback(join(out, "catalog.sqlite"), { targetHeader: true });
});
afterAll(async () => {
  for (const server of [reference, fallback, fallbackOfWorker]) await server.stop();
});

/** The answer to a request; each case has a separate client, so that none reaches the limit. */
async function answerTo(port: number, asked: Case): Promise<Reply> {
  const address = `198.51.100.${CASES.indexOf(asked)}`;
  const client = { "X-Forwarded-For": address, "CF-Connecting-IP": address };
  const request = { ...asked, headers: { ...asked.headers, ...client } };
  const reply = await send({ port }, request);
  if (asked.again === undefined) return reply;
  const known = asked.again(reply.headers["etag"] ?? "");
  return send({ port }, { ...request, headers: { ...request.headers, "If-None-Match": known } });
}

/** The parts of a reply that must be equal. The body is shortened: diffing a long one takes minutes. */
function partsOf(reply: Reply): Record<string, string> {
  const headers = CONTRACT_HEADERS.map((name) => [name, reply.headers[name] ?? ""]);
  return { status: String(reply.status), body: shortened(reply.body), ...Object.fromEntries(headers) };
}

function shortened(body: string): string {
  return `${body.slice(0, 150)} (${body.length}, ${createHash("sha256").update(body).digest("hex")})`;
}

function itAnswersAlike(start: () => Promise<Running>, differences: readonly Difference[]): void {
  let edge: Running;
  const met = new Set<string>();
  beforeAll(async () => {
    edge = await start();
  });
  afterAll(() => edge.stop());

  it.each(CASES)("$name", async (asked) => {
    const expected = await answerTo(reference.port, asked);
    const reply = await answerTo(edge.port, asked);
    const parts = partsOf(reply);
    const wanted = partsOf(expected);
    for (const { name, when, parts: free } of differences) {
      if (!when(asked, expected)) continue;
      for (const part of free) {
        if (parts[part] !== wanted[part]) met.add(name);
        wanted[part] = parts[part] ?? "";
      }
    }
    expect(parts).toEqual(wanted);
    expect(parts["etag"] === "").toBe(wanted["etag"] === "");
  });

  it("differs exactly as listed, and in everything that is listed", () => {
    expect([...met].sort()).toEqual(differences.map(({ name }) => name).sort());
  });
}

const FILE_KEYS = [...new Set(CASES.flatMap(({ target }) => targetKey(target) ?? []))];
const TRUSTED = ["127.0.0.1"];
const options = (name: string) => ({
  folder: join(folder, name),
  site,
  fallbackPort: fallback.port,
  trusted: TRUSTED,
});

describeWith(["nginx"], "nginx", () => {
  itAnswersAlike(() => startNginx(options("nginx")), NGINX);
});
describe("Cloudflare Pages", () => {
  itAnswersAlike(
    () => startPages({ folder: join(folder, "pages"), site, fallbackPort: fallbackOfWorker.port }, FILE_KEYS),
    PAGES,
  );
});
describe("the Worker with its object", () => {
  itAnswersAlike(async () => {
    const host = await ObjectHost.start({ requests: 120, hasCache: true });
    for (const key of FILE_KEYS)
      if (existsSync(join(site, key))) await host.putFile(key, readFileSync(join(site, key)));
    await host.following(await host.publish(releaseFrom(join(out, "catalog.sqlite"))));
    return { port: Number(host.address.port), stop: () => host[Symbol.asyncDispose]() };
  }, WORKER);
});
describe("the Worker", () => {
  itAnswersAlike(() => startWorker({ site, fallbackPort: fallbackOfWorker.port }, FILE_KEYS), WORKER);
});

describeWith(["nginx"], "the root", () => {
  it("redirects from a public address to the explorer, if the snapshot has one", async () => {
    const shop = createTinyShop();
    const config = { ...TINY_CONFIG, pages: {} };
    const { layout, manifest } = await shop.build("root", config);
    const answering = await startFallback(layout.catalog);
    const edge = await startNginx({
      ...options("root"),
      site: layout.site,
      fallbackPort: answering.port,
      config,
    });
    try {
      const reply = await send({ port: edge.port }, { target: "/?utm_source=x" });
      expect([reply.status, reply.headers["location"]]).toEqual([302, "explore/"]);
      const page = await fetch(`http://127.0.0.1:${edge.port}`);
      expect([page.status, new URL(page.url).pathname]).toEqual([200, "/explore/"]);
      expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    } finally {
      for (const server of [edge, answering]) await server.stop();
      manifest.close();
      shop.close();
    }
  });
});

describeWith(["nginx"], "nginx, for clients that take gzip", () => {
  it("compresses files and the fallback's answers, and sends Vary", async () => {
    const edge = await startNginx(options("gzip"));
    try {
      for (const target of ["/api/v1/products", "/api/v1/products?search=kit"]) {
        const plain = await send({ port: edge.port }, { target });
        const reply = await fetch(`http://127.0.0.1:${edge.port}${target}`, {
          headers: { "Accept-Encoding": "gzip" },
        });
        expect(reply.headers.get("content-encoding")).toBe("gzip");
        expect(reply.headers.get("vary")).toBe("Accept-Encoding");
        expect(reply.headers.get("etag")).toMatch(/^W\//);
        expect(await reply.text()).toBe(plain.body);
      }
    } finally {
      await edge.stop();
    }
  });
});
