/** Part of `npm run build`: bundles the Worker with its object, which `vitrine edge cloudflare` copies, into `dist`. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { OBJECT_WORKER_FILE } from "../src/package.ts";
import { bundleObject } from "./edge/bundle.ts";

/** Replaces the file at once: another test run may be reading it. */
export async function buildObject(): Promise<void> {
  const next = `${OBJECT_WORKER_FILE}.${process.pid}`;
  mkdirSync(dirname(OBJECT_WORKER_FILE), { recursive: true });
  writeFileSync(next, await bundleObject());
  renameSync(next, OBJECT_WORKER_FILE);
}
