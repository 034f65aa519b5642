/** What the doctor makes of what servers say: rights and time zones. */
import { describe, expect, it } from "vitest";
import { isUtc, writingGrants } from "../../src/setup/doctor-store.ts";

describe("rights and time zones of a server", () => {
  it.each([
    ["GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*DELETE'", []],
    ["GRANT SELECT, SHOW VIEW ON `shop`.* TO `a`@`%`", []],
    ["GRANT SELECT, TRIGGER ON `shop`.* TO `a`@`%`", ["TRIGGER ON `shop`.*"]],
    ["GRANT SELECT (`insert`, `id`), SHOW VIEW ON `shop`.`products` TO `a`@`%`", []],
    ["GRANT SELECT, INSERT, UPDATE ON `shop`.* TO `a`@`%`", ["INSERT, UPDATE ON `shop`.*"]],
    [
      "GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` IDENTIFIED BY PASSWORD '*X' WITH GRANT OPTION",
      ["ALL PRIVILEGES ON *.*"],
    ],
    ["GRANT `reader`@`%` TO `a`@`%`", []],
  ])("%s", (line, rights) => expect(writingGrants([line])).toEqual(rights));

  it.each([
    ["UTC", true],
    ["Etc/UTC", true],
    ["+00:00", true],
    ["Europe/Berlin", false],
    ["CET", false],
  ])("%s is UTC: %s", (zone, is) => expect(isUtc(zone)).toBe(is));
});
