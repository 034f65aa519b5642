/** A catalog that is swapped for its successor when the file is replaced; a broken one changes nothing. */
import { statSync } from "node:fs";
import { messageOf } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";

export interface FollowedCatalog {
  current(): Catalog;
  close(): void;
}

/** What tells one file from its successor, also where the clock is coarse. */
function fingerprint(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return "";
  }
}

/** Opens a catalog and looks every so often whether another has taken its place. */
export function followCatalog(
  file: string,
  log: Pick<Log, "info">,
  everyMilliseconds = 1000,
): FollowedCatalog {
  let seen = fingerprint(file);
  let catalog = openCatalog(file);
  catalog.warm();
  const look = () => {
    const now = fingerprint(file);
    if (now === seen || now === "") return;
    seen = now;
    try {
      const next = openCatalog(file);
      next.warm();
      // Answers are made in one go, so no request is using the old one here.
      const old = catalog;
      catalog = next;
      old.close();
      log.info(`catalog of ${next.generatedAt} taken up`);
    } catch (error) {
      log.info(`the new catalog is not taken up, the old one goes on: ${messageOf(error)}`);
    }
  };
  const timer = setInterval(look, everyMilliseconds);
  timer.unref();
  return {
    current: () => catalog,
    close: () => {
      clearInterval(timer);
      catalog.close();
    },
  };
}
