/** What the Worker answers to a publish's webhook and to monitoring, whatever its objects do. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import worker from "../../src/object/entry.ts";

const SECRET = "the secret";
const MESSAGE = '{"purge":"everything"}';
const signed = (secret = SECRET) => `sha256=${createHmac("sha256", secret).update(MESSAGE).digest("hex")}`;

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  /** How an object looks; by default as it should. */
  readonly look?: (name: string) => Promise<Response>;
  readonly mayAsk?: boolean;
}

function ask({
  path = "published",
  method = "POST",
  headers = { "X-Vitrine-Signature": signed() },
  secret = SECRET,
  look = async () => new Response(null, { status: 204 }),
  mayAsk = true,
}: Asked): Promise<Response> {
  const env = {
    CATALOG: {
      idFromName: (name: string) => name,
      get: (name: unknown) => ({ fetch: () => look(`${name}`) }),
    },
    REGIONS: "true",
    VITRINE_WEBHOOK_SECRET: secret,
    RATE_LIMIT: { limit: async () => ({ success: mayAsk }) },
    RATE_LIMIT_REQUESTS: "120",
    SITE: { get: async () => null },
    CACHE_CONTROL: "max-age=60",
    ERROR_CACHE_CONTROL: "max-age=10",
    BASE_URL: "https://api.shop.example/api/v1",
    PAGES: "true",
  };
  const hasBody = method === "POST" || method === "PUT";
  const request = new Request(`https://api.shop.example/_vitrine/${path}`, {
    method,
    headers: hasBody ? { "Content-Length": `${MESSAGE.length}`, ...headers } : headers,
    ...(hasBody && { body: MESSAGE }),
  });
  return worker.fetch(request, env, { waitUntil: () => undefined });
}

describe("a publish's webhook", () => {
  it("confirms if all objects looked", async () => {
    expect((await ask({})).status).toBe(204);
  });

  it("names the parts of the world whose objects did not look, and why", async () => {
    const look = async (name: string) => {
      if (name === "OC") throw new Error("Network connection lost.");
      return name === "EU" || name === "SA"
        ? new Response("r2:SITE cannot be read.\n", { status: 502 })
        : new Response(null, { status: 204 });
    };
    const reply = await ask({ look });
    expect(reply.status).toBe(502);
    const said = await reply.text();
    expect(said).toContain("EU, SA: r2:SITE cannot be read.");
    expect(said).toContain("OC: Network connection lost.");
    expect(said).not.toMatch(/shop|AS|NA/);
  });

  it.each<[string, Asked, RegExp]>([
    ["is not signed", { headers: {} }, /not signed.*VITRINE_WEBHOOK_SECRET/],
    [
      "is signed with another secret",
      { headers: { "X-Vitrine-Signature": signed("another") } },
      /another VITRINE_WEBHOOK_SECRET/,
    ],
    ["comes to a Worker without one", { secret: "" }, /has no VITRINE_WEBHOOK_SECRET.*secret put/],
  ])("names the secret if a message %s", async (_, asked, said) => {
    const reply = await ask(asked);
    expect([reply.status, await reply.text()]).toEqual([403, expect.stringMatching(said)]);
    // Guesses count towards the rate limit.
    expect((await ask({ ...asked, mayAsk: false })).status).toBe(429);
  });

  it("counts no message of a publish that has the secret", async () => {
    expect((await ask({ mayAsk: false })).status).toBe(204);
  });

  it.each(["GET", "HEAD", "PUT", "OPTIONS"])("is for POST, which it says to %s", async (method) => {
    const reply = await ask({ method });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await ask({ method, mayAsk: false })).status).toBe(429);
  });

  it("takes no message that is too long, or that does not say how long it is", async () => {
    const headers = { "X-Vitrine-Signature": signed() };
    for (const length of [`${1024 * 1024 + 1}`, "many"]) {
      const tooLong = { headers: { ...headers, "Content-Length": length } };
      expect((await ask(tooLong)).status).toBe(413);
      expect((await ask({ ...tooLong, mayAsk: false })).status).toBe(429);
    }
  });
});

describe.each(["readyz", "metrics"])("%s", (path) => {
  const seen = async () => new Response("seen");
  it.each(["GET", "HEAD"])("is open to %s with the secret alone, and names it", async (method) => {
    const headers = { Authorization: `Bearer ${SECRET}` };
    expect((await ask({ path, method, headers, look: seen })).status).toBe(200);
    const wrong: readonly Asked[] = [
      { headers: { Authorization: "Bearer another" } },
      { headers: {} },
      { headers, secret: "" },
      { headers: { Authorization: "Bearer " }, secret: "" },
    ];
    for (const asked of wrong) {
      const reply = await ask({ path, method, look: seen, ...asked });
      expect([reply.status, await reply.text()]).toEqual([
        403,
        expect.stringContaining("VITRINE_WEBHOOK_SECRET"),
      ]);
    }
  });
});
