import { describe, expect, it } from "vitest";
import { shownName } from "../../src/api/field.ts";
import { isPrivateAddress } from "../../src/base/private-address.ts";
import { decodedTwice } from "../../src/base/text.ts";

describe("an address that visitors can't open", () => {
  it.each([
    "http://localhost:9000/a.png",
    "http://shop.localhost/",
    "http://localhost./",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.1.5/",
    "http://169.254.169.254/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[fd00::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://minio:9000/",
    "http://host.docker.internal/",
    "http://nas.local/",
    "https://shop.test/",
  ])("is %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    "https://shop.example/",
    "http://172.32.0.1/",
    "https://localhost.example/",
    "http://[2001:db8::1]/",
  ])("is not %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

describe("text that was encoded twice", () => {
  it.each([
    ["GrÃ¶ÃŸen-Ãœbersicht", "Größen-Übersicht"],
    ["itâ€™s 5 â‚¬", "it’s 5 €"],
    ["æ—¥æœ¬", "日本"],
  ])("reads %s as %s", (text, right) => {
    expect(decodedTwice(text)).toBe(right);
  });

  it.each(["Größe", "Ã", "Ã la carte", "日本", "São Paulo", "GrÃ¶ße"])("is not %s", (text) => {
    expect(decodedTwice(text)).toBe(null);
  });
});

describe("a person's name", () => {
  it.each(["ada@shop.example", "ada＠shop.example", "https://a.example", "WWW.a.example", "a.example/b"])(
    "that is %s is not shown",
    (name) => {
      expect(shownName(name)).toBe("Anonymous");
    },
  );

  it.each(["Ada", "", "St. John", "J.R.R. Tolkien", "AC/DC"])("that is %j is shown", (name) => {
    expect(shownName(name)).toBe(name);
  });
});
