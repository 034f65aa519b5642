/** Colours, quiet and errors: how all commands speak. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/commands.ts";
import { formatError } from "../../src/cli/errors.ts";
import { runVitrine } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";

const out = sharedSnapshot("small");
const folder = temporaryFolder();
const ESCAPE = "\u001b[";

describe("colours", () => {
  it("are only for terminals, unless NO_COLOR or FORCE_COLOR says otherwise", async () => {
    const ask = (env: Record<string, string>) =>
      runVitrine(["check", "--out", join(folder, "none")], undefined, env);
    const [plain, forced, none] = await Promise.all([
      ask({}),
      ask({ FORCE_COLOR: "1" }),
      ask({ NO_COLOR: "1" }),
    ]);
    expect(plain.err).toMatch(/^error: snapshot_unreadable: .*\n {2}hint: .*\n$/);
    expect(none.err).toBe(plain.err);
    expect(forced.err).toContain(`${ESCAPE}31merror:`);
    const fine = await runVitrine(["check", "--out", out], undefined, { FORCE_COLOR: "1" });
    expect(fine.out).toContain(`${ESCAPE}32mOK`);
  });
});

describe("--quiet", () => {
  it("is an option of every command", () => {
    for (const command of createProgram().commands)
      if (!command.name().startsWith("complet"))
        expect([command.name(), command.options.map(({ long }) => long)]).toEqual([
          command.name(),
          expect.arrayContaining(["--quiet"]),
        ]);
  });

  it("keeps requested results and errors", async () => {
    const [checked, got, failed] = await Promise.all([
      runVitrine(["check", "--out", out, "--quiet"]),
      runVitrine(["check", "--out", out, "--quiet", "--json"]),
      runVitrine(["check", "--out", join(folder, "none"), "--quiet"]),
    ]);
    expect(checked).toEqual({ code: 0, out: "", err: "" });
    expect(JSON.parse(got.out)).toMatchObject({ problems: [] });
    expect([failed.code, failed.out]).toEqual([4, ""]);
    expect(failed.err).toMatch(/^error: /);
  });
});

describe("errors", () => {
  it("have a code, a message and one hint, a mistake in the command line too", async () => {
    mkdirSync(join(folder, "config"));
    const config = join(folder, "config/vitrine.config.json");
    writeFileSync(config, "{");
    for (const [code, args] of [
      ["usage", ["bulid"]],
      ["usage", ["check", "--nonsense"]],
      ["config_invalid", ["build", "--config", config]],
      ["snapshot_unreadable", ["check", "--out", folder]],
    ] as const) {
      const { out: said, err } = await runVitrine(args);
      expect(said).toBe("");
      expect(err).toMatch(new RegExp(`^error: ${code}: `));
      expect(err.match(/^ {2}hint: .+$/gm)).toHaveLength(1);
    }
    expect(formatError("guard_refused", "No.\n").split("\n")).toHaveLength(3);
  });

  it("say what to do about a closed shop", async () => {
    const queries = join(folder, "closed");
    cpSync("templates/queries", queries, { recursive: true });
    writeFileSync(join(queries, "closed.sql"), "SELECT 'it is in maintenance' AS reason");
    const closed = ["build", "--store", sharedStore(150), "--queries", queries, "--out", join(folder, "out")];
    const { code, err } = await runVitrine(closed);
    expect([code, err]).toEqual([
      6,
      expect.stringMatching(/error: shop_closed: .*it is in maintenance.*\n {2}hint: open the shop.*--force/),
    ]);
  });
});
