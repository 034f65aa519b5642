/** What stands beside a snapshot that is for a host: the guide for whoever puts it live. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "./api/config.ts";
import { GUIDE_NAMES, guideFiles } from "./hosts/files.ts";
import type { OutLayout } from "./snapshot/layout.ts";

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody keeps something of his own there.
  }
}

/** Writes the guide of a configuration's host, and takes that of another one away. */
export function writeGuide(config: PublicConfig, { host: folder }: OutLayout): void {
  const files = guideFiles(config);
  if (files.length > 0) mkdirSync(folder, { recursive: true });
  else if (!existsSync(folder)) return;
  for (const name of GUIDE_NAMES) {
    const path = join(folder, name);
    const text = files.find((file) => file.name === name)?.text;
    if (text === undefined) rmSync(path, { force: true });
    else if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  if (files.length === 0) removeEmpty(folder);
}
