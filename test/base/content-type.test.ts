import { expect, it } from "vitest";
import { contentTypeOf } from "../../src/base/content-type.ts";

it.each([
  ["api/v1/products/page=1.json", "application/json; charset=utf-8"],
  // Not application/feed+json: docs/decisions/small.md has what readers do.
  ["feeds/blog.json", "application/json; charset=utf-8"],
  ["feeds/blog.atom", "application/atom+xml"],
  ["feeds/jsonld/12.jsonld", "application/ld+json"],
])("%s is sent as %s", (key, type) => {
  expect(contentTypeOf(key)).toBe(type);
});
