/** Where commands read and write, and what they say where they cannot. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { writingInto } from "../../src/base/temporary-folder.ts";
import { explainMachineFailure, explainWriteFailure } from "../../src/base/write-failure.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { lockOut } from "../../src/site/out.ts";
import { commandFile, startServer, startVitrine, vitrine } from "../support/command.ts";
import { sharedStore } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

let shop: TinyShop;
let folder = "";
let config = "";
let file = "";

beforeAll(() => {
  shop = createTinyShop();
  folder = shop.folder;
  config = join(folder, "shop.config.json");
  writeFileSync(
    config,
    JSON.stringify({
      ...TINY_CONFIG,
      store: "store.sqlite",
      queries: resolve("templates/queries"),
      out: "public",
    }),
  );
  file = join(folder, "a-file");
  writeFileSync(file, "");
  expect(vitrine(["build", "--config", config])).toMatchObject({ status: 0 });
});
afterAll(() => shop.close());

/** Runs a command in a folder whose vitrine.config.json is the shop's. */
function runBeside(...args: string[]) {
  return vitrine(args, {}, folder);
}

const canMount = spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0;

/** Runs Node with a folder that is mounted read-only. The mount is that of one process, and ends with it. */
function mountedReadOnly(place: string, command: readonly string[]) {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec node "$@"';
  const args = ["--mount", "--map-root-user", "sh", "-c", mount, place, ...command];
  return spawnSync("unshare", args, { encoding: "utf8" });
}

describe("the configuration's out", () => {
  it("is used by plan, check, get and publish", () => {
    expect(existsSync(join(folder, "public/catalog.sqlite"))).toBe(true);
    const place = `file://${join(folder, "live")}`;
    for (const args of [["plan"], ["check"], ["get", "/store"], ["publish", "--to", place]]) {
      expect(vitrine([...args, "--config", config])).toMatchObject({ status: 0 });
    }
    expect(vitrine(["check", "--to", place])).toMatchObject({ status: 0 });
  });

  it.each([["serve"], ["fallback", "--quiet"]])("is used by %s", async (...args) => {
    const server = await startServer([...args, "--config", config]);
    const response = await fetch(`${server.url}/api/v1/store`);
    expect(response.status).toBe(200);
    server.child.kill();
    expect(await server.ended).toBe(0);
  });

  it("is found without --config in the working directory; --out takes precedence", () => {
    writeFileSync(
      join(folder, "vitrine.config.json"),
      JSON.stringify({ ...TINY_CONFIG, queries: resolve("templates/queries"), out: "public" }),
    );
    expect(runBeside("check")).toMatchObject({ status: 0 });
    expect(runBeside("check", "--out", "elsewhere")).toMatchObject({ status: 4 });
    expect(runBeside("check", "--config", "none.json")).toMatchObject({ status: 2 });
  });
});

it.each(["--out", "--store", "--queries", "--config"])(
  "an empty %s is refused: of a variable without a value",
  (option) => {
    const { status, stderr } = runBeside("build", option, "");
    expect(stderr).toContain(`error: usage: ${option} cannot be empty.`);
    expect(status).toBe(2);
  },
);

it("a check waits for a build, which moves files while it would compare them", async () => {
  const out = join(folder, "public");
  using _build = await lockOut(layoutOf(out), "exclusive", {});
  const { status, stderr } = vitrine(["check", "--out", out, "--wait", "0"]);
  expect(stderr).toContain("error: out_busy: ");
  expect(status).toBe(6);
});

it("a temporary folder that is missing is reported with the variable that names it", () => {
  const { status, stderr } = vitrine(["plan", "--config", config], { TMPDIR: join(folder, "no-tmp") });
  expect(stderr).toMatch(
    /^error: write_failed: Cannot write to .*no-tmp: ENOENT: .*\n {2}hint: TMPDIR names the folder/,
  );
  expect(status).toBe(6);
});

it("a store that is a folder is called so", () => {
  const { status, stderr } = vitrine(["build", "--config", config, "--store", folder]);
  expect(stderr).toContain(`error: store_unreadable: Cannot read the store ${folder}: it is a folder.`);
  expect(status).toBe(3);
});

it("a store of no bytes is called an empty file, whatever its tables would be asked", () => {
  const empty = join(folder, "empty.sqlite");
  writeFileSync(empty, "");
  const { status, stderr } = vitrine(["build", "--config", config, "--store", empty]);
  expect(stderr).toContain(`error: store_unreadable: Cannot read the store ${empty}: it is an empty file.`);
  expect(status).toBe(3);
});

it("a working directory that was deleted is named, and is no bug", () => {
  const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const args = [join(folder, "deleted-directory"), process.execPath, commandFile(), "build"];
  const { status, stderr } = spawnSync("sh", ["-c", script, ...args], { encoding: "utf8" });
  expect(stderr).toContain("error: usage: The working directory was deleted. Change to another folder.");
  expect(status).toBe(2);
});

it("names the temporary folder if its disk is full, and TMPDIR", async () => {
  const full = () =>
    Promise.reject(Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }));
  await expect(writingInto(join(tmpdir(), "vitrine-tmp-abcdef"), full)).rejects.toMatchObject({
    message: `Cannot write to ${tmpdir()}: the disk is full. Make room and try again.`,
    hint: expect.stringContaining("TMPDIR names the folder"),
  });
});

it.skipIf(!canMount)("names the temporary folder if a publish fills it", () => {
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const fill =
    'mount -t tmpfs -o size=64k tmpfs "$0" && { head -c 64k /dev/zero > "$0/full"; TMPDIR="$0" exec node "$@"; }';
  const place = join(folder, "place");
  const command = [commandFile(), "publish", "--config", config, "--to", `file://${place}`];
  const args = ["--mount", "--map-root-user", "sh", "-c", fill, temporary, ...command];
  const { status, stderr } = spawnSync("unshare", args, { encoding: "utf8" });
  expect(stderr).toMatch(
    /^error: write_failed: Cannot write to .*temporary: the disk is full\. Make room and try again\.\n {2}hint: TMPDIR names /,
  );
  expect(status).toBe(6);
});

describe("a folder that cannot be written", () => {
  it("is reported as a mistake if it is a file", () => {
    const { status, stderr } = vitrine(["build", "--config", config, "--out", file]);
    expect(status).toBe(2);
    expect(stderr).toContain(`: ${file} is a file. Name the folder of the snapshot with --out.\n`);
    const below = vitrine(["build", "--config", config, "--out", join(file, "below")]);
    expect([below.status, below.stderr.split("\n").length]).toEqual([6, 3]);
    expect(below.stderr).toContain("Move away what is in its place");
    const edge = vitrine(["edge", "nginx", "--config", config, "--into", file]);
    expect([edge.status, edge.stderr.split("\n").length]).toEqual([6, 3]);
  });

  it("is reported with the system's reason, and never as a bug", () => {
    const reported = (code: string, where = folder) => {
      const error = explainWriteFailure(
        Object.assign(new Error(`${code}: said by the system`), { code }),
        where,
      );
      expect(error).toBeInstanceOf(VitrineError);
      return (error as VitrineError).message;
    };
    const hintOf = (code: string) =>
      (explainWriteFailure(Object.assign(new Error(code), { code }), folder) as VitrineError).hint;
    for (const code of ["ENOSPC", "SQLITE_FULL"]) {
      expect(reported(code)).toBe(`Cannot write to ${folder}: the disk is full. Make room and try again.`);
      // Inodes end on a disk with room.
      expect(hintOf(code)).toContain("df -i FOLDER");
    }
    expect(reported("EDQUOT")).toMatch(/this user's quota on the disk is used up\. Raise it or make room/);
    expect(hintOf("EDQUOT")).toContain("quota -s");
    expect(reported("EFBIG")).toMatch(/longer than this process may write.*ulimit -f, LimitFSIZE= of a unit/);
    for (const code of ["EACCES", "EPERM", "SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY"]) {
      expect(reported(code)).toMatch(/said by the system\. Let this user write there/);
    }
    expect(reported("EROFS")).toBe(
      `Cannot write to ${folder}: its file system is mounted read-only. Mount it for writing, or name another folder.`,
    );
    for (const code of ["EISDIR", "NOT_FILE"])
      expect(reported(code)).toContain("Move away what is in its place");
    expect(reported("SQLITE_IOERR_WRITE")).toContain("Check that disk");
    expect(reported("SQLITE_IOERR_WRITE", "/out")).toContain("was deleted meanwhile");
    const bug = new TypeError("x is not a function");
    expect(explainWriteFailure(bug, "/out")).toBe(bug);
    const missing = (path: string) => Object.assign(new Error("ENOENT"), { code: "ENOENT", path });
    expect(explainWriteFailure(missing("/out/.next/part"), "/out")).toBeInstanceOf(VitrineError);
    // It may be a file of the package.
    const elsewhere = missing("/usr/lib/vitrine/explore.html");
    expect(explainWriteFailure(elsewhere, "/out")).toBe(elsewhere);
  });

  it("is reported as refused by the machine, also at unexpected places", () => {
    const refused = (error: unknown) => {
      const explained = explainMachineFailure(error);
      expect(explained).toMatchObject({ code: "write_failed", exitCode: 6 });
      return (explained as VitrineError).message;
    };
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    expect(refused(full)).toBe(
      "Cannot write: the disk is full (ENOSPC: no space left on device, write). Make room and try again.",
    );
    const closing = Object.assign(new Error("closing failed"), { name: "SuppressedError", suppressed: full });
    expect(refused(closing)).toBe(refused(full));
    // As Node says it if a thread cannot be started.
    const thread = new Error("Cannot read package config /srv/package.json: too many open files.");
    expect(refused(thread)).toContain("LimitNOFILE= of a unit");
    // Advice about the configuration or the store would send people the wrong way.
    const cause = Object.assign(new Error("EMFILE: too many open files, open '/x'"), { code: "EMFILE" });
    const wrapped = new VitrineError("config_invalid", "Cannot read the pages. Run npm run build.", {
      cause,
    });
    expect(refused(wrapped)).toBe(
      "Cannot go on: too many files are open (EMFILE: too many open files, open '/x'). Raise the limit for this process (ulimit -n, LimitNOFILE= of a unit) and try again.",
    );
    expect(explainMachineFailure(wrapped)).toMatchObject({ hint: expect.stringContaining("ulimit -n") });
    expect(explainMachineFailure(explainMachineFailure(wrapped))).toEqual(explainMachineFailure(wrapped));
    const forbidden = new VitrineError("config_invalid", "Cannot read it.", { cause: full });
    expect(explainMachineFailure(forbidden)).toBe(forbidden);
    for (const bug of [
      new TypeError("x is not a function"),
      Object.assign(new Error(""), { code: "ENOENT" }),
    ])
      expect(explainMachineFailure(bug)).toBe(bug);
  });

  it.each([24, 26, 28, 30])("is reported as the limit if a build may open %i files", (limit) => {
    const out = join(folder, `limited-${limit}`);
    expect(vitrine(["build", "--config", config, "--out", out]).status).toBe(0);
    const script = `ulimit -n ${limit}; exec "$@" build --full --quiet --config ${config} --out ${out}`;
    const { status, stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, commandFile()], {
      encoding: "utf8",
    });
    // Node itself may lack the files to load the program.
    if (status === 0 || stderr.includes("node:internal/modules")) return;
    expect(stderr).toMatch(/error: write_failed: .*too many files are open.*LimitNOFILE= of a unit/s);
    expect(stderr).not.toMatch(/Let this user write|vitrine doctor|npm run build|--store/);
  });

  // Opening a pipe waits for its other end.
  it.each([
    "manifest.sqlite",
    "manifest.sqlite-journal",
    "catalog.sqlite",
    ".readings.sqlite",
    ".lock",
    ".turn",
    ".holders",
    ".next",
    "site",
    "site/api/v1/store.json",
  ])("ends a build and a check if a pipe is in the place of %s, and is no bug", (name) => {
    const out = join(folder, `pipe-${name.replaceAll("/", "-")}`);
    expect(vitrine(["build", "--config", config, "--out", out]).status).toBe(0);
    rmSync(join(out, name), { recursive: true, force: true });
    execFileSync("mkfifo", [join(out, name)]);
    for (const command of ["check", "build"]) {
      const args = [commandFile(), command, "--config", config, "--out", out];
      const { status } = spawnSync(process.execPath, args, { timeout: 60_000 });
      expect([command, [0, 4, 6].includes(status ?? -1), status]).toEqual([command, true, status]);
    }
  });

  it("is reported if a server's copy has no space", async () => {
    const env = { TMPDIR: join(folder, "missing") };
    for (const args of [["serve"], ["fallback", "--cache", file, "--to", "file:///nowhere"]]) {
      const server = startVitrine([...args, "--config", config, "--port", "0"], env);
      await until("its end", () => server.child.exitCode !== null || server.said().includes("listening"));
      server.child.kill();
      expect([args[0], await server.ended]).toEqual([args[0], 6]);
      expect(server.said()).toContain("error: write_failed: ");
    }
  });

  it.each([
    ["a database", "gone.sqlite", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"],
    ["its journal", "gone.sqlite-journal", "CREATE TABLE t (x); BEGIN; INSERT INTO t VALUES (1)", "COMMIT"],
  ])("is reported as deleted if %s is, while the rest is still there", (_, deleted, before, after) => {
    const half = join(folder, "half");
    mkdirSync(half, { recursive: true });
    rmSync(join(half, "gone.sqlite"), { force: true });
    const db = new Database(join(half, "gone.sqlite"));
    db.exec(before);
    rmSync(join(half, deleted));
    const write = () => {
      try {
        db.exec(after);
      } catch (error) {
        throw explainWriteFailure(error, half);
      }
    };
    expect(write).toThrow(/was deleted meanwhile: try again/);
    db.close();
  });

  it("is reported if it is deleted during a build", async () => {
    const out = join(folder, "deleted");
    const store = sharedStore(150);
    const watched = startVitrine(["watch", "--config", config, "--store", store, "--out", out]);
    // Again and again, so that some build meets it.
    const deleting = setInterval(() => spawnSync("rm", ["-rf", out]), 50);
    await until("a build that fails", () => /failed:/.test(watched.said()));
    clearInterval(deleting);
    const said = watched.said();
    watched.child.kill();
    expect(said).toMatch(
      /error: write_failed: build failed: Cannot write to .*deleted: .*was deleted meanwhile/,
    );
  });

  it("is reported if the user may not write", () => {
    const locked = join(folder, "locked");
    mkdirSync(locked);
    chmodSync(folder, 0o755);
    chmodSync(locked, 0o555);
    // Root may write everywhere, so the test runs as the user nobody.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const args = [commandFile(), "build", "--config", config, "--out", locked];
    const { status, stderr } = spawnSync("node", args, { encoding: "utf8", ...user });
    expect(stderr).toMatch(
      /^error: write_failed: Cannot write to .*locked: EACCES: .*Let this user write there, or name another folder\.\n {2}hint: /,
    );
    expect(status).toBe(6);
  });

  it.skipIf(!canMount).each([
    ["build", "--out", "new/out"],
    ["edge", "nginx", "--into", "new"],
    ["demo", "new/demo"],
  ])("is reported as mounted read-only if it is to be made there by %s", (...line) => {
    const place = join(folder, "mounted");
    mkdirSync(place, { recursive: true });
    const at = line.indexOf(line.findLast((word) => word.startsWith("new")) ?? "");
    const args = [...line.slice(0, at), join(place, line[at] ?? "")];
    if (args[0] !== "demo") args.push("--config", config);
    const { status, stderr } = mountedReadOnly(place, [commandFile(), ...args]);
    expect(stderr).toMatch(
      /^error: write_failed: Cannot write to .*: its file system is mounted read-only\./,
    );
    expect(status).toBe(6);
  });

  // Node's own way of making folders would never end there.
  it.runIf(existsSync("/proc/self"))(
    "ends a build if the system says that what is above it is missing",
    () => {
      const args = [commandFile(), "build", "--config", config, "--out", "/proc/none/out"];
      const { status, stderr } = spawnSync("node", args, { encoding: "utf8", timeout: 60_000 });
      expect(stderr).toMatch(/^error: write_failed: Cannot write to \/proc\/none\/out: ENOENT: /);
      expect(status).toBe(6);
    },
  );

  it("does not concern the fallback", async () => {
    const waiting = startVitrine(["fallback", "--catalog", join(folder, "nope"), "--port", "0"]);
    await until("it says what it waits for", () => waiting.said().includes("no catalog yet"));
    waiting.child.kill();
    await waiting.ended;
    expect(waiting.said()).toContain(join(folder, "nope"));
    expect(waiting.said()).not.toContain("--out");
  });
});

describe("a store that keeps a log, in a folder that cannot be written", () => {
  let place = "";

  beforeAll(() => {
    place = join(folder, "read-only");
    mkdirSync(place);
    const store = join(folder, "logged.sqlite");
    copyFileSync(join(folder, "store.sqlite"), store);
    const db = new Database(store);
    db.pragma("journal_mode = WAL");
    db.exec("UPDATE products SET name = 'Is in the log alone'");
    // As a shop that is at work leaves them, or a copy of its folder. What SQLite makes beside the log is not copied.
    for (const end of ["", "-wal"]) copyFileSync(store + end, join(place, `store.sqlite${end}`));
    db.close();
    for (const name of readdirSync(place)) chmodSync(join(place, name), 0o644);
    chmodSync(folder, 0o755);
  });

  function expectLogNamed({
    status,
    stderr,
  }: {
    readonly status: number | null;
    readonly stderr: string;
  }): void {
    const log = join(place, "store.sqlite-wal");
    expect(stderr).toContain(
      `error: store_unreadable: Cannot read the store ${join(place, "store.sqlite")}: `,
    );
    expect(stderr).toContain(`it keeps changes in a log, ${log}, and`);
    expect(stderr).toContain("Copy the file together with its log");
    expect([status, readdirSync(place).toSorted()]).toEqual([3, ["store.sqlite", "store.sqlite-wal"]]);
  }

  const command = () => [commandFile(), "plan", "--config", config, "--store", join(place, "store.sqlite")];

  it("is reported with the log's name if the user may not write", () => {
    chmodSync(place, 0o555);
    // Root may write everywhere, so the test runs as the user nobody.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    expectLogNamed(spawnSync("node", command(), { encoding: "utf8", ...user }));
  });

  it.skipIf(!canMount)("is reported with the log's name if the folder is mounted read-only", () => {
    chmodSync(place, 0o755);
    expectLogNamed(mountedReadOnly(place, command()));
  });
});

describe("an invalid number", () => {
  const to = ["--to", "file:///nowhere"];
  it.each([
    ["check", "--to", "file:///nowhere", "--sample", "abc"],
    ["check", "--sample", "abc"],
    ["check", "--sample", "0"],
    ["check", "--concurrency", "1.5"],
    ["serve", "--port", ""],
    ["serve", "--port", "1e3"],
    ["serve", "--port", "65536"],
    ["fallback", "--port", "0x50"],
    ["fallback", "--concurrency", "-1"],
    ["publish", ...to, "--lease", "4"],
    ["publish", ...to, "--verify", "many"],
    ["rollback", ...to, "--allow-shrink", " 1"],
  ])("%s %s %s %s %s", (...args) => {
    const { status, stderr } = vitrine(args.filter((arg) => arg !== undefined));
    expect(status).toBe(2);
    expect(stderr).toContain("Use a whole number from");
  });

  it("is refused as a number of releases and as a time to keep them", () => {
    const { status, stderr } = vitrine(["publish", ...to, "--keep", "0"]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("write how long, in days or hours up to 90d, like 7d or 12h, or how many"),
    ]);
  });

  it("is refused also if it would have no effect", () => {
    const { status, stderr } = vitrine(["check", "--config", config, "--sample", "5"]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      "error: usage: --sample needs --to or --from: a folder is always checked whole.\n",
    );
  });
});
