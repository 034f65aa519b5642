/** Which addresses can be mirrored: `vitrine fallback --from`. */
import { describe, expect, it } from "vitest";
import { isPrivateAddress } from "../../src/base/private-address.ts";
import { readShopAddress } from "../../src/cli/shop-address.ts";

const read = (from: string) => readShopAddress(from, isPrivateAddress);

describe("the address of a shop", () => {
  it.each([
    ["https://api.shop.example", "https://api.shop.example"],
    ["https://api.shop.example/", "https://api.shop.example"],
    ["https://api.shop.example/api/v1", "https://api.shop.example"],
    ["https://api.shop.example/api/v1/", "https://api.shop.example"],
    ["https://shop.example/catalog/api/v1", "https://shop.example/catalog"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/api/v1", "http://[::1]:8080"],
    ["http://vitrine.internal", "http://vitrine.internal"],
  ])("may include the API's path: %s", (from, base) => {
    expect(read(from)).toBe(base);
  });

  it.each([
    "api.shop.example",
    "s3://shop",
    "file:///srv",
    "https://me:word@shop.example",
    "https://shop.example?a=1",
    "",
  ])("must be an https address, so %s is refused", (from) => {
    expect(() => read(from)).toThrow(
      expect.objectContaining({
        code: "usage",
        message: expect.stringMatching(/--from takes an address like/),
      }),
    );
  });

  it("must be encrypted unless it is of this machine or network", () => {
    expect(() => read("http://api.shop.example")).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringMatching(/is not encrypted/) }),
    );
  });
});
