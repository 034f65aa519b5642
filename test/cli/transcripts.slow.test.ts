/**
 * `transcripts.txt` is a user's session in one folder: each command, then standard output, then
 * standard error, then the exit code if it is not 0. `…` matches any text; SHOP is the folder.
 */

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/commands.ts";
import { wordsOf } from "../docs/markdown.ts";
import { vitrine } from "../support/command.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";

const shop = temporaryFolder();
copyFileSync(sharedStore(150), join(shop, "shop.sqlite"));
const site = "https://shop.example";
const config = {
  store: "shop.sqlite",
  queries: resolve("templates/queries"),
  baseUrl: `${site}/api/v1`,
  siteUrl: site,
  grid: { depth: 0 },
  pages: false,
};
writeFileSync(join(shop, "vitrine.config.json"), JSON.stringify(config));

const transcripts = readFileSync("test/cli/transcripts.txt", "utf8")
  .split(/^(?=\$ )/m)
  .map((text) => {
    const [line = "", ...expected] = text.trimEnd().split("\n");
    return [line.slice("$ vitrine ".length), expected.join("\n")] as const;
  });

/** A line with only `…` matches any number of lines. */
function patternOf(expected: string): RegExp {
  const escaped = expected.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\n…\n/g, "\n[^]*\n").replaceAll("…", ".*")}$`);
}

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = vitrine(args, {}, shop);
  const code = status === 0 ? "" : `[exit ${status}]`;
  const line = stdout === "" || stdout.endsWith("\n") ? "" : "\n";
  return `${stdout}${line}${stderr}${code}`.replaceAll(shop, "SHOP").replaceAll("\r\n", "\n").trimEnd();
}

describe("a user's session", () => {
  it.each(transcripts)("$ vitrine %s", (command, expected) => {
    expect(run(wordsOf(command).map((word) => word.replace("SHOP", shop)))).toMatch(patternOf(expected));
  });
});

/** What a program prints for these arguments. */
async function saidBy(args: readonly string[], showsAll = false): Promise<string> {
  const program = createProgram(showsAll);
  let said = "";
  const hear = (text: string) => {
    said += text;
  };
  for (const command of [program, ...program.commands]) {
    const { outputError } = command.configureOutput();
    command.configureHelp({ helpWidth: 100 });
    command.configureOutput({
      writeErr: hear,
      writeOut: hear,
      ...(outputError && { outputError }),
      getOutHelpWidth: () => 100,
      getOutHasColors: () => false,
    });
  }
  await expect(program.parseAsync(["node", "vitrine", ...args])).rejects.toThrow();
  return said;
}

const NAMES = createProgram().commands.map((command) => command.name());

describe("help", () => {
  it.each(NAMES)("of %s has examples and fits on one screen", async (name) => {
    const said = await saidBy([name, "--help"]);
    expect(said).toMatch(/^Usage: vitrine .*Examples:\n/s);
    expect(said.split("\n").length).toBeLessThanOrEqual(40);
    expect(await saidBy([name, "--nonsense"])).toMatch(/^error: usage: /);
  });

  it("lists all commands on one screen, one per line", async () => {
    const lines = (await saidBy(["--help"])).split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const name of NAMES) expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    expect(lines.filter((line) => /^ {10}/.test(line))).toEqual([]);
  });

  it("shows rare options with --all, and counts them without it", async () => {
    const [, count] = /--help --all: (\d+) more options/.exec(await saidBy(["publish", "--help"])) ?? [];
    const optionsIn = (text: string) => text.match(/^ {2}-\S+/gm) ?? [];
    const short = await saidBy(["publish", "--help"]);
    const all = await saidBy(["publish", "--help"], true);
    expect(Number(count)).toBe(optionsIn(all).length - optionsIn(short).length);
    expect([short, all].map((text) => text.includes("--lease"))).toEqual([false, true]);
    expect(vitrine(["publish", "--help", "--all"]).stdout).toContain("--lease");
  });
});
