/**
 * A folder that others may write to, too: no path below it leads out of it, whatever links they put there, and whenever. Each
 * folder on the way is opened by its name in the one before, never through a link; what is done in it is done by that handle,
 * which stays the same folder though another may stand at its path by now.
 */
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemCodeOf, VitrineError } from "../../base/error.ts";
import { makeOpenFolder, OPEN_FOLDER, PRIVATE_FOLDER } from "../../base/modes.ts";
import { CONTROL } from "../bucket.ts";

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
export class Folder implements Disposable {
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
    made.setMode(`${name}/` === CONTROL ? PRIVATE_FOLDER : OPEN_FOLDER);
    return made;
  }

  setMode(mode: number): void {
    if (this.#handle === null) chmodSync(this.path, mode);
    else fchmodSync(this.#handle, mode);
  }

  entries(): Dirent[] {
    return readdirSync(this.#base, { withFileTypes: true });
  }

  [Symbol.dispose](): void {
    if (this.#handle !== null) closeSync(this.#handle);
  }
}

/** The folder of a path below the root, which is "". Nothing is made of `.` and `..`: whoever opens a folder refuses them. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The name of a path in its folder. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Folders that stay open: keys come in order, so that the next one is mostly in the same, or one beside it. More than the ways
 * to two of them are long: one is never closed while another is on its way.
 */
const KEPT = 256;
/** Work goes on for so long between two turns of timers. */
const TURN_MILLISECONDS = 5;

/** Everything below a folder, by paths with slashes. */
export class ConfinedFolder {
  readonly root: string;
  readonly #kept = new Map<string, Folder>();
  #turnBegan = performance.now();
  #turn: Promise<void> | undefined;
  /** When a file was last handled, by `performance.now()`. */
  movedAt = performance.now();

  readonly #told: () => void;

  constructor(root: string, afterEach: () => void = () => undefined) {
    this.root = root;
    this.#told = afterEach;
  }

  /** Opens a folder, which its user closes; null where it is not there. */
  open(path: string, isMade: boolean): Folder | null {
    if (path === "") {
      if (isMade) makeOpenFolder(this.root);
      return ifThere(() => Folder.root(this.root)) ?? null;
    }
    using parent = this.open(folderOf(path), isMade);
    if (parent === null) return null;
    return isMade ? parent.make(baseName(path)) : parent.child(baseName(path));
  }

  /**
   * Works in a folder at once; undefined where it is not there. Folders stay open, and the same, until they are forgotten.
   * Work that others may come between opens its own.
   */
  within<Result>(path: string, isMade: boolean, work: (folder: Folder) => Result): Result | undefined {
    const folder = this.#take(path, isMade);
    return folder === null ? undefined : work(folder);
  }

  /** To be called before folders at or below a path are moved or removed: their paths may be reused. */
  forget(path = ""): void {
    for (const known of this.#kept.keys())
      if (path === "" || known === path || known.startsWith(`${path}/`)) this.#close(known);
  }

  /**
   * Waited for after each file, by all who work side by side. A tree has some hundred thousand small files: each is handled at
   * once, which takes a tenth of what trips to other threads do, and timers get their turn in between.
   */
  async afterFile(): Promise<void> {
    this.movedAt = performance.now();
    this.#told();
    if (this.#turn === undefined && this.movedAt - this.#turnBegan < TURN_MILLISECONDS) return;
    this.#turn ??= nextTurn().then(() => {
      this.#turnBegan = performance.now();
      this.#turn = undefined;
    });
    await this.#turn;
  }

  #close(path: string): void {
    this.#kept.get(path)?.[Symbol.dispose]();
    this.#kept.delete(path);
  }

  #take(path: string, isMade: boolean): Folder | null {
    const known = HAS_HANDLES ? this.#kept.get(path) : undefined;
    // The one that was used last comes last.
    this.#kept.delete(path);
    const folder = known ?? this.#find(path, isMade);
    if (folder === null) return null;
    this.#kept.set(path, folder);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#close(oldest);
    }
    return folder;
  }

  #find(path: string, isMade: boolean): Folder | null {
    if (path === "") return this.open(path, isMade);
    const parent = this.#take(folderOf(path), isMade);
    if (parent === null) return null;
    return isMade ? parent.make(baseName(path)) : parent.child(baseName(path));
  }
}
