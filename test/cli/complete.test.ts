/** Completion, in a real bash where its words can be asked for, and the scripts for the others. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/commands.ts";
import { commandFile, vitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const bin = join(temporaryFolder(), "bin");

beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(join(bin, "vitrine"), `#!/bin/sh\nexec node ${commandFile()} "$@"\n`, { mode: 0o755 });
});

function complete(...words: string[]): string[] {
  const { stdout } = vitrine(["complete", "--", ...words]);
  return stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
}

describe("completion", () => {
  it("knows all commands and their options", () => {
    const [, first] = createProgram().commands;
    expect(complete("")).toEqual(expect.arrayContaining(createProgram().commands.map((one) => one.name())));
    expect(complete(first?.name() ?? "", "--")).toEqual(
      expect.arrayContaining(first?.options.map(({ long }) => long) ?? []),
    );
    expect(complete("edge", "")).toEqual(expect.arrayContaining(["nginx", "haproxy"]));
  });

  it("completes in bash", () => {
    // bash-completion's function, which most systems have, stands in for itself here.
    const script = `_get_comp_words_by_ref() { cur=roll prev=vitrine words=(vitrine roll) cword=1; }
      source <(vitrine complete bash); __vitrine_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
    const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8", env });
    expect(stdout.trim()).toMatch(/^rollback\b/);
  });

  it.each(["bash", "zsh", "fish"])("prints a script for %s", (shell) => {
    expect(vitrine(["complete", shell])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("vitrine"),
    });
  });
});
