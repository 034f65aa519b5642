/** The process in which `vitrine doctor` runs its checks, one at a time: one that hangs is ended with it. */
import { runCheck } from "../doctor.ts";
import { type CheckOrder, READY } from "./doctor-checks.ts";

process.on("message", async ({ name, options }: CheckOrder) => {
  process.send?.(await runCheck(name, options));
});
process.send?.(READY);
