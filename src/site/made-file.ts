/**
 * What every generator of the site yields: files, each with a fingerprint of all its inputs. A file is not made again if the
 * manifest has the same fingerprint for its key.
 */
import { hash } from "node:crypto";
import type { MetaTime } from "../base/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Allocate, Body } from "../catalog/envelope.ts";
import { RecordDigests } from "../catalog/record-digests.ts";
import { KnownValues } from "./known-values.ts";

/** The inputs of files. */
export interface SiteInputs {
  readonly catalog: Catalog;
  readonly digests: RecordDigests;
  /** Fingerprint of the code and the configuration: part of every other fingerprint. */
  readonly code: string;
  /** Fingerprint of the shop's description of itself (store). */
  readonly store: string;
  readonly known: KnownValues;
}

/** The inputs of a catalog's files. `code`: empty if the fingerprints are not remembered. */
export function siteInputs(
  catalog: Catalog,
  code = "",
  known: KnownValues = new KnownValues(),
  digests: RecordDigests = new RecordDigests(catalog.db),
): SiteInputs {
  const store = fingerprintOf(JSON.stringify(catalog.store));
  return { catalog, digests, code, store, known };
}

/** What `make` may use. */
export interface MakePorts {
  readonly allocate: Allocate;
  /** A file that was put before this one; null if the snapshot does not have it. */
  putFile(key: string): PutFile | null;
}

/** `digest`: SHA-256, hexadecimal. `generatedAt`: when the file got these bytes, see {@link MadeFile.changedAt}. */
export interface PutFile {
  readonly digest: string;
  readonly generatedAt: MetaTime;
}

/** One file. */
export interface MadeFile {
  /** Digest of all inputs, including the code and the configuration: 32 hexadecimal digits. */
  readonly fingerprint: string;
  /** The inputs for people, one per line, each with a name and a value: `total 61`, `product 12=3fa2b1c9 40=77ab01cd` */
  inputs(): string;
  /** `api/v1/products/page=2.json` */
  readonly key: string;
  /** More keys for the same bytes: hard links on disk. */
  readonly aliases: readonly string[];
  /** The bytes are valid until the next file is made. */
  make(ports: MakePorts): Body;
  /**
   * The latest change of a record in the file: a changed file is dated by it if it is later than the file's previous date, otherwise
   * (a record was withdrawn) by the build. Without it, the build always dates a changed file.
   */
  changedAt?(): MetaTime | undefined;
}

/** The fingerprint of some inputs. */
export function fingerprintOf(...inputs: readonly (string | Buffer)[]): string {
  const parts = inputs.map((input) => (typeof input === "string" ? Buffer.from(`${input}\n`) : input));
  return hash("sha256", Buffer.concat(parts), "hex").slice(0, 32);
}

/** The first 8 hexadecimal digits: enough for people to distinguish two inputs. */
export function shownDigest(digest: string | Buffer): string {
  return (typeof digest === "string" ? digest : digest.toString("hex")).slice(0, 8);
}

/** A file whose content serves as its fingerprint: small, or read in any case. */
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

/** The differences between a file's inputs at two times, in words: `["total 61 → 62", "product 12 changed", "product 40 added"]` */
export function explainInputs(before: string, after: string): string[] {
  const [old, next] = [readInputs(before), readInputs(after)];
  const lines: string[] = [];
  for (const [name, value] of next) {
    const known = old.get(name);
    if (known === value) continue;
    if (known === undefined) lines.push(`${name} added`);
    else lines.push(name === "total" ? `${name} ${known} → ${value}` : `${name} changed`);
  }
  for (const name of old.keys()) if (!next.has(name)) lines.push(`${name} removed`);
  return lines.length > 0 || before === after ? lines : ["the order of its records"];
}

/** Inputs by name: `product 12=3fa2b1c9` has the name `product 12`. */
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
