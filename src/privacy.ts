/** PRIVACY.md of a configuration: what it would say, and whether the one that stands does. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, VitrineError } from "./base/error.ts";
import { toSqlTime } from "./base/time.ts";
import { openStore } from "./build/store.ts";
import { CONFIG_FILE } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import { privacyPage } from "./init/privacy.ts";
import { dialectOf } from "./init/schema.ts";

export const PRIVACY_FILE = "PRIVACY.md";

/** Where the page stands: beside the configuration. */
export function privacyFile(configFile: string = CONFIG_FILE): string {
  return join(dirname(resolve(configFile)), PRIVACY_FILE);
}

/**
 * What the page says of SQL files as they stand, confirmed or not.
 * @throws VitrineError store_unreadable, allow_list_invalid
 */
export async function readPrivacy(place: string, queries: string): Promise<string> {
  const list = readAllowList(queries, "shown");
  const store = await openStore(place, toSqlTime(new Date()));
  try {
    return await privacyPage(store, dialectOf(place), Object.values(list));
  } finally {
    await store.close();
  }
}

/** Puts a page in the place of the one that stands there. @throws VitrineError write_failed */
export function writePrivacy(file: string, page: string): void {
  try {
    writeFileSync(`${file}.new`, page);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new VitrineError("write_failed", `Cannot write ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

/** True where the page that stands there says something else. */
export function isOutOfDate(file: string, page: string): boolean {
  return readFileSync(file, "utf8") !== page;
}
