/** Rows as they are read, in order of id, beside the digests of what they were: which came, changed and went. */
import { RowDigests } from "./readings.ts";

export class RowComparison {
  /** Of all rows as they are now. */
  readonly digests = new RowDigests();
  readonly gone: number[] = [];
  readonly #before: RowDigests;
  readonly #ids: ReadonlySet<number> | null;
  #at = 0;

  /** `ids`: the only ones that are looked at, others stay as they were; null: all are. */
  constructor(before: RowDigests, ids: ReadonlySet<number> | null) {
    this.#before = before;
    this.#ids = ids;
  }

  /** What a row is to what it was; "outside" where it is not looked at. */
  see(id: number, text: string): "same" | "other" | "outside" {
    if (!this.#isLookedAt(id)) return "outside";
    this.#passBelow(id);
    this.digests.add(id, text);
    const isKnown = this.#at < this.#before.length && this.#before.idAt(this.#at) === id;
    const isSame = isKnown && this.#before.isLastOf(this.digests, this.#at);
    if (isKnown) this.#at += 1;
    return isSame ? "same" : "other";
  }

  /** To be called after the last row. */
  finish(): void {
    this.#passBelow(Number.POSITIVE_INFINITY);
  }

  #isLookedAt(id: number): boolean {
    return this.#ids?.has(id) !== false;
  }

  /** Rows that were before the next one: those that are looked at are gone, the others stay. */
  #passBelow(id: number): void {
    let kept = this.#at;
    for (; this.#at < this.#before.length && this.#before.idAt(this.#at) < id; this.#at++) {
      const known = this.#before.idAt(this.#at);
      if (!this.#isLookedAt(known)) continue;
      this.digests.addRun(this.#before, kept, this.#at);
      kept = this.#at + 1;
      this.gone.push(known);
    }
    this.digests.addRun(this.#before, kept, this.#at);
  }
}
