/** Any character, for strings of fast-check: its own unit "binary" first lists all million of them, which takes two seconds. */
import fc from "fast-check";

/** Surrogates are not characters: numbers from the first one on mean the characters after the last one. */
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

function characterAt(place: number): string {
  return String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES);
}

/** Lets fast-check use its list of words that break programs, too. */
function placeOf(character: unknown): number {
  const code = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
  const place = code < FIRST_SURROGATE ? code : code - SURROGATES;
  if (place < 0 || characterAt(place) !== character) throw new Error("This is not one character");
  return place;
}

export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(characterAt, placeOf);
