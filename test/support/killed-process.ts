/**
 * Loaded into a process before its program: ends it as SIGKILL from outside does, right before its n-th write to the disk or
 * right behind it. `KILL_AT`: `12 before`; with `12 before /out/.next/journal` the first one is the one that names this path.
 */
import { guardWrites } from "./dying.ts";

const [last = "", moment, path] = (process.env["KILL_AT"] ?? "").split(" ");
let left = Number(last);
let counts = path === undefined;

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

guardWrites((write, given) => {
  counts ||= given.includes(path);
  if (counts) left -= 1;
  if (left === 0 && moment === "before") die();
  const result = write();
  if (left === 0) die();
  return result;
});
