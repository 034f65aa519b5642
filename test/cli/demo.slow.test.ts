/** `vitrine demo`, run from a package in a visitor's folder. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Running, startServer, vitrine } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { hasCommand, RUNNERS, runProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/shop.ts";

/** Values that only the shop may know. */
const PRIVATE = `
  SELECT email FROM customers UNION SELECT phone FROM customers
  UNION SELECT address FROM customer_addresses
  UNION SELECT order_number FROM orders UNION SELECT payment_key FROM orders UNION SELECT ip FROM orders
  UNION SELECT license_key FROM license_keys UNION SELECT code FROM coupons
  UNION SELECT email FROM users UNION SELECT email FROM reviews WHERE email IS NOT NULL
  UNION SELECT smtp_password FROM store_settings UNION SELECT stripe_secret_key FROM store_settings
  UNION SELECT owner_email FROM store_settings UNION SELECT bank_iban FROM store_settings
  UNION SELECT name FROM products WHERE status = 'draft' UNION SELECT body FROM reviews WHERE status <> 'approved'
  UNION SELECT title FROM blog_posts WHERE status = 'draft'
  UNION SELECT title FROM threads WHERE subforum_id IN (SELECT id FROM subforums WHERE access_level = 'staff')`;

const folder = temporaryFolder();
const demo = join(folder, "shop");
let running: Running & { readonly url: string };

beforeAll(async () => {
  running = await startServer(["demo", "shop", "--port", String(await freePort())], folder);
});

afterAll(async () => {
  running.child.kill("SIGTERM");
  expect(await running.ended).toBe(0);
});

async function get(
  path: string,
): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  const response = await fetch(running.url + path);
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    text: await response.text(),
  };
}

describe("vitrine demo", () => {
  it("says what it made, and what to click and type", () => {
    expect(running.said()).toMatch(/^\d+ products, \d+ categories, \d+ reviews/m);
    expect(running.said()).toMatch(/files, [\d.]+ MB: OK$/m);
    expect(running.said()).toContain(`${running.url}/explore/#/product/invoice-kit`);
    expect(running.said()).not.toMatch(/^(error|warning):/m);
  });

  it("answers each address that it names", async () => {
    const named = running.said().match(/http:\/\/127\.0\.0\.1:\d+\/[^\s',]*/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const address of new Set(named))
      expect([address, (await fetch(address)).status]).toEqual([address, 200]);
  });

  it("finds the product of a search with a typing error", async () => {
    expect((await get("/api/v1/search?q=invoce")).text).toContain('"slug":"invoice-kit"');
  });

  it("serves a WebP picture of every product, at the requested port", async () => {
    const { data } = JSON.parse((await get("/api/v1/products?per_page=100")).text) as {
      data: { image: string; title: string }[];
    };
    expect(data.length).toBeGreaterThan(45);
    for (const { image } of data) {
      expect(image).toContain(`${running.url}/media/`);
      const response = await fetch(image);
      expect([image, response.status, response.headers.get("content-type")]).toEqual([
        image,
        200,
        "image/webp",
      ]);
    }
  });

  it("leads from the shop's pages, to which widgets and feeds link, to their views in the explorer", async () => {
    for (const [list, field, view] of [
      ["products", "public_url", "product"],
      ["blog", "url", "blog"],
      ["forum", "url", "forum"],
    ] as const) {
      const { data } = JSON.parse((await get(`/api/v1/${list}`)).text) as { data: Record<string, string>[] };
      for (const record of data.slice(0, 3)) {
        const { status, headers } = await fetch(record[field] ?? "", { redirect: "manual" });
        expect([status, headers.get("location")]).toEqual([302, `/explore/#/${view}/${record["slug"]}`]);
      }
    }
    const { data: categories } = JSON.parse((await get("/api/v1/categories")).text) as {
      data: { slug: string; url: string }[];
    };
    const { data: releases } = JSON.parse((await get("/api/v1/releases?product_slug=invoice-kit")).text) as {
      data: { public_url: string }[];
    };
    const { data: store } = JSON.parse((await get("/api/v1/store")).text) as {
      data: { blog_url: string; support_url: string };
    };
    for (const [address, view] of [
      ...categories.map(({ slug, url }) => [url, `products?category=${slug}`] as const),
      [releases[0]?.public_url ?? "", "product/invoice-kit?tab=releases"],
      [store.blog_url, "blog"],
      [store.support_url, "forum"],
    ] as const) {
      const { status, headers } = await fetch(address, { redirect: "manual" });
      expect([address, status, headers.get("location")]).toEqual([address, 302, `/explore/#/${view}`]);
    }
    for (const path of ["/product/none", "/event-mails", "/product/event-mails/more"])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it("has a feed for Google with its products", async () => {
    const { status, text } = await get("/feeds/google.xml");
    expect(status).toBe(200);
    expect(text.match(/<item>/g)?.length).toBeGreaterThan(45);
    expect(text).toContain("<g:title>Invoice Kit</g:title>");
  });

  it("publishes nothing private", () => {
    using store = {
      db: new Database(join(demo, "store.sqlite"), { readonly: true }),
      [Symbol.dispose]: () => store.db.close(),
    };
    const secrets = store.db.prepare<[], string>(PRIVATE).pluck().all();
    expect(secrets.length).toBeGreaterThan(1000);
    const files = readdirSync(join(demo, "out"), { recursive: true, encoding: "utf8" })
      .map((name) => join(demo, "out", name))
      .filter((name) => statSync(name).isFile());
    expect(files.length).toBeGreaterThan(1000);
    // One expression for all: each file is read once.
    const secret = new RegExp(secrets.map((text) => text.replaceAll(/[^\w@ ]/g, "\\$&")).join("|"));
    expect(secret.test(readFileSync(join(demo, "store.sqlite"), "utf8"))).toBe(true);
    for (const name of files) {
      const bytes = readFileSync(name);
      const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
      expect([name, secret.exec(text)?.[0]]).toEqual([name, undefined]);
    }
  });

  // CI installs sqlite3.
  it.skipIf(!hasCommand("sqlite3"))("names commands that do what it says", async () => {
    const lines = running.said().match(/^ {2}(?:curl|sqlite3|npx node|grep) .*$/gm) ?? [];
    const said: string[] = [];
    // Outside a clone npx would look for a Node to download.
    for (const line of lines)
      said.push(await runProgram(RUNNERS.sh, line.replace("npx node", "node"), folder));
    expect(said).toEqual([
      expect.stringContaining('"product_slug":"invoice-kit"'),
      expect.stringContaining('"slug":"invoice-kit"'),
      "",
      expect.stringMatching(/[\d,]+ written, 0 deleted/),
      expect.stringMatching(/^(?:[^|\n]+\|[^|\n]+@mail\.example\n){5}$/),
      // grep exits with 1: it found nothing.
      "1: ",
    ]);
    expect((await get("/api/v1/product?slug=invoice-kit")).text).toContain('"price":42,');
  });

  it("uses an existing folder again, with the changes in its database", async () => {
    const db = new Database(join(demo, "store.sqlite"));
    db.exec("UPDATE products SET regular_price_minor = 4300 WHERE slug = 'invoice-kit'");
    db.close();
    const port = await freePort();
    const again = await startServer(["demo", "shop", "--port", String(port)], folder);
    const answer = (await (await fetch(`${again.url}/api/v1/product?slug=invoice-kit`)).json()) as {
      data: { price: number; image: string };
    };
    again.child.kill("SIGTERM");
    expect(await again.ended).toBe(0);
    expect(answer.data.price).toBe(43);
    expect(answer.data.image).toContain(`:${port}/media/`);
  });

  it("writes nothing into a folder with other files, and replaces no file", () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "vitrine.config.json"), "{}");
    for (const place of ["other", "other/vitrine.config.json"]) {
      const { status, stderr } = vitrine(["demo", place], {}, folder);
      expect([status, stderr]).toEqual([2, expect.stringContaining("Name another folder")]);
    }
    expect(readdirSync(other)).toEqual(["vitrine.config.json"]);
    expect(readFileSync(join(other, "vitrine.config.json"), "utf8")).toBe("{}");
  });
});
