/** Texts as bytes, which threads can have in common: whoever names one makes a text of it. */
import { byteAt, itemAt, uintAt } from "../base/item-at.ts";
import { byteArray, uintArray } from "../base/memory.ts";

/** Texts one after the other as UTF-8; each begins where the one before it ends. `["a", "bc"]` → bytes of `abc`, starts 0, 1, 3 */
export interface TextBytes {
  readonly bytes: Uint8Array;
  /** One more than texts. */
  readonly starts: Uint32Array;
}

export function packTexts(texts: readonly string[]): TextBytes {
  const starts = new Uint32Array(texts.length + 1);
  texts.forEach((text, at) => {
    starts[at + 1] = uintAt(starts, at) + Buffer.byteLength(text);
  });
  return { bytes: new Uint8Array(Buffer.from(texts.join(""))), starts };
}

export function countTexts({ starts }: TextBytes): number {
  return starts.length - 1;
}

export function textAt({ bytes, starts }: TextBytes, place: number): string {
  const from = uintAt(starts, place);
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, uintAt(starts, place + 1) - from).toString();
}

/** Some of them, in the order of their places. */
export function pickTexts({ bytes, starts }: TextBytes, places: Uint32Array): TextBytes {
  const picked = uintArray(places.length + 1);
  for (let i = 0; i < places.length; i++) {
    const place = uintAt(places, i);
    picked[i + 1] = uintAt(picked, i) + uintAt(starts, place + 1) - uintAt(starts, place);
  }
  const target = byteArray(uintAt(picked, places.length));
  let end = 0;
  for (let i = 0; i < places.length; i++) {
    const last = uintAt(starts, uintAt(places, i) + 1);
    // Most are too short for a call that copies them to be worth it.
    for (let at = uintAt(starts, uintAt(places, i)); at < last; at++) target[end++] = byteAt(bytes, at);
  }
  return { bytes: target, starts: picked };
}

/** With others among them; `ats`: the places before which those go, ascending. */
export function insertTexts(
  { bytes, starts }: TextBytes,
  added: readonly Uint8Array[],
  ats: readonly number[],
): TextBytes {
  const count = starts.length - 1;
  const nextStarts = new Uint32Array(count + added.length + 1);
  const next = new Uint8Array(added.reduce((sum, { length }) => sum + length, bytes.length));
  let [from, more] = [0, 0];
  /** Copies those that stand before a place. */
  const copyUntil = (to: number, i: number): void => {
    next.set(bytes.subarray(uintAt(starts, from), uintAt(starts, to)), uintAt(starts, from) + more);
    for (let place = from; place < to; place++) nextStarts[place + i] = uintAt(starts, place) + more;
    from = to;
  };
  added.forEach((text, i) => {
    copyUntil(itemAt(ats, i), i);
    const start = uintAt(starts, from) + more;
    nextStarts[from + i] = start;
    next.set(text, start);
    more += text.length;
  });
  copyUntil(count, added.length);
  nextStarts[count + added.length] = next.length;
  return { bytes: next, starts: nextStarts };
}
