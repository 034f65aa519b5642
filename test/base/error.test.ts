/** Messages quote other messages and continue after them: no sentence ends twice. */
import { describe, expect, it } from "vitest";
import { endedOnce, messageOf, VitrineError } from "../../src/base/error.ts";
import { formatError } from "../../src/cli/errors.ts";
import { freePort } from "../support/free-port.ts";

const QUOTED = [
  "no space left",
  "no space left.",
  "no space left. ",
  "is it full?",
  "it is full!",
  "it is full…",
];

describe("a message", () => {
  it.each(QUOTED)("that quotes %j ends each sentence once", (quoted) => {
    const inner = new VitrineError("remote_failed", `s3://shop: ${quoted}.`, { hint: "make room" });
    const outer = new VitrineError("purge_failed", `It failed: ${messageOf(inner)}. Publish again.`);
    for (const text of [
      inner.message,
      messageOf(inner),
      outer.message,
      formatError("bug", `${outer.message}.`),
    ])
      expect(text).not.toMatch(/[.?!…]\s*\.(\s|$)/);
    expect(outer.message).toMatch(/^It failed: s3:\/\/shop: .+[.?!…] Make room\. Publish again\.$/);
  });

  it.each([
    "Name another folder than ../out or ...",
    "cd .. and run it again",
    "https://shop.example/a..b is not a place",
    "files x.json, y.json",
  ])("keeps dots that do not end a sentence: %s", (text) => {
    expect(endedOnce(text)).toBe(text);
  });

  it.each([
    ["build again", "Build again."],
    ["fuser /shop.sqlite names that process", "fuser /shop.sqlite names that process."],
    ["vitrine doctor checks the store", "vitrine doctor checks the store."],
    ["docs/erasing.md says what a refusal means", "docs/erasing.md says what a refusal means."],
  ])("that adds the hint %j keeps a command as it is typed", (hint, said) => {
    expect(messageOf(new VitrineError("usage", "It failed.", { hint }))).toBe(`It failed. ${said}`);
  });
});

it("a request that failed says why, which Node keeps in the cause", async () => {
  const at = `127.0.0.1:${await freePort()}`;
  const failure = await fetch(`http://${at}`).catch((error: unknown) => error);
  expect(messageOf(failure)).toBe(`fetch failed: connect ECONNREFUSED ${at}`);
  // As Node gives it for a host with two addresses.
  const both = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  expect(messageOf(new TypeError("fetch failed", { cause: both }))).toBe("fetch failed: ECONNREFUSED");
});
