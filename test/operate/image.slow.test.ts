/** The image, as far as it is made without a daemon: each step of the Dockerfile in a folder, then its server, asked and stopped. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const mayMount = spawnSync("unshare", ["--mount", "--net", "ip", "link", "set", "lo", "up"]).status === 0;
const folder = temporaryFolder();
const place = temporaryFolder();

/** The package of this run, as `npm pack` gives it, types apart. */
function packed(): string {
  cpSync(join(packageFolder(), "dist"), join(folder, "dist"), { recursive: true, dereference: true });
  cpSync("templates", join(folder, "templates"), { recursive: true });
  for (const file of ["package.json", "LICENSE", "README.md"]) copyFileSync(file, join(folder, file));
  const args = ["pack", "--ignore-scripts", "--pack-destination", place];
  expect(spawnSync("npm", args, { cwd: folder, encoding: "utf8" })).toMatchObject({ status: 0 });
  const [file = ""] = readdirSync(place);
  return join(place, file);
}

describe.skipIf(!mayMount)("the image", () => {
  it("is made from the package, serves as its user on a read-only root, may write to its volume, and stops", () => {
    const args = ["scripts/image-steps.ts", "--package", packed()];
    const { status, stdout, stderr } = spawnSync("node", args, { encoding: "utf8", timeout: 900_000 });
    expect([status, stdout + stderr]).toEqual([
      0,
      expect.stringMatching(
        /the health check ends with 0\n(?:.*\n)*its user may write to \/cache\n(?:.*\n)*stopped, it ends with 0\n/,
      ),
    ]);
    expect(stdout).not.toMatch(/npm warn/i);
  }, 960_000);
});
