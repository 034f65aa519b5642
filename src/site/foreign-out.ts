/**
 * Refuses an output folder in which something else has a name of a snapshot: a web site's `site/`, the shop's own `catalog.sqlite`, the
 * `.next/` of Next.js. A build replaces these. So does one in the working directory, if `--out` has the value of an empty variable.
 */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { API_PATH } from "../api/endpoints.ts";
import { systemCodeOf, VitrineError } from "../base/error.ts";
import { isDamage } from "../base/memory.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { OutLayout } from "./layout.ts";
import { openManifest } from "./manifest.ts";

/** @throws VitrineError guard_refused */
export function refuseForeign(out: string, layout: OutLayout): void {
  const found = [...foreignFiles(layout), ...(hasForeignStaging(layout) ? [layout.next] : [])];
  if (found.length === 0) return;
  const names = found.map((path) => basename(path)).join(", ");
  throw new VitrineError(
    "guard_refused",
    `${out} has something else under the names of a snapshot, which a build would replace: ${names}. Nothing was written. ` +
      "Name another folder with --out, or move that away.",
    { hint: "--out, or `out` of the configuration, is a folder in which only Vitrine writes" },
  );
}

/** What is in the place of a snapshot's files; nothing if one of them is a snapshot's: then the others are remains of one. */
function foreignFiles({ site, manifest, catalog }: OutLayout): string[] {
  if (existsSync(join(site, API_PATH))) return [];
  const databases = [
    { file: manifest, state: stateOf(manifest, openManifest) },
    { file: catalog, state: stateOf(catalog, openCatalog) },
  ];
  if (databases.some(({ state }) => state === "ours")) return [];
  const others = databases.filter(({ state }) => state === "foreign").map(({ file }) => file);
  return namesIn(site).length > 0 ? [site, ...others] : others;
}

function stateOf(file: string, open: (file: string) => { close(): void }): "ours" | "foreign" | "free" {
  const found = lstatSync(file, { throwIfNoEntry: false });
  // After a power failure a file of ours may be empty.
  if (found === undefined || (found.isFile() && found.size === 0)) return "free";
  try {
    open(file).close();
    return "ours";
  } catch (error) {
    // Another format, a lock or a missing right is no proof. A database of somebody else lacks our tables.
    const lacksTables = error instanceof Error && systemCodeOf(error.cause) === "SQLITE_ERROR";
    return lacksTables || isDamage(error) ? "foreign" : "ours";
  }
}

/** The names in a folder. None if it is missing: another build may just have removed `.next/`. */
function namesIn(path: string): string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  try {
    return readdirSync(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function hasForeignStaging(layout: OutLayout): boolean {
  const names = Object.values(layout).filter((path) => path.startsWith(join(layout.next, "/")));
  // A database in use has files beside it, and the list of moves a draft.
  return namesIn(layout.next).some(
    (name) =>
      !names.some(
        (path) =>
          name === basename(path) ||
          name.startsWith(`${basename(path)}-`) ||
          name.startsWith(`${basename(path)}.`),
      ),
  );
}
