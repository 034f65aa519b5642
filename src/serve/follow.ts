/** A catalog that is swapped for its successor when the file changes; a broken one changes nothing. */
import { messageOf } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { fingerprint, openCopy } from "./copy.ts";

export interface FollowedCatalog {
  current(): Catalog;
  close(): void;
}

export interface FollowOptions {
  /** Folder for the copy that is read. Null where nobody else writes to the file, and it is only ever replaced whole. */
  readonly copyTo: string | null;
  readonly everyMilliseconds?: number;
}

/** Opens a catalog and looks every so often whether another has taken its place. @throws VitrineError catalog_unreadable */
export async function followCatalog(
  file: string,
  log: Pick<Log, "info">,
  { copyTo, everyMilliseconds = 1000 }: FollowOptions,
): Promise<FollowedCatalog> {
  const open = async () => {
    const catalog = copyTo === null ? openCatalog(file) : await openCopy(file, copyTo);
    catalog.warm();
    return catalog;
  };
  /** The file as it was last tried, and as it was at the last look: one that is still being written waits. */
  let tried = fingerprint(file);
  let seen = tried;
  let catalog = await open();
  let closed = false;
  const look = async () => {
    const now = fingerprint(file);
    const unchanged = now === seen;
    seen = now;
    if (now === tried || now === "" || !unchanged) return;
    tried = now;
    try {
      const next = await open();
      if (closed) {
        next.close();
        return;
      }
      // Responses are made in one go, so no request is using the old one here.
      const old = catalog;
      catalog = next;
      old.close();
      log.info(`catalog of ${next.generatedAt} reloaded`);
    } catch (error) {
      log.info(`the catalog is not reloaded, the old one stays in use: ${messageOf(error)}`);
    }
  };
  let timer: NodeJS.Timeout;
  const lookLater = () => {
    timer = setTimeout(() => void look().finally(() => closed || lookLater()), everyMilliseconds).unref();
  };
  lookLater();
  return {
    current: () => catalog,
    close: () => {
      closed = true;
      clearTimeout(timer);
      catalog.close();
    },
  };
}
