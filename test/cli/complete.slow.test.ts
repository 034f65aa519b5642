/** Completion, in real shells: bash and zsh on a terminal, fish by what it would offer. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/commands.ts";
import { commandFile, vitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const home = temporaryFolder();
const bin = join(home, "bin");
const env = { ...process.env, HOME: home, TERM: "dumb", PATH: `${bin}${delimiter}${process.env["PATH"]}` };

/** Completes as the command does; anything else it only says. */
const STAND_IN = `#!/bin/sh
[ "$1" = complete ] && exec node ${commandFile()} "$@"
echo "ran $*"
`;

beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(join(bin, "vitrine"), STAND_IN, { mode: 0o755 });
});

function isThere(shell: string): boolean {
  if (spawnSync(shell, ["-c", "true"]).status === 0) return true;
  if (process.env["CI"] === "true") throw new Error(`${shell} is missing: apt-get install ${shell}`);
  console.warn(`Completion is not tested in ${shell}: it is missing (apt-get install ${shell}).`);
  return false;
}

/** How each shell starts with nobody's settings, and what it then needs to complete. */
const SHELLS: Readonly<Record<string, readonly [start: string, setup: string]>> = {
  bash: ["bash --norc --noprofile -i", "source <(vitrine complete bash)"],
  zsh: [
    "zsh -f -i",
    "fpath=($HOME $fpath); vitrine complete zsh > $HOME/_vitrine; autoload -Uz compinit; compinit -u -D",
  ],
};
/** Ctrl-U: what was typed is gone. */
const CLEAR = "\x15";

/** Types lines into a shell on a terminal; resolves with all that the terminal showed. */
async function typeInto(shell: string, cwd: string, lines: readonly string[]): Promise<string> {
  const [start = "", setup = ""] = SHELLS[shell] ?? [];
  const child = spawn("script", ["-qec", start, "/dev/null"], { cwd, env, stdio: "pipe" });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.write([setup, ...lines, "exit", ""].join("\r"));
  await ended;
  return said.replaceAll("\r", "\n");
}

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
    expect(complete("edge", "")).toEqual(expect.arrayContaining(["nginx", "cloudflare"]));
  });

  it.each(["bash", "zsh"])("completes in %s, and runs nothing of what stands on the line", async (shell) => {
    if (!isThere(shell)) return;
    const folder = join(home, shell);
    mkdirSync(folder);
    writeFileSync(join(folder, "kept.csv"), "kept");
    const said = await typeInto(shell, folder, [
      "vitrine rollb\t--to x",
      "vitrine rollback --to x --allow-s\t 3",
      "vitrine edge ngi\t",
      // A file, where the command has nothing to say.
      "vitrine diff kep\t",
      `vitrine export products --csv > kept.csv --fi\t${CLEAR}`,
      `vitrine get $(touch ran) --fa\t${CLEAR}`,
      `vitrine get '--a$(touch ran)b='x\t${CLEAR}`,
    ]);
    const ran = said.match(/^ran .*$/gm)?.map((line) => line.trim());
    expect(ran).toEqual([
      "ran rollback --to x",
      "ran rollback --to x --allow-shrink 3",
      "ran edge nginx",
      "ran diff kept.csv",
    ]);
    expect(readdirSync(folder)).toEqual(["kept.csv"]);
    expect(readFileSync(join(folder, "kept.csv"), "utf8")).toBe("kept");
  });

  it("completes in fish", () => {
    if (!isThere("fish")) return;
    const script =
      "vitrine complete fish | source; complete -C 'vitrine rollb'; complete -C 'vitrine edge ngi'";
    const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8", env });
    expect(stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["rollback", "nginx", ""]);
  });
});
