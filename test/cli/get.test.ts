/** `vitrine get`: addresses as people paste them, errors as scripts need them, JSON as readers like it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toTarget } from "../../src/api/target.ts";
import { readableJson } from "../../src/cli/commands/get.ts";
import { commandFile, vitrine } from "../support/command.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const BASE = "https://shop.example/shop/api/v1";

describe("a request", () => {
  it.each([
    ["/products?page=2", "/api/v1/products?page=2"],
    ["products", "/api/v1/products"],
    ["/", "/api/v1"],
    ["/api/v1", "/api/v1"],
    ["/api/v1?x=1", "/api/v1?x=1"],
    ["/api/v1x", "/api/v1/api/v1x"],
    ["?x=1", "/api/v1?x=1"],
    ["/widgets/reviews.js", "/widgets/reviews.js"],
    [`${BASE}/products?page=2`, "/api/v1/products?page=2"],
    [BASE, "/api/v1"],
    [`${BASE}?x=1#top`, "/api/v1?x=1"],
    ["http://127.0.0.1:8080/api/v1/products?q=http://x/api/v1/y", "/api/v1/products?q=http://x/api/v1/y"],
    ["HTTPS://CDN.example/a/b/api/v1/store#x", "/api/v1/store"],
    ["https://shop.example/widgets/reviews.js", "/widgets/reviews.js"],
    ["/products?category=ä", "/api/v1/products?category=Ã¤"],
  ])("%s is %s", (written, target) => {
    expect(toTarget(written, BASE)).toBe(target);
  });

  it.each([
    "https://shop.example",
    "https://shop.example/products",
    "https://x/api/v1x",
    "https://x/?p=/api/v1",
  ])("%s is not an address of the API", (written) => {
    expect(() => toTarget(written, BASE)).toThrow(
      /is not an address of the API.*shop\.example\/shop\/api\/v1/,
    );
  });
});

describe("the output", () => {
  it("is indented on a terminal, without control characters", () => {
    const hostile = JSON.stringify({ a: ["\u009b2J", "\u202egnp"], b: "é" });
    const shown = readableJson(hostile);
    expect(shown).toBe('{\n  "a": [\n    "\\u009b2J",\n    "\\u202egnp"\n  ],\n  "b": "é"\n}');
    expect(JSON.parse(shown)).toEqual(JSON.parse(hostile));
  });

  let shop: TinyShop;
  let out = "";
  beforeAll(async () => {
    shop = createTinyShop();
    const snapshot = await shop.build("out");
    snapshot.manifest.close();
    out = join(shop.folder, "out");
  });
  afterAll(() => shop.close());

  it("has the bytes of the file in a pipe, and readable JSON on a terminal", () => {
    const piped = vitrine(["get", "https://shop.example/api/v1/store", "--out", out]);
    expect(piped.stdout).toBe(readFileSync(join(out, "site/api/v1/store.json"), "utf8"));
    // `script` runs a command in a terminal.
    const command = `node ${commandFile()} get /store --out ${out} 2> /dev/null`;
    const shown = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", input: "" });
    expect(shown.stdout.replaceAll("\r\n", "\n")).toBe(
      `${JSON.stringify(JSON.parse(piped.stdout), null, 2)}\n`,
    );
  });

  it("of an error is its body; with --fail it is only the reason, with exit code 4", () => {
    const plain = vitrine(["get", "/nothing", "--out", out]);
    expect([plain.status, plain.stderr]).toEqual([0, "404 none\n"]);
    expect(JSON.parse(plain.stdout)).toMatchObject({ success: false });
    const failed = vitrine(["get", "/nothing", "--out", out, "--fail"]);
    expect([failed.status, failed.stdout]).toEqual([4, ""]);
    expect(failed.stderr).toMatch(
      /^404 none\nerror: answer_is_error: 404 unknown_endpoint: This endpoint does not exist\./,
    );
    const asJson = vitrine(["get", "/product?slug=nothing", "--out", out, "--fail", "--json"]);
    expect(asJson.status).toBe(4);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ status: 404, body: { success: false } });
    expect(vitrine(["get", "/store", "--out", out, "--fail"])).toMatchObject({ status: 0 });
    expect(vitrine(["get", "https://shop.example/blog", "--out", out])).toMatchObject({
      status: 2,
      stdout: "",
    });
  });
});
