/**
 * A folder that others may write to, too: no path below it leads out of it, whatever links they put there, and whenever. Each
 * folder on the way is opened by its name in the one before, never through a link; what is done in it is done by that handle,
 * which stays the same folder though another may stand at its path by now.
 */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";
import { systemCodeOf, VitrineError } from "../../base/error.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
/** Linux names what a handle leads to. Elsewhere each folder on the way is looked at before it is used. */
const HANDLES = "/proc/self/fd";
const HAS_HANDLES = process.platform === "linux" && existsSync(HANDLES);

/** What is not there: nothing at the path, or a file where a folder would have to be. */
const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];

/** Undefined where a file is not there. */
export function ifThere<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (MISSING.includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

/** Something stands at a path that Vitrine never puts there. */
export function strange(path: string): VitrineError {
  return new VitrineError(
    "remote_invalid",
    `${path} is a link, or neither a file nor a folder: Vitrine puts no such thing there, and it could lead anywhere. ` +
      "Nothing was done by it. Remove it and publish again.",
  );
}

/** One folder, open. */
export class Folder {
  /** For people. */
  readonly path: string;
  readonly #handle: number | null;
  readonly #base: string;

  private constructor(path: string, handle: number | null) {
    this.path = path;
    this.#handle = handle;
    this.#base = handle === null ? path : `${HANDLES}/${handle}`;
  }

  static root(path: string): Folder {
    // The user's own path may be a link.
    return new Folder(path, HAS_HANDLES ? openSync(path, O_RDONLY | O_DIRECTORY) : null);
  }

  /** The path of a name in it, for one call. @throws VitrineError remote_invalid where it could lead elsewhere */
  at(name: string): string {
    if (name === "" || name === "." || name === ".." || /[/\\\0]/.test(name))
      throw strange(`${this.path}/${name}`);
    return `${this.#base}/${name}`;
  }

  /** A folder in it; null where there is none. @throws VitrineError remote_invalid where it is a link */
  child(name: string): Folder | null {
    const [path, shown] = [this.at(name), join(this.path, name)];
    if (HAS_HANDLES) {
      try {
        return new Folder(shown, openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      } catch (error) {
        if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(systemCodeOf(error))) throw error;
      }
    }
    const found = ifThere(() => lstatSync(path));
    if (found?.isSymbolicLink()) throw strange(shown);
    return !HAS_HANDLES && found?.isDirectory() ? new Folder(shown, null) : null;
  }

  /** A folder in it, which is made where there is none. */
  make(name: string): Folder {
    const known = this.child(name);
    if (known !== null) return known;
    try {
      mkdirSync(this.at(name));
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    }
    const made = this.child(name);
    if (made === null) throw strange(join(this.path, name));
    return made;
  }

  entries(): Dirent[] {
    return readdirSync(this.#base, { withFileTypes: true });
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
  }
}

/** Folders that stay open: keys come in order, so that the next one is mostly in the same, or one beside it. */
const KEPT = 32;

interface Kept {
  readonly folder: Folder;
  users: number;
  /** Its path is another's by now: it is closed once nobody works in it. */
  isForgotten: boolean;
}

/** Everything below a folder, by paths with slashes. */
export class Place {
  readonly root: string;
  readonly #kept = new Map<string, Kept>();

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Works in a folder, while it is open; undefined where it is not there. Folders stay open, and the same, until they are
   * forgotten.
   */
  within<Result>(path: string, isMade: boolean, work: (folder: Folder) => Result): Result | undefined {
    const kept = this.#take(path, isMade);
    if (kept === null) return undefined;
    kept.users += 1;
    const done = () => {
      kept.users -= 1;
      if (kept.isForgotten && kept.users === 0) kept.folder.close();
    };
    let result: Result;
    try {
      result = work(kept.folder);
    } catch (error) {
      done();
      throw error;
    }
    if (result instanceof Promise) result.then(done, done);
    else done();
    return result;
  }

  /** To be told before folders at or below a path are moved or removed: their paths are others' then. */
  forget(path = ""): void {
    for (const [known, kept] of this.#kept) {
      if (path !== "" && known !== path && !known.startsWith(`${path}/`)) continue;
      this.#kept.delete(known);
      kept.isForgotten = true;
      if (kept.users === 0) kept.folder.close();
    }
  }

  #take(path: string, isMade: boolean): Kept | null {
    const known = HAS_HANDLES ? this.#kept.get(path) : undefined;
    if (known !== undefined) {
      // The one that was used last comes last.
      this.#kept.delete(path);
      this.#kept.set(path, known);
      return known;
    }
    const folder = this.#open(path, isMade);
    if (folder === null) return null;
    const kept = { folder, users: 0, isForgotten: false };
    this.#kept.set(path, kept);
    for (const [oldest, { folder: old, users }] of this.#kept) {
      if (this.#kept.size <= KEPT) break;
      if (users > 0 || oldest === path) continue;
      this.#kept.delete(oldest);
      old.close();
    }
    return kept;
  }

  #open(path: string, isMade: boolean): Folder | null {
    if (path === "") {
      if (isMade) mkdirSync(this.root, { recursive: true });
      return ifThere(() => Folder.root(this.root)) ?? null;
    }
    const end = path.lastIndexOf("/");
    const parent = this.#take(path.slice(0, Math.max(0, end)), isMade);
    if (parent === null) return null;
    const name = path.slice(end + 1);
    return isMade ? parent.folder.make(name) : parent.folder.child(name);
  }
}
