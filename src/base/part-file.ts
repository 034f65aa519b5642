/** A file that is written in pieces: under a temporary name until it is complete, and deleted if it never is. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { refusePipe } from "./files.ts";

/** Takes the pieces of a file. It does not keep them: their memory may be reused. */
export type TakePiece = (bytes: Uint8Array) => void;

/** A file of a set that is written in pieces. Disposing of it before `put` deletes it. */
export interface OpenFile extends Disposable {
  add(bytes: Uint8Array): void;
  /** Completes the file and puts it in its place. Returns its size in bytes. */
  put(): number;
}

export class PartFile implements Disposable {
  readonly #path: string;
  #file: number | null;
  #sizeBytes = 0;

  constructor(path: string) {
    this.#path = path;
    refusePipe(path);
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

  /** Completes the file by renaming it; the target must be on the same file system. */
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
