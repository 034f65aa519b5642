/** What a build keeps of an SQLite store to tell later what changed, as bytes. */
import { createHash } from "node:crypto";
import type { Owners } from "./sqlite-owners.ts";
import { KEY_BYTES, type PageDigests } from "./sqlite-pages.ts";
import type { Projections } from "./sqlite-projections.ts";

/** In front of it the SHA-256 of all that follows: a file that lost a bit must not hide a change. */
const MAGIC = Buffer.from("vitrine fingerprint of sqlite 3\n");
const SUM_BYTES = 32;

/** Length of the facts' text, which follows; then come tags, digests and owners. */
const LENGTH_BYTES = 4;

export interface Fingerprint {
  readonly pages: PageDigests;
  readonly owners: Owners;
  readonly projections: Projections;
}

/** What is said in text. */
interface Facts {
  readonly pageSize: number;
  /** Lengths in bytes. */
  readonly tags: number;
  readonly digests: number;
  readonly owners: readonly string[];
  readonly projections: readonly {
    readonly name: string;
    readonly digest: string;
    readonly blocks: readonly (readonly [string, string])[] | null;
  }[];
}

function sumOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

export function formatFingerprint({ pages, owners, projections }: Fingerprint): Buffer {
  const facts: Facts = {
    pageSize: pages.pageSize,
    tags: pages.tags.length,
    digests: pages.pages.length,
    owners: owners.names,
    projections: [...projections].map(([name, { digest, blocks }]) => ({
      ...{ name, digest },
      blocks: blocks && [...blocks],
    })),
  };
  const text = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  const numbers = Buffer.from(owners.numbers.buffer, owners.numbers.byteOffset, owners.numbers.byteLength);
  const content = Buffer.concat([MAGIC, length, text, pages.key, pages.tags, pages.pages, numbers]);
  return Buffer.concat([sumOf(content), content]);
}

/** Null where it is none of this version, or not whole. */
export function parseFingerprint(bytes: Buffer): Fingerprint | null {
  const content = bytes.subarray(SUM_BYTES);
  const isWhole =
    content.subarray(0, MAGIC.length).equals(MAGIC) && sumOf(content).equals(bytes.subarray(0, SUM_BYTES));
  if (!isWhole) return null;
  let at = MAGIC.length + LENGTH_BYTES;
  const take = (length: number): Buffer => {
    at += length;
    return content.subarray(at - length, at);
  };
  const facts = JSON.parse(take(content.readUInt32BE(MAGIC.length)).toString("utf8")) as Facts;
  const key = take(KEY_BYTES);
  const pages = { pageSize: facts.pageSize, key, tags: take(facts.tags), pages: take(facts.digests) };
  // A copy: what is left may begin at an odd place.
  const numbers = new Uint16Array(Uint8Array.from(content.subarray(at)).buffer);
  const projections = facts.projections.map(
    ({ name, digest, blocks }) => [name, { digest, blocks: blocks && new Map(blocks) }] as const,
  );
  return { pages, owners: { names: facts.owners, numbers }, projections: new Map(projections) };
}
