/** Ends and removes what the tests of this run started and made for all of them. */
import { rmSync } from "node:fs";
import { runFolder } from "./once.ts";
import { rgwFolder, stopRgw } from "./rgw.ts";
import { stopServersOfRun } from "./server-of-run.ts";

export default function setup(): () => Promise<void> {
  const clear = () => rmSync(runFolder(process.pid), { recursive: true, force: true });
  // A run of the same number may have been killed.
  clear();
  return async () => {
    await stopServersOfRun(process.pid);
    clear();
    await stopRgw(rgwFolder(process.pid));
  };
}
