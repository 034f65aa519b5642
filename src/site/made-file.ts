/**
 * What every generator of the site gives: files, each with the fingerprint of all that it is made of. A file whose fingerprint
 * is the one that the manifest remembers is not made at all.
 */
import { hash } from "node:crypto";
import type { OpenFile } from "../base/part-file.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Allocate, Body } from "../catalog/envelope.ts";
import { RecordDigests } from "../catalog/record-digests.ts";

/** What files are made of. */
export interface SiteInputs {
  readonly catalog: Catalog;
  readonly digests: RecordDigests;
  /** Fingerprint of the code and the configuration: a part of every other. */
  readonly code: string;
  /** Fingerprint of what the shop says of itself. */
  readonly store: string;
}

/** What files of a catalog are made of. `code`: empty if nobody remembers the fingerprints. */
export function siteInputs(catalog: Catalog, code = ""): SiteInputs {
  const store = fingerprintOf(JSON.stringify(catalog.store));
  return { catalog, digests: new RecordDigests(catalog.db), code, store };
}

/** What making a file may use. */
export interface MakePorts {
  readonly allocate: Allocate;
  /** SHA-256 of a file that was given before this one, hexadecimal; null if the snapshot does not have it. */
  digestOf(key: string): string | null;
}

interface Made {
  /** Of all inputs, the code and the configuration included: 32 hexadecimal digits. */
  readonly fingerprint: string;
  /** The inputs for people, a line each, a name and what it is: `total 61`, `product 12=3fa2b1c9 40=77ab01cd` */
  inputs(): string;
}

/** One file. */
export interface MadeFile extends Made {
  /** `api/v1/products/page=2.json` */
  readonly key: string;
  /** Keys of the same bytes: hard links on disk. */
  readonly aliases: readonly string[];
  /** Its bytes are not needed any more when the next file is made. */
  make(ports: MakePorts): Body;
}

/** Several large files that are made in pieces, in one reading of their records. */
export interface MadeTogether extends Made {
  readonly keys: readonly string[];
  write(open: (key: string) => OpenFile): void;
}

/** The fingerprint of some inputs. */
export function fingerprintOf(...inputs: readonly (string | Buffer)[]): string {
  const parts = inputs.map((input) => (typeof input === "string" ? Buffer.from(`${input}\n`) : input));
  return hash("sha256", Buffer.concat(parts), "hex").slice(0, 32);
}

/** The beginning of a digest: enough for people to tell two inputs apart. */
export function shownDigest(digest: string | Buffer): string {
  return (typeof digest === "string" ? digest : digest.toString("hex")).slice(0, 8);
}

/** A file that is small, or read anyway: it is made to be compared. */
export function madeFile(key: string, body: Body): MadeFile {
  const fingerprint = fingerprintOf(body.bytes);
  return {
    key,
    aliases: [],
    fingerprint,
    inputs: () => `content ${shownDigest(fingerprint)}`,
    make: () => body,
  };
}

/** What differs between the inputs of a file at two times, in words: `["total 61 → 62", "product 12 changed", "product 40 came"]` */
export function explainInputs(before: string, after: string): string[] {
  const [old, next] = [readInputs(before), readInputs(after)];
  const lines: string[] = [];
  for (const [name, value] of next) {
    const known = old.get(name);
    if (known === value) continue;
    if (known === undefined) lines.push(`${name} came`);
    else lines.push(name === "total" ? `${name} ${known} → ${value}` : `${name} changed`);
  }
  for (const name of old.keys()) if (!next.has(name)) lines.push(`${name} left`);
  return lines.length > 0 || before === after ? lines : ["the order of its records"];
}

/** Inputs by their name: of `product 12=3fa2b1c9` it is `product 12`. */
function readInputs(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [name = "", ...values] = line.split(" ");
    for (const value of values) {
      const at = value.indexOf("=");
      if (at < 0) found.set(name, value);
      else found.set(`${name} ${value.slice(0, at)}`, value.slice(at + 1));
    }
  }
  return found;
}
