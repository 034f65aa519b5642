/** Ends what the tests of this run started for all of them. */
import { rgwFolder, stopRgw } from "./rgw.ts";

export default function setup(): () => Promise<void> {
  return () => stopRgw(rgwFolder(process.pid));
}
