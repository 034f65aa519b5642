/** Files of the allow-list that nobody has confirmed yet: shown to a person, and confirmed by taking a line out of them. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf, VitrineError } from "./base/error.ts";
import { toSqlTime } from "./base/time.ts";
import { openStore } from "./build/store.ts";
import { confirmed, readAllowList, unconfirmedOf } from "./extract/allow-list.ts";
import { dialectOf } from "./init/schema.ts";
import { type ShownFile, showFile } from "./init/show.ts";

/** The name of a file in the folder, however it was named: `products.sql`, `queries/products.sql`. */
function nameIn(folder: string, given: string): string {
  const file = basename(given);
  const isNamed = given === file || dirname(resolve(given)) === resolve(folder);
  if (isNamed && file.endsWith(".sql") && existsSync(join(folder, file))) return file;
  throw new VitrineError("usage", `${given} is no SQL file in ${folder}. Name one there, like products.sql.`);
}

/**
 * Names of those files that nobody has confirmed, of the ones that are named.
 * @throws VitrineError usage, not_confirmed where a person still has to choose or to edit
 */
export function toConfirm(folder: string, given: readonly string[]): readonly string[] {
  const names = [...new Set(given.map((each) => nameIn(folder, each)))];
  return names.filter((name) => {
    const sql = readFileSync(join(folder, name), "utf8");
    const state = unconfirmedOf(sql);
    const [line] = state?.choices ?? [];
    if (line !== undefined)
      throw new VitrineError(
        "not_confirmed",
        `${join(folder, name)}:${line}: a condition is to be chosen there. Put one in the place of 1 = 0, and remove the ` +
          "comment that says vitrine: choose. Nothing was confirmed.",
      );
    if (state !== null && confirmed(sql) === null)
      throw new VitrineError(
        "not_confirmed",
        `${join(folder, name)} says that it is not confirmed in a line that is not as init wrote it: remove it by hand. Nothing was confirmed.`,
      );
    return state !== null;
  });
}

/** What files give, as they stand. @throws VitrineError store_unreadable, allow_list_invalid */
export async function showFiles(
  place: string,
  folder: string,
  names: readonly string[],
): Promise<readonly ShownFile[]> {
  const list = Object.values(readAllowList(folder, "shown")).filter(({ file }) => names.includes(file));
  const store = await openStore(place, toSqlTime(new Date()));
  try {
    const shown: ShownFile[] = [];
    for (const query of list) shown.push(await showFile(store, query, dialectOf(place)));
    return shown;
  } finally {
    await store.close();
  }
}

/** Takes the line out. @throws VitrineError write_failed */
export function confirmFile(folder: string, name: string): void {
  const path = join(folder, name);
  const text = confirmed(readFileSync(path, "utf8"));
  if (text === null) return;
  try {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw new VitrineError("write_failed", `Cannot write ${path}: ${messageOf(error)}.`, { cause: error });
  }
}
