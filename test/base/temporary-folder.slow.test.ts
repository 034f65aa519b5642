/** Temporary folders: deleted after their work, or with the next one if their process was killed. Others' folders never are. */
import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../src/base/temporary-folder.ts";

let parent = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "vitrine-parent-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const present = () => readdirSync(parent).sort();

function killed(): void {
  const script = `import { writeFileSync } from "node:fs";
    import { temporaryFolder } from "./src/base/temporary-folder.ts";
    const { path } = await temporaryFolder(${JSON.stringify(parent)});
    writeFileSync(path + "/catalog.sqlite", "much");
    process.kill(process.pid, "SIGKILL");`;
  expect(spawnSync("node", ["--input-type=module", "-e", script]).signal).toBe("SIGKILL");
}

describe("a temporary folder", () => {
  it("is deleted after its work, also after a failure", async () => {
    const work = async (fails: boolean) => {
      await using folder = await temporaryFolder(parent);
      writeFileSync(join(folder.path, "file"), "");
      if (fails) throw new Error("no");
      return present().length;
    };
    expect(await work(false)).toBe(1);
    await expect(work(true)).rejects.toThrow("no");
    expect(present()).toEqual([]);
  });

  it("of a killed process is removed by the next one; folders in use are not", async () => {
    killed();
    killed();
    expect(present()).toHaveLength(1);
    await using one = await temporaryFolder(parent);
    await using other = await temporaryFolder(parent);
    expect(present()).toEqual([one, other].map(({ path }) => basename(path)).sort());
  });
});

it("keeps its files while many others are made and removed next to it", async () => {
  const script = `import { readFileSync, writeFileSync } from "node:fs";
    import { join } from "node:path";
    import { temporaryFolder } from "./src/base/temporary-folder.ts";
    for (let at = 0; at < 300; at++) {
      await using folder = await temporaryFolder(${JSON.stringify(parent)});
      const file = join(folder.path, "catalog.sqlite");
      writeFileSync(file, String(at));
      await new Promise((next) => setImmediate(next));
      if (readFileSync(file, "utf8") !== String(at)) throw new Error("another one's");
    }`;
  const run = () => promisify(execFile)("node", ["--input-type=module", "-e", script]);
  await Promise.all([run(), run(), run()]);
  expect(present()).toEqual([]);
});

describe("a folder that looks like one", () => {
  /** Like an abandoned one, except for the given name. */
  const lookalike = (name = "vitrine-tmp-abc123") => {
    const path = join(parent, name);
    mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(path, ".vitrine-lock"), "");
    return path;
  };
  const staysAfter = async (path: string) => {
    await using _ = await temporaryFolder(parent);
    return existsSync(path);
  };

  it("is removed if it is a temporary folder", async () => {
    expect(await staysAfter(lookalike())).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("is kept if another user owns it", async () => {
    const path = lookalike();
    chownSync(path, 65_534, 65_534);
    expect(await staysAfter(path)).toBe(true);
  });

  it("is kept if others may write to it or read it", async () => {
    const path = lookalike();
    chmodSync(path, 0o770);
    expect(await staysAfter(path)).toBe(true);
  });

  it.each(["vitrine-tmp-notes", "vitrine-tmp-abc1234", "my-vitrine-tmp-abc123", "vitrine-abc123"])(
    "is kept if its name differs: %s",
    async (name) => {
      expect(await staysAfter(lookalike(name))).toBe(true);
    },
  );

  it("is kept without a lock file, or with something else in its place", async () => {
    const path = lookalike();
    const lock = join(path, ".vitrine-lock");
    rmSync(lock);
    expect(await staysAfter(path)).toBe(true);
    mkdirSync(lock);
    expect(await staysAfter(path)).toBe(true);
    rmSync(lock, { recursive: true });
    writeFileSync(lock, "a diary that somebody keeps here\n".repeat(100));
    expect(await staysAfter(path)).toBe(true);
    rmSync(lock);
    const elsewhere = join(parent, "elsewhere");
    writeFileSync(elsewhere, "");
    symlinkSync(elsewhere, lock);
    expect(await staysAfter(path)).toBe(true);
  });

  it("is kept if it is a link to a folder with any content", async () => {
    const path = lookalike("home");
    const link = join(parent, "vitrine-tmp-abc123");
    symlinkSync(path, link);
    expect(await staysAfter(path)).toBe(true);
    expect(existsSync(join(link, ".vitrine-lock"))).toBe(true);
  });
});
