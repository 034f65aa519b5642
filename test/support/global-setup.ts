/** Makes the pages that builds take along; ends and removes what the tests of this run started and made for all of them. */
import { rmSync } from "node:fs";
import { buildObject } from "../../scripts/build-object.ts";
import { buildPages } from "../../scripts/build-pages.ts";
import { runFolder } from "./once.ts";
import { rgwFolder, stopRgw } from "./rgw.ts";
import { clearAfterDeath, stopServersOfRun } from "./server-of-run.ts";

export default async function setup(): Promise<() => Promise<void>> {
  const clear = () => rmSync(runFolder(process.pid), { recursive: true, force: true });
  // A run of the same number may have been killed.
  clear();
  clearAfterDeath();
  await buildPages("dist/public");
  await buildObject();
  return async () => {
    await stopServersOfRun(process.pid);
    clear();
    await stopRgw(rgwFolder(process.pid));
  };
}
