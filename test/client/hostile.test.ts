/** `vitrine/client` with wrong arguments, and with hosts that are hostile, broken or no API at all. */
import { describe, expect, it } from "vitest";
import {
  ApiError,
  type ClientOptions,
  createClient,
  InvalidRequestError,
  UnavailableError,
} from "../../src/client/client.ts";
import { type Reply, scripted } from "../support/scripted.ts";

const QUICK: ClientOptions = { tries: 2, longestWaitSeconds: 0.01, timeoutSeconds: 120 };
const META = { api_version: "1.0", generated_at: "2026-01-01T00:00:00+00:00" };

const json = (body: unknown): Reply => {
  return (_, response) => response.end(JSON.stringify(body));
};
const success = (data: unknown, more: object = {}) => json({ success: true, data, meta: META, ...more });
const pageOf = (page: number, data: unknown[], total_pages: unknown) =>
  success(data, { pagination: { page, per_page: 20, total: 1, total_pages } });
const redirect = (to: string, status = 302): Reply => {
  return (_, response) => response.writeHead(status, { Location: to }).end();
};

async function failureOf(asked: Promise<unknown>): Promise<ApiError> {
  const error = await asked.then(
    () => expect.fail("It was answered."),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe("the base address", () => {
  it.each([
    "",
    "shop.example/api/v1",
    "/api/v1",
    "//shop.example/api/v1",
    "https://shop.example",
    "https://shop.example/api",
    "https://shop.example/api/v2",
    "https://shop.example/api/v1/products",
    "https://shop.example/api/v1.json",
    "https://shop.example/my-api/v1",
    "https://shop.example/api/v1//",
    "https://shop.example/api/v1?",
    "https://shop.example/api/v1?page=2",
    "https://shop.example/?/api/v1",
    "https://shop.example/api/v1#",
    "https://shop.example/#/api/v1",
    "https://me:secret@shop.example/api/v1",
    "https://me:se/cret@shop.example/api/v1",
    "ftp://shop.example/api/v1",
    "file:///srv/api/v1",
    "javascript:alert(1)//api/v1",
    "data:,/api/v1",
    "blob:https://shop.example/api/v1",
  ])("%s is refused at once, with an example", (base) => {
    const create = () => createClient(base);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/is not the base address of a shop's API.*https:\/\/shop\.example\/api\/v1/);
    expect(create).not.toThrow(/cret/);
  });

  it.each([
    ["HTTPS://Shop.Example/api/v1", "https://shop.example/api/v1/store"],
    [" https://shop.example/api/v1/ ", "https://shop.example/api/v1/store"],
    [new URL("http://127.0.0.1:8080/my/shop/api/v1"), "http://127.0.0.1:8080/my/shop/api/v1/store"],
    ["https://shop.example/@me/api/v1", "https://shop.example/@me/api/v1/store"],
  ])("%s is accepted", async (base, asked) => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return new Response(JSON.stringify({ success: true, data: {} }));
    };
    await createClient(base, { fetch }).store();
    expect(urls).toEqual([asked]);
  });
});

describe("parameters", () => {
  it("null, undefined and an empty text are absent; a flag has one spelling", async () => {
    const host = await scripted(pageOf(1, [], 0));
    const shop = createClient(host.base);
    await shop.products.page({
      category: null,
      type: undefined,
      search: "",
      featured: true,
      preorder: false,
    });
    await shop.products.page(null as never, null as never);
    for await (const _ of shop.reviews.list({ page: null, product_slug: null })) expect.fail();
    for await (const _ of shop.releases.list(null as never)) expect.fail();
    expect(host.asked).toEqual([
      "/api/v1/products?featured=1&preorder=0",
      "/api/v1/products",
      "/api/v1/reviews?page=1",
      "/api/v1/releases?page=1",
    ]);
  });

  it("a record without a slug or id is refused without a request: /blog would answer with its list", async () => {
    const host = await scripted(success([]));
    const shop = createClient(host.base, QUICK);
    const wrong = [
      shop.blog.get(""),
      shop.forum.get({ slug: "" }),
      shop.products.get(""),
      shop.products.get({}),
      shop.products.get({ slug: null, id: undefined }),
      shop.blog.get(null as never),
      shop.blog.get(undefined as never),
    ];
    for (const asked of wrong) {
      const error = await failureOf(asked);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ code: "missing_parameter", status: 0 });
    }
    expect(host.asked).toEqual([]);
  });

  it("a list is refused as the answer for a record", async () => {
    const host = await scripted(success([]));
    const error = await failureOf(createClient(host.base, QUICK).blog.get({ page: 2 } as never));
    expect(error.code).toBe("unreadable");
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("%i is followed on the same host", async (status) => {
    const host = await scripted(
      redirect("/api/v1/store/", status),
      redirect("?again", status),
      success({ store_name: "Shop" }),
    );
    expect((await createClient(host.base, QUICK).store()).store_name).toBe("Shop");
    expect(host.asked).toEqual(["/api/v1/store", "/api/v1/store/", "/api/v1/store/?again"]);
  });

  it("no other host is requested", async () => {
    const other = await scripted(success({ store_name: "Not the shop" }));
    const targets = [
      `${other.base}/store`,
      other.origin.replace("http:", ""),
      "https://127.0.0.1/",
      "file:///etc/passwd",
    ];
    for (const to of targets) {
      const host = await scripted(redirect(to));
      const error = await failureOf(createClient(host.base, QUICK).store());
      expect(error).toMatchObject({ code: "unreadable", status: 302, path: "/store" });
      expect(error.message).toContain("was redirected to ");
      expect(host.asked).toHaveLength(1);
    }
    expect(other.asked).toEqual([]);
  });

  it("if fetch hides them, as browsers do, the final address counts", async () => {
    const arrived = (url: string) => Object.defineProperty(new Response("{}"), "url", { value: url });
    const hidden = Object.defineProperty(new Response(), "type", { value: "opaqueredirect" });
    const modes: unknown[] = [];
    const fetch = async (_: string, options: RequestInit) => {
      modes.push(options.redirect);
      return options.redirect === "manual" ? hidden : arrived("https://other.example/api/v1/store");
    };
    const error = await failureOf(createClient("https://shop.example/api/v1", { ...QUICK, fetch }).store());
    expect(error.message).toContain("https://other.example");
    expect(modes).toEqual(["manual", "follow"]);
  });

  it("end", async () => {
    const host = await scripted(redirect("/api/v1/store"));
    const error = await failureOf(createClient(host.base, QUICK).store());
    expect(error).toMatchObject({
      code: "unreadable",
      message: expect.stringContaining("more than 5 times"),
    });
    expect(host.asked.length).toBeLessThan(10);
  });
});

describe("answers", () => {
  it("without an end are cancelled after maxAnswerBytes", async () => {
    let [sent, isOpen] = [0, true];
    const host = await scripted((_, response) => {
      response.on("close", () => {
        isOpen = false;
      });
      const part = Buffer.alloc(65_536, " ");
      const more = () => {
        while (isOpen && sent < 1e9) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
      };
      more();
    });
    const error = await failureOf(createClient(host.base, { ...QUICK, maxAnswerBytes: 1_000_000 }).store());
    expect(error).toMatchObject({ code: "unreadable", message: expect.stringContaining("1000000 bytes") });
    await expect.poll(() => isOpen).toBe(false);
    expect(sent).toBeLessThan(50_000_000);
    expect(host.asked).toHaveLength(1);
  });

  it("are read up to 32 MiB by default, then cancelled", async () => {
    const text = "x".repeat(2 ** 20);
    const body = (megabytes: number) => `{"success":true,"data":{"a":"${text.repeat(megabytes)}"},"meta":{}}`;
    const fetch = (megabytes: number) => async () => new Response(body(megabytes));
    const store = (megabytes: number) =>
      createClient("https://shop.example/api/v1", { fetch: fetch(megabytes), tries: 1 }).store();
    expect(await store(31)).toHaveProperty("a");
    expect((await failureOf(store(32))).code).toBe("unreadable");
  });

  it("that drip are cancelled after timeoutSeconds", async () => {
    const host = await scripted((_, response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    const asked = createClient(host.base, { ...QUICK, timeoutSeconds: 0.1 }).store();
    const error = await failureOf(asked);
    expect(error).toBeInstanceOf(UnavailableError);
    // Under load a try may end before its request arrives: how often it tried is not counted here.
    expect(error).toMatchObject({ code: "network", status: 0 });
  });

  it("that ask for a long wait are repeated after longestWaitSeconds at most", async () => {
    for (const seconds of ["99999999999", "1e999", "Infinity", "-5", "Wed, 21 Oct 2099 07:28:00 GMT", "x"]) {
      const host = await scripted((_, response) => {
        response.writeHead(503, { "Retry-After": seconds });
        response.end('{"success":false,"error":{"code":"service_unavailable","message":"Later."}}');
      });
      expect((await failureOf(createClient(host.base, QUICK).store())).code).toBe("service_unavailable");
      expect(host.asked).toHaveLength(2);
    }
  });

  it.each<[string, string]>([
    ["no JSON", "<h1>Parked</h1>"],
    ["nothing", ""],
    ["null", "null"],
    ["a number", "1"],
    ["a list", "[]"],
    ["no data", '{"success":true}'],
    ["null for data", '{"success":true,"data":null}'],
    ["data of another shape", '{"success":true,"data":{"length":3}}'],
    ["no pagination", '{"success":true,"data":[]}'],
    ["null for pagination", '{"success":true,"data":[],"pagination":null}'],
    ["text for a number", '{"success":true,"data":[],"pagination":{"page":1,"total_pages":"9"}}'],
    ["a failure without an error", '{"success":false}'],
    ["null for an error", '{"success":false,"error":null}'],
    ["an error of another shape", '{"success":false,"error":{"code":{},"message":[]}}'],
    ["a depth of a million", `{"success":${"[".repeat(1_000_000)}`],
    ["a closed depth", `{"success":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    [
      "endpoints of another shape",
      '{"success":1,"data":{"endpoints":[null,1,{"path":1},{"parameters":[]}]}}',
    ],
  ])("with %s are not the API's", async (_, body) => {
    const host = await scripted((__, response) => response.end(body));
    const error = await failureOf(createClient(host.base, QUICK).products.page());
    expect(error.code).toBe("unreadable");
    expect(host.asked.length).toBeLessThanOrEqual(2);
  });

  it("a list ends if its host answers every page with the first", async () => {
    const host = await scripted(pageOf(1, [{ id: 1 }], 1e9));
    const found: unknown[] = [];
    const walk = async () => {
      for await (const product of createClient(host.base, QUICK).products.list()) found.push(product);
    };
    const error = await failureOf(walk());
    expect(error.message).toContain("asked for page 2");
    expect(found).toHaveLength(1);
  });

  it("a list ends at an empty page, with any total", async () => {
    const host = await scripted(pageOf(1, [], 1e9));
    for await (const _ of createClient(host.base, QUICK).products.list()) expect.fail();
    expect(host.asked).toHaveLength(1);
  });

  it("infinite times are not read as zero", async () => {
    const host = await scripted(success({ store_name: "Shop" }));
    const options = {
      timeoutSeconds: Number.POSITIVE_INFINITY,
      longestWaitSeconds: Number.POSITIVE_INFINITY,
    };
    expect((await createClient(host.base, options).store()).store_name).toBe("Shop");
  });
});
