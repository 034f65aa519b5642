/** What commands say as a user who may not read or write one of the files. As root, the tests run them as the user nobody. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { commandFile, listenTo } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const folder = temporaryFolder();
const live = pathToFileURL(join(folder, "live")).href;

const USER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Runs a command as the folder's owner. */
function run(args: readonly string[]) {
  return spawnSync("node", [commandFile(), ...args], { cwd: folder, encoding: "utf8", ...USER });
}

/** Runs commands while nobody but root may use a file or a folder. */
function withoutRight(path: string, work: () => void): void {
  const found = join(folder, path);
  chmodSync(found, 0);
  try {
    work();
  } finally {
    chmodSync(found, path.includes(".") ? 0o644 : 0o755);
  }
}

beforeAll(() => {
  const shop = createTinyShop();
  cpSync(shop.store, join(folder, "store.sqlite"));
  shop.close();
  cpSync("templates/queries", join(folder, "queries"), { recursive: true });
  writeFileSync(
    join(folder, "vitrine.config.json"),
    JSON.stringify({ ...TINY_CONFIG, store: "store.sqlite", queries: "queries" }),
  );
  if (isRoot) {
    for (const name of ["", ...(readdirSync(folder, { recursive: true }) as string[])])
      chownSync(join(folder, name), NOBODY, NOBODY);
  }
  expect(run(["build"]).stderr).toBe("");
  expect(run(["publish", "--to", live]).status).toBe(0);
});

it.runIf(isRoot)("root does not build in the folder of another user, who could not go on", () => {
  const asRoot = (...args: string[]) =>
    spawnSync("node", [commandFile(), ...args], { cwd: folder, encoding: "utf8" });
  const { stderr, status } = asRoot("build", "--full");
  expect(stderr).toMatch(
    /^error: guard_refused: .*out was built by user 65534, who could not replace what root makes/,
  );
  expect(stderr).toMatch(/\n {2}hint: runuser -u "\$\(id -nu 65534\)" -- vitrine … .*chown -R root /);
  expect(status).toBe(6);
  expect(asRoot("doctor").stdout).toContain(
    "out was built by user 65534, and this is user 0. Build as that user.",
  );
  expect(asRoot("check").status).toBe(0);
  expect(run(["build", "--full"]).stderr).toBe("");
});

it.each(["build", "plan", "privacy", "doctor"])("%s names the SQL file that it may not read", (command) => {
  withoutRight("queries/products.sql", () => {
    const { stdout, stderr, status } = run([command]);
    const file = join(folder, "queries/products.sql");
    expect(stdout + stderr).toContain(`Cannot read ${file}: EACCES: permission denied`);
    expect(stdout + stderr).toContain(`ls -l ${file} shows whose file it is`);
    expect(stdout + stderr).not.toContain("Cannot write");
    expect(status).toBe(command === "doctor" ? 4 : 3);
  });
});

it("a store in a closed folder is a store that cannot be read", () => {
  mkdirSync(join(folder, "shop"));
  cpSync(join(folder, "store.sqlite"), join(folder, "shop/store.sqlite"));
  withoutRight("shop", () => {
    const { stderr, status } = run(["build", "--store", "shop/store.sqlite"]);
    const file = join(folder, "shop/store.sqlite");
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`error: store_unreadable: Cannot read the store ${file}: EACCES: `),
    ]);
  });
});

it("check names a file and a folder of the snapshot that it may not read", () => {
  withoutRight("out/site/api/v1/store.json", () => {
    const { stderr, status } = run(["check"]);
    expect(stderr).toContain("\n  api/v1/store.json: cannot be read: EACCES: ");
    expect([status, stderr]).toEqual([4, expect.stringContaining("error: check_failed: 1 problem")]);
  });
  withoutRight("out/site/api", () => {
    const { stderr, status } = run(["check"]);
    const site = join(folder, "out/site/api");
    expect(stderr).toContain(`error: snapshot_unreadable: Cannot read ${site}: EACCES: `);
    expect(status).toBe(4);
  });
});

it.each([
  ["check", "snapshot_unreadable: Cannot read the manifest"],
  ["export", "catalog_unreadable: Cannot read the catalog"],
])("%s does not say that a snapshot in a closed folder is missing", (command, said) => {
  withoutRight("out", () => {
    const { stderr, status } = run(command === "export" ? [command, "products"] : [command]);
    expect([status, stderr]).toEqual([4, expect.stringContaining(`error: ${said} ${folder}`)]);
  });
});

it("reading a published folder is not called publishing", () => {
  withoutRight("live/.vitrine/current.json", () => {
    const place = join(folder, "live");
    for (const command of ["check", "rollback"]) {
      const { stderr, status } = run([command, "--to", live]);
      expect([status, stderr]).toEqual([
        5,
        expect.stringContaining(`error: remote_failed: Cannot read ${place}: EACCES: `),
      ]);
    }
  });
});

// A unit's `Nice=` does the same. Only root may raise a priority, and the thread that reads catalogs has one of its own.
it("a fallback with a low priority starts", async () => {
  const line = ["-n", "10", "node", commandFile(), "fallback", "--to", live, "--port", "0", "--drain", "0"];
  const child = spawn("nice", line, { stdio: ["ignore", "pipe", "pipe"], ...USER });
  const { said, ended } = listenTo(child);
  await until("it listens", () => child.exitCode !== null || said().includes("listening on"));
  child.kill();
  expect([await ended, said()]).toEqual([0, expect.stringContaining("listening on")]);
});
