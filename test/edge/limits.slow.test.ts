/**
 * The limit at each edge: after a quiet time exactly 120 of 300 requests pass, whatever their kind, and after a quiet window 120 pass
 * again. That window is shortened, so that the test does not wait for a minute. On a busy machine a burst takes time, in which nginx
 * lets further requests pass: so many more are right.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type Running, startFallback, startNginx, startWorker } from "./support/servers.ts";
import { areInstalled, describeWith, type Tool } from "./support/tools.ts";
import { type Endpoint, type Reply, type Request, sendAll } from "./support/wire.ts";

interface LimitedEdge {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** Of one client, while a burst of it lasts. */
  readonly perSecond: number;
  /** How a trusted proxy passes the client's address to the edge. */
  readonly header: string;
  readonly retryAfter: RegExp;
  start(): Promise<Running>;
  /** The same edge with a shorter window. */
  readonly quick: { readonly seconds: number; start(): Promise<Running> };
}

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
let fallback: Running;

const options = (name: string) => ({
  folder: join(folder, name),
  site: join(out, "site"),
  fallbackPort: fallback.port,
  trusted: ["127.0.0.1"],
});

/** An edge's files with a shorter window, changed in one place. */
const shorter = (name: string, from: string, to: string) => {
  let isFound = false;
  const change = (_file: string, text: string) => {
    isFound ||= text.includes(from);
    return text.replace(from, to);
  };
  return {
    options: { ...options(`${name}-quick`), change },
    check: (running: Running) => {
      expect(isFound, `${from} of ${name}`).toBe(true);
      return running;
    },
  };
};

const EDGES: readonly LimitedEdge[] = [
  {
    name: "nginx",
    tools: ["nginx"],
    perSecond: 2,
    header: "X-Forwarded-For",
    retryAfter: /^1$/,
    start: () => startNginx(options("nginx")),
    quick: {
      seconds: 4,
      start: async () => {
        const { options, check } = shorter("nginx", "rate=120r/m", "rate=1800r/m");
        return check(await startNginx(options));
      },
    },
  },
  {
    name: "the Worker",
    tools: [],
    perSecond: 0,
    header: "CF-Connecting-IP",
    retryAfter: /^60$/,
    start: () => startWorker(options("worker"), ["api/v1/store.json"]),
    quick: {
      seconds: 10,
      start: () => startWorker({ ...options("worker"), windowSeconds: 10 }, ["api/v1/store.json"]),
    },
  },
];

/** 300 requests of all kinds: files, misses, errors, other methods, and files that the client has. */
function mixed(headers: Readonly<Record<string, string>>): Request[] {
  const kinds: Request[] = [
    { target: `${API_PATH}/store` },
    { target: `${API_PATH}/store`, headers: { "If-None-Match": "*" } },
    { target: `${API_PATH}/nothing` },
    { target: `${API_PATH}/products?page=0` },
    { target: `${API_PATH}/store`, method: "POST" },
    { target: `${API_PATH}/store`, method: "OPTIONS" },
    { target: `${API_PATH}/store`, method: "HEAD" },
    { target: `${API_PATH}/products?search=kit` },
  ];
  return Array.from({ length: 300 }, (_, at) => {
    const kind = kinds[at % kinds.length] as Request;
    return { ...kind, headers: { ...kind.headers, ...headers } };
  });
}

function passed(replies: readonly Reply[]): number {
  return replies.filter(({ status }) => status !== 429).length;
}

/** The replies to 300 requests of one client at once. */
interface Burst {
  readonly replies: readonly Reply[];
  readonly seconds: number;
}

/** The first 120 pass, and then as many as the edge allows in that time. */
function expectLimited({ perSecond }: LimitedEdge, { replies, seconds }: Burst): void {
  expect(passed(replies.slice(0, 120))).toBe(120);
  expect(passed(replies)).toBeLessThanOrEqual(120 + Math.floor(perSecond * seconds));
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Windows at Cloudflare begin at the clock's minutes: a burst must not cross one. */
async function earlyInMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await sleep(left + 50);
}

/** A running edge, and the results of its first client. */
interface Started {
  readonly running: Running;
  readonly first: Burst;
}
const started = new Map<LimitedEdge, Started>();

async function burstOf(to: Endpoint, requests: readonly Request[]): Promise<Burst> {
  const began = performance.now();
  const replies = await sendAll(to, requests);
  return { replies, seconds: (performance.now() - began) / 1000 };
}

async function burst(edge: LimitedEdge, { port }: Running, address: string): Promise<Burst> {
  if (edge.name === "the Worker") await earlyInMinute();
  return burstOf({ port }, mixed({ [edge.header]: address }));
}

function startedEdge(edge: LimitedEdge): Started {
  const found = started.get(edge);
  if (found === undefined) throw new Error(`${edge.name} was not started`);
  return found;
}

beforeAll(async () => {
  fallback = await startFallback(join(out, "catalog.sqlite"));
  for (const edge of EDGES.filter(({ tools }) => areInstalled(tools))) {
    const running = await edge.start();
    // Another client goes first and opens files and connections, so that the measured burst is short.
    await burst(edge, running, "192.0.2.200");
    started.set(edge, { running, first: await burst(edge, running, "192.0.2.1") });
  }
});
afterAll(async () => {
  for (const { running } of started.values()) await running.stop();
  await fallback.stop();
});

function itLimits(edge: LimitedEdge): void {
  it("passes exactly the first 120 of 300, whatever their kind", () => {
    const { first } = startedEdge(edge);
    expectLimited(edge, first);
    expect(new Set(first.replies.slice(0, 120).map(({ status }) => status))).toEqual(
      new Set([200, 204, 304, 400, 404, 405]),
    );
  });

  it("answers those that it refuses as the contract says", () => {
    const reply = startedEdge(edge).first.replies.find(({ status }) => status === 429);
    expect(reply?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": "120",
      "x-ratelimit-window": "60",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window",
    });
    expect(reply?.headers["retry-after"]).toMatch(edge.retryAfter);
    expect(reply?.body).toBe(
      '{"success":false,"error":{"code":"rate_limited","message":"Too many requests."}}',
    );
  });

  it("counts another address separately", async () => {
    const { running } = startedEdge(edge);
    expectLimited(edge, await burst(edge, running, "192.0.2.2"));
  });

  it("counts an IPv6 customer's /64 as one client", async () => {
    const { running } = startedEdge(edge);
    const [first, same] = [
      await burst(edge, running, "2001:db8::1"),
      await burst(edge, running, "2001:db8::2"),
    ];
    expectLimited(edge, {
      replies: [...first.replies, ...same.replies],
      seconds: first.seconds + same.seconds,
    });
    expectLimited(edge, await burst(edge, running, "2001:db8:0:1::1"));
  });

  // Only Cloudflare itself can set CF-Connecting-IP, and X-Forwarded-For is not read there.
  it("ignores X-Forwarded-For from untrusted clients", async () => {
    const { running } = startedEdge(edge);
    await earlyInMinute();
    const requests = mixed({}).map((request, at) => ({
      ...request,
      headers: { ...request.headers, "X-Forwarded-For": `203.0.113.${at % 250}` },
    }));
    expectLimited(edge, await burstOf({ port: running.port, from: "127.0.0.7" }, requests));
  });
}

function itForgets(edge: LimitedEdge): void {
  const { seconds, start } = edge.quick;
  it("passes 120 again after a quiet window", async () => {
    const running = await start();
    try {
      const client = (address: string) =>
        sendAll({ port: running.port }, mixed({ [edge.header]: address })).then(passed);
      for (const address of ["192.0.2.200", "192.0.2.1"]) await client(address);
      // Some of these pass, because a part of the window is over.
      expect(await client("192.0.2.1")).toBeLessThan(300);
      // Quiet means no requests, so there is nothing to poll.
      await sleep(seconds * 1000 + 500);
      expect(await client("192.0.2.1")).toBeGreaterThanOrEqual(120);
    } finally {
      await running.stop();
    }
  });
}

for (const edge of EDGES)
  describeWith(edge.tools, `the limit at ${edge.name}`, () => {
    itLimits(edge);
    itForgets(edge);
  });
