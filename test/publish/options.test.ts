/** What a publish is told: by a script as by the command, with one set of defaults. */
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addFlags } from "../../src/cli/options.ts";
import { PUBLISH_FLAGS } from "../../src/cli/remote.ts";
import { type PublishOptions, publish } from "../../src/pipeline/publish.ts";
import { DEFAULTS, parseKeep, rulesOf } from "../../src/publish/options.ts";

describe("options", () => {
  it("that there are none of are refused, and those that there are named", async () => {
    const options = { to: "file:///nowhere", allowShrinkage: 3 } as PublishOptions;
    await expect(publish(options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^There is no option allowShrinkage\. Known are .*allowShrink.*purge/),
    });
  });

  it("that are not said have the same default in a script and on the command line", () => {
    const command = addFlags(new Command("publish"), PUBLISH_FLAGS);
    const flags = command.parse(["--to", "file:///srv"], { from: "user" }).opts();
    const rules = rulesOf({ purge: undefined, keep: undefined });
    expect(rules).toMatchObject({ ...DEFAULTS, keep: parseKeep(String(DEFAULTS.keep)) });
    for (const [flag, name] of [
      ["concurrency", "concurrency"],
      ["timeout", "timeoutSeconds"],
      ["allowShrink", "allowShrink"],
      ["purge", "purge"],
      ["verify", "verify"],
      ["lease", "leaseSeconds"],
      ["wait", "waitSeconds"],
    ] as const)
      expect(flags[flag], flag).toEqual(DEFAULTS[name]);
    expect(flags["keep"]).toBe(String(DEFAULTS.keep));
  });

  it.each([0, 1.5, "7w"])("to keep releases by %j are refused", (keep) => {
    expect(() => rulesOf({ keep })).toThrow(/is nothing to keep releases by/);
  });
});
