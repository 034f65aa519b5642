/** A sum of SHA-256 digests, modulo 2^256: the same set gives the same sum in any order, and subtracting a digest undoes adding it. */
import { hash } from "node:crypto";

const WORDS = 8;
const DIGEST = /^[0-9a-f]{64}$/;

export class DigestSum {
  /** Least significant word first. */
  readonly #words = new Uint32Array(WORDS);

  /** Continues from a sum that {@link toString} returned. @throws Error for other text */
  static from(sum: string): DigestSum {
    if (!DIGEST.test(sum)) throw new Error(`${sum} is not a sum of digests`);
    const made = new DigestSum();
    made.#change(Buffer.from(sum, "hex"), 1);
    return made;
  }

  add(text: string): void {
    this.addDigest(hash("sha256", text));
  }

  /** Adds a text by its digest, in hexadecimal. */
  addDigest(digest: string): void {
    this.#change(Buffer.from(digest, "hex"), 1);
  }

  /** Subtracts a text by its digest, in hexadecimal. */
  subtractDigest(digest: string): void {
    this.#change(Buffer.from(digest, "hex"), -1);
  }

  subtract(text: string): void {
    this.subtractDigest(hash("sha256", text));
  }

  /** 64 hexadecimal digits. */
  toString(): string {
    return [...this.#words]
      .reverse()
      .map((word) => word.toString(16).padStart(8, "0"))
      .join("");
  }

  #change(digest: Buffer, sign: 1 | -1): void {
    let carry = 0;
    for (let i = 0; i < WORDS; i++) {
      const word = this.#words[i] ?? 0;
      const sum = word + sign * digest.readUInt32BE(4 * (WORDS - 1 - i)) + carry;
      this.#words[i] = sum; // Typed arrays keep the lower 32 bits.
      carry = Math.floor(sum / 2 ** 32);
    }
  }
}
