import { describe, expect, it } from "vitest";
import { clientKey, isAddress } from "../../src/key/client.ts";
import { CLIENTS, STRANGERS } from "./clients.ts";

describe("the client that a request is counted for", () => {
  it.each(CLIENTS)("%s: %s", (address, key) => {
    expect([clientKey(address), isAddress(address)]).toEqual([key, true]);
    expect(clientKey(` ${address.toUpperCase()} `)).toBe(key);
  });

  it.each(STRANGERS)("%j is not an address and shares one count", (text) => {
    expect([clientKey(text), isAddress(text)]).toEqual(["unknown", false]);
  });

  it("does not depend on the zone of a link-local address", () => {
    expect(clientKey("fe80::1%eth0")).toBe(clientKey("fe80::2"));
  });
});
