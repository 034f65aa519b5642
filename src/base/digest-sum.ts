/** A sum of SHA-256 digests, modulo 2^256: the same for the same set in any order, and one digest goes out as it came in. */
import { hash } from "node:crypto";

const WORDS = 8;
const DIGEST = /^[0-9a-f]{64}$/;

export class DigestSum {
  /** Little end first. */
  readonly #words = new Uint32Array(WORDS);

  /** Goes on from a sum, as {@link toString} gave it. @throws Error where it is none */
  static from(sum: string): DigestSum {
    if (!DIGEST.test(sum)) throw new Error(`${sum} is no sum of digests`);
    const made = new DigestSum();
    made.#change(Buffer.from(sum, "hex"), 1);
    return made;
  }

  add(text: string): void {
    this.addDigest(hash("sha256", text));
  }

  /** Adds a text that is known by its digest, hexadecimal. */
  addDigest(digest: string): void {
    this.#change(Buffer.from(digest, "hex"), 1);
  }

  /** Takes away a text that is known by its digest, hexadecimal. */
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
