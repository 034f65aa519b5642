/** Where the store's password comes from. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { storePassword } from "../../src/store/address.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

// A file has one, and a secret that was made with `echo`.
it("a password has no line break at its end, wherever it comes from", () => {
  const file = join(folder, "secret");
  for (const written of ["pass word", "pass word\n", "pass word\r\n"]) {
    writeFileSync(file, written);
    expect(storePassword({ VITRINE_STORE_PASSWORD: written })).toBe("pass word");
    expect(storePassword({ VITRINE_STORE_PASSWORD: "other", VITRINE_STORE_PASSWORD_FILE: file })).toBe(
      "pass word",
    );
  }
  expect(storePassword({})).toBe("");
});
