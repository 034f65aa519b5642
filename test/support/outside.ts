/** Programs of others that single tests run beside Vitrine: installed once a run, as a lock of their own says. */
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { onceARun } from "./once.ts";

const FIXTURE = "test/support/outside";

/** The folder whose `node_modules` has them. */
export function outsideFolder(): string {
  return onceARun("outside", (folder) => {
    for (const file of ["package.json", "package-lock.json"])
      copyFileSync(join(FIXTURE, file), join(folder, file));
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    execFileSync("npm", ["ci", ...flags], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  });
}

/** A module of one of them. */
export function requireOutside(name: string): unknown {
  return createRequire(resolve(outsideFolder(), "package.json"))(name);
}
