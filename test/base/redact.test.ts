import { describe, expect, it } from "vitest";
import { messageOf, VitrineError } from "../../src/base/error.ts";
import { redactSecrets } from "../../src/base/redact.ts";

describe("a message", () => {
  it.each([
    ["postgres://shop:canary@db/shop", "postgres://shop:***@db/shop"],
    [
      "cannot open /srv/postgres:shop:canary@db:5432/shop.",
      "cannot open /srv/postgres:shop:***@db:5432/shop.",
    ],
    ["mysql//shop:ca:na/r@y@db/shop", "mysql//shop:***@db/shop"],
    ["mysql://shop%3Acanary@db", "mysql://shop:***@db"],
    ["mysql://shop:can%40ary@db", "mysql://shop:***@db"],
    ["postgres://:canary@db", "postgres://:***@db"],
    ["host=db password=canary", "host=db password=***"],
    ["host=db password = 'can ary' user=x", "host=db password = *** user=x"],
    ["Server=db;Pwd=canary;Uid=x", "Server=db;Pwd=***;Uid=x"],
    ["https://h.example/p?token=canary&a=1", "https://h.example/p?token=***&a=1"],
    [
      "https://b.example/x?X-Amz-Signature=canary&X-Amz-Date=1",
      "https://b.example/x?X-Amz-Signature=***&X-Amz-Date=1",
    ],
    ["AWS_SECRET_ACCESS_KEY=canary", "AWS_SECRET_ACCESS_KEY=***"],
    ['not {"password":"can\\"ary","a":1}', 'not {"password":***,"a":1}'],
    ["s3://KEY:canary@bucket/x", "s3://KEY:***@bucket/x"],
    ["Authorization: Bearer canary", "Authorization: Bearer ***"],
  ])("contains no secret of %s", (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
    expect(redactSecrets(redacted)).toBe(redacted);
    expect(new VitrineError("usage", text).message).toBe(redacted);
    expect(messageOf(new Error(text))).toBe(redacted);
  });

  it.each([
    "http://127.0.0.1:8080/api/v1 answers 200, mail a@shop.example",
    "s3://bucket/prefix#00000041: cloudfront:E1ABC",
    "Access denied for user 'shop'@'localhost' (using password: YES)",
    "password authentication failed for user shop",
    "products.sql: slug must be unique: 1 row, id 13",
    "Set VITRINE_STORE_PASSWORD, or VITRINE_STORE_PASSWORD_FILE.",
  ])("is unchanged: %s", (text) => expect(redactSecrets(text)).toBe(text));

  it("takes linear time for a hundred thousand characters of any kind", () => {
    for (const part of ["//", "//a:", "password", "mysql:", 'token="', "'password'", "secret ="])
      expect(redactSecrets(part.repeat(100_000 / part.length)).length).toBeGreaterThan(0);
  });
});
