/** What nginx keeps of a fallback's answers, for how long, and how old it says that they are. The fallback is a stand-in. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { cacheControl } from "../../src/api/responses.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { DEMO_CONFIG, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Running, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const cache = {
  maxAgeSeconds: 1,
  sharedMaxAgeSeconds: 1,
  staleIfErrorSeconds: 86_400,
  errorMaxAgeSeconds: 1,
};
const briefCache = { ...cache, staleIfErrorSeconds: 3 };
const GOOD = cacheControl(cache).answer;

/** What the fallback answers from now on. */
let answer = { status: 200, body: "", cacheControl: GOOD };
let asked = 0;
let delayMilliseconds = 0;

function listenOn(port: number): Promise<Server> {
  const server = createServer((_, response) => {
    asked += 1;
    const { status, body, cacheControl } = answer;
    setTimeout(() => {
      response.writeHead(status, {
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": cacheControl,
      });
      response.end(body);
    }, delayMilliseconds);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

const folder = temporaryFolder();

describeWith(["nginx"], "nginx with an answer that it cached", () => {
  let fallback: Server;
  let edge: Running;
  /** With a `stale-if-error` of 3 s. */
  let briefEdge: Running;
  let count = 0;
  let target = "";
  const get = () => send({ port: edge.port }, { target });
  /** Asks until a 503 comes, and returns the highest age of the answers before it. */
  const oldestAge = async () => {
    let oldest = -1;
    await until("a 503", async () => {
      const { status, headers } = await send({ port: briefEdge.port }, { target });
      if (status === 200) oldest = Math.max(oldest, Number(headers["age"] ?? 0));
      return status === 503;
    });
    return oldest;
  };
  /** Asks until an answer has the body. */
  const untilSays = (what: string, body: string) => until(what, async () => (await get()).body === body);

  beforeAll(async () => {
    fallback = await listenOn(0);
    const { port } = fallback.address() as AddressInfo;
    const start = (name: string, settings: typeof cache) =>
      startNginx({
        folder: join(folder, name),
        site: join(sharedSnapshot("demo"), "site"),
        fallbackPort: port,
        config: { ...DEMO_CONFIG, cache: settings },
        exempt: ["127.0.0.0/8"],
      });
    [edge, briefEdge] = await Promise.all([start("long", cache), start("brief", briefCache)]);
  });
  afterAll(async () => {
    await Promise.all([edge.stop(), briefEdge.stop()]);
    fallback.closeAllConnections();
    fallback.close();
  });
  beforeEach(async () => {
    count += 1;
    target = `${API_PATH}/products?search=word${count}`;
    delayMilliseconds = 0;
    answer = { status: 200, body: '"old"', cacheControl: GOOD };
    expect((await get()).body).toBe('"old"');
  });

  it("asks again once it has expired, and never sends it while the fallback answers", async () => {
    answer = { ...answer, body: '"new"' };
    const before = asked;
    await until("another request at the fallback", async () => {
      const { body } = await get();
      expect(body).toBe(asked === before ? '"old"' : '"new"');
      return asked > before;
    });
  });

  it("replaces it by a 404, with the 404's own lifetime", async () => {
    answer = { status: 404, body: '"gone"', cacheControl: "public, max-age=1" };
    await untilSays("the 404", '"gone"');
    expect(await get()).toMatchObject({ status: 404, headers: { "cache-control": "public, max-age=1" } });
  });

  it("sends headers that changed although the body did not", async () => {
    answer = { ...answer, cacheControl: `${GOOD}, must-revalidate` };
    await until("the new header", async () => (await get()).headers["cache-control"] === answer.cacheControl);
  });

  it("says how old it is, so that a CDN does not keep it for a whole lifetime more", async () => {
    expect((await get()).headers["age"]).toMatch(/^[01]$/);
    answer = { status: 503, body: '"down"', cacheControl: "no-store" };
    await until("an answer older than its lifetime", async () => {
      const { status, headers } = await get();
      return status === 200 && Number(headers["age"]) > cache.sharedMaxAgeSeconds;
    });
  });

  it("has it replace a 503, no longer than stale-if-error says, however often it is asked", async () => {
    answer = { ...answer, cacheControl: cacheControl(briefCache).answer };
    await send({ port: briefEdge.port }, { target });
    answer = { status: 503, body: '"down"', cacheControl: "no-store" };
    expect(await oldestAge()).toBeLessThanOrEqual(1 + briefCache.staleIfErrorSeconds);
    expect(await get()).toMatchObject({ status: 200, body: '"old"' });
  });

  it("has a hundred at once at its end answered, and at most as many at the fallback as it takes", async () => {
    answer = { ...answer, body: '"new"' };
    delayMilliseconds = 100;
    const before = asked;
    await until("the end of its lifetime", async () => {
      const { headers } = await get();
      return asked > before || Number(headers["age"]) >= cache.sharedMaxAgeSeconds;
    });
    asked = 0;
    const replies = await Promise.all(Array.from({ length: 100 }, get));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(asked).toBeLessThanOrEqual(64);
  });

  it("has it replace a fallback that can't be reached, no longer than stale-if-error says", async () => {
    answer = { ...answer, cacheControl: cacheControl(briefCache).answer };
    await send({ port: briefEdge.port }, { target });
    const { port } = fallback.address() as AddressInfo;
    fallback.closeAllConnections();
    await new Promise((resolve) => fallback.close(resolve));
    try {
      expect(await oldestAge()).toBeLessThanOrEqual(1 + briefCache.staleIfErrorSeconds);
      expect(await get()).toMatchObject({ status: 200, body: '"old"' });
    } finally {
      fallback = await listenOn(port);
    }
  });
});
