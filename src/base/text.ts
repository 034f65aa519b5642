/** Blind-to-case-and-accents text, without any locale. */

const MARKS = /\p{M}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/gu;
/** Letters that no decomposition takes apart, as a reader without them would type them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};
const SPECIAL = /[ßæœøđðłþı]/gu;

/** NFKC, trimmed, white space and control characters as one space. */
export function tidyText(text: string): string {
  return text.normalize("NFKC").replace(SPACES, " ").trim();
}

/** Folds case and accents: `"Café Menü"` → `"cafe menu"`. Sorting and search both compare this. */
export function foldText(text: string): string {
  const bare = text.normalize("NFKD").toLowerCase().replace(MARKS, "").normalize("NFKC");
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

/** Order by code units: the same in every locale and engine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
