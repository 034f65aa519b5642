/**
 * What a user types and then reads, in `transcripts.txt`, in one folder from the first command to the last: standard output, then
 * standard error, then the exit code where it is not 0. `…` is whatever is there; SHOP is the folder.
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

/** A line that is `…` alone stands for any number of lines. */
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

describe("what a user types and reads", () => {
  it.each(transcripts)("$ vitrine %s", (command, expected) => {
    expect(run(wordsOf(command).map((word) => word.replace("SHOP", shop)))).toMatch(patternOf(expected));
  });
});

it("is told of every command what it does, with examples, and of an option that is none", async () => {
  const names = createProgram().commands.map((command) => command.name());
  for (const name of names) {
    const program = createProgram();
    let said = "";
    const hear = (text: string) => {
      said += text;
    };
    for (const command of program.commands) command.configureOutput({ writeErr: hear, writeOut: hear });
    await expect(program.parseAsync(["node", "vitrine", name, "--help"])).rejects.toThrow();
    expect(said).toMatch(/^Usage: vitrine .*Examples:\n/s);
    said = "";
    await expect(program.parseAsync(["node", "vitrine", name, "--nonsense"])).rejects.toThrow();
    expect(said).toMatch(/^error: usage: /);
  }
});
