/** Rows as they are read, in order of id, beside the digests of what they were: which came, changed and went. */
import type { IdRange } from "./id-ranges.ts";
import { RowDigests } from "./readings.ts";

/** All rows. */
export const EVERYWHERE: readonly IdRange[] = [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]];

export class RowComparison {
  /** Of all rows as they are now. */
  readonly digests = new RowDigests();
  readonly gone: number[] = [];
  readonly #before: RowDigests;
  readonly #ranges: readonly IdRange[];
  #at = 0;
  #range = 0;

  /** `ranges`: the ids that are looked at, in order. What is outside stays as it was. */
  constructor(before: RowDigests, ranges: readonly IdRange[]) {
    this.#before = before;
    this.#ranges = ranges;
    this.#enter();
  }

  /** What a row is to what it was; "outside" where it is not looked at. */
  see(id: number, text: string): "same" | "other" | "outside" {
    while ((this.#ranges[this.#range]?.[1] ?? Number.POSITIVE_INFINITY) < id) this.#leave();
    const range = this.#ranges[this.#range];
    if (range === undefined || id < range[0]) return "outside";
    this.#forgetBelow(id);
    this.digests.add(id, text);
    const isKnown = this.#at < this.#before.length && this.#before.idAt(this.#at) === id;
    const isSame = isKnown && this.#before.isLastOf(this.digests, this.#at);
    if (isKnown) this.#at += 1;
    return isSame ? "same" : "other";
  }

  /** To be called after the last row. */
  finish(): void {
    while (this.#range < this.#ranges.length) this.#leave();
  }

  #forgetBelow(id: number): void {
    for (; this.#at < this.#before.length && this.#before.idAt(this.#at) < id; this.#at++)
      this.gone.push(this.#before.idAt(this.#at));
  }

  #leave(): void {
    const last = this.#ranges[this.#range]?.[1] ?? Number.POSITIVE_INFINITY;
    this.#forgetBelow(last === Number.POSITIVE_INFINITY ? last : last + 1);
    this.#range += 1;
    this.#enter();
  }

  /** Rows up to the next range stay. */
  #enter(): void {
    const range = this.#ranges[this.#range];
    const end = range === undefined ? this.#before.length : this.#before.placeOf(range[0]);
    if (end <= this.#at) return;
    this.digests.addRun(this.#before, this.#at, end);
    this.#at = end;
  }
}
