/** A file that is written in pieces: under a name of its own until it is whole, and gone where it never is. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Takes the pieces of a file. They are not kept: their memory may be used again. */
export type TakePiece = (bytes: Uint8Array) => void;

/** A file among others that is made in pieces. What was not put is nowhere once this is disposed of. */
export interface OpenFile extends Disposable {
  add(bytes: Uint8Array): void;
  /** Puts it, whole. Returns its bytes. */
  put(): number;
}

export class PartFile implements Disposable {
  readonly #path: string;
  #file: number | null;
  #sizeBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "w");
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(bytes: Uint8Array): void {
    const file = this.#file;
    if (file === null) throw new Error(`${this.#path} is closed`);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    this.#sizeBytes += bytes.length;
  }

  /** Gives it its name, on the same file system. */
  moveTo(path: string): void {
    this.#close();
    renameSync(this.#path, path);
  }

  [Symbol.dispose](): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
