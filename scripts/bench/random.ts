/** A seeded generator for the requests of a benchmark: the same on every machine. No clock. */

/** FNV-1a over UTF-16 units, mixed: one 32-bit word for a text. */
function hashText(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** sfc32 (PractRand): small, fast, and good enough that neighbouring rows do not look alike. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** Each use has a separate stream, so that a change in one does not affect the others. */
  constructor(seed: string, stream: string) {
    this.a = hashText(seed, 1);
    this.b = hashText(stream, 2);
    this.c = hashText(`${seed}/${stream}`, 3);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** 0 to 2^32-1. */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** 0 to limit-1. */
  below(limit: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  /** Both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.below(list.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }
}
