/** Options of a publish, for scripts and the command alike, with one set of defaults. */
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addFlags } from "../../src/cli/options.ts";
import { PUBLISH_FLAGS } from "../../src/cli/remote.ts";
import { type PublishOptions, publishFolder as publish } from "../../src/pipeline/publish.ts";
import { DEFAULTS, parseKeep, rulesOf } from "../../src/publish/options.ts";

describe("options", () => {
  it("that do not exist are refused, with the names of those that do", async () => {
    const options = { to: "file:///nowhere", allowShrinkage: 3 } as PublishOptions;
    await expect(publish(options)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^There is no option allowShrinkage\. Known are .*allowShrink.*purge/),
    });
  });

  it("have the same default in a script and on the command line", () => {
    const command = addFlags(new Command("publish"), PUBLISH_FLAGS);
    const flags = command.parse(["--to", "file:///srv"], { from: "user" }).opts();
    const rules = rulesOf({ purge: undefined, keep: undefined });
    expect(rules).toMatchObject({ ...DEFAULTS, keep: parseKeep(String(DEFAULTS.keep)) });
    // A flag without a default leaves it to the configuration, and then to DEFAULTS.
    for (const [flag, name] of [
      ["concurrency", "concurrency"],
      ["timeout", "timeoutSeconds"],
      ["allowShrink", "allowShrink"],
      ["purge", "purge"],
      ["verify", "verify"],
      ["lease", "leaseSeconds"],
      ["wait", "waitSeconds"],
    ] as const)
      expect([DEFAULTS[name], undefined], flag).toContainEqual(flags[flag]);
    expect([String(DEFAULTS.keep), undefined]).toContain(flags["keep"]);
  });

  it.each([0, 1.5, "7w", 9999])("to keep releases by %j are refused", (keep) => {
    expect(() => rulesOf({ keep })).toThrow(/does not say which releases to keep/);
  });
});
