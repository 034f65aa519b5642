/** Text without case and accents, independent of any locale. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/gu;
const LINE_ENDS = /\r\n?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const CONTROLS = new RegExp(`${CONTROL.source}+`, "g");
/** Characters that change the direction of text, or end a line invisibly. */
const STEERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/**
 * Letters that Unicode does not decompose, by what is typed on a keyboard that lacks them: with a stroke or a hook, ligatures, and those
 * that only end a word. A shop's own search finds them so: MariaDB's collations, or PostgreSQL's unaccent.
 */
const TYPED_AS: Readonly<Record<string, string>> = {
  a: "ⱥ",
  ae: "æ",
  b: "ƀɓƃ",
  c: "ƈȼ",
  d: "đðɖɗƌ",
  e: "ɛɇ",
  f: "ƒ",
  g: "ɠǥ",
  h: "ħⱨ",
  i: "ıɩɨ",
  j: "ȷɉ",
  k: "ƙⱪ",
  l: "łƚⱡɫ",
  n: "ŋɲƞ",
  o: "øⱺ",
  oe: "œ",
  p: "ƥᵽ",
  r: "ɍɽ",
  ss: "ß",
  t: "ŧƫƭʈⱦ",
  th: "þ",
  u: "ʉ",
  v: "ʋ",
  y: "ƴɏ",
  z: "ƶȥⱬ",
  σ: "ς",
  г: "ґ",
  כ: "ך",
  מ: "ם",
  נ: "ן",
  פ: "ף",
  צ: "ץ",
};
const LETTERS = new Map(
  Object.entries(TYPED_AS).flatMap(([typed, letters]) => [...letters].map((letter) => [letter, typed])),
);
const SPECIAL = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");
const NOT_ASCII = /\P{ASCII}/u;
/** Signs that NFKC may turn into letters or digits of the word before them: `Kit™` is not "kittm", `1½` not "11/2". ² and ₂ stay. */
const SIGNS = /(?![²³¹⁰-₉])[\p{So}\p{No}]/gu;
/** Characters drawn within a word that do not change it: tatweel, soft hyphens, joiners. */
const WITHIN = /[\u0640\u00ad\u200c\u2060]|\u200d/g;
/** More marks than any language puts on one letter: sorting a long run of them takes quadratic time. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu;
/**
 * A letter whose marks are accents, or vowels that people leave out. In other scripts marks are letters: ば is not は. Nor is Cyrillic
 * й an accented и, but ї is і to a shop's own search, as ё is е.
 */
const ACCENTED =
  /(?!\p{ASCII}|й)[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*|[a-z]\p{M}+/gu;
/** Stress on й, and the dot below a Devanagari letter: क़ is typed as क. */
const STRESS = /(?<=й)\p{M}+|\u093c/gu;
const MARKS = /\p{M}+/gu;

/** NFKC, trimmed, with each run of white space and control characters as one space. */
export function tidyText(text: string): string {
  return text.normalize("NFKC").replace(SPACES, " ").trim();
}

/** Bytes 80 to 9F in Windows-1252, which MySQL calls latin1; the five unassigned ones map to themselves. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTES = new Map([...WINDOWS_1252].map((character, at) => [character, 0x80 + at]));
/** The first two characters of any that is encoded twice: a leading byte, and a continuation byte. */
const TWICE = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${WINDOWS_1252}]`);
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Repairs text that was encoded in UTF-8, read as latin1 and encoded again: `GrÃ¶ÃŸe` → `Größe`; null for any other text. */
export function decodedTwice(text: string): string | null {
  if (!TWICE.test(text)) return null;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTES.get(character) ?? character.codePointAt(0) ?? 0;
    if (byte > 0xff) return null;
    bytes.push(byte);
  }
  try {
    return UTF8.decode(Uint8Array.from(bytes));
  } catch {
    // The decoder refuses malformed UTF-8, and nothing else here throws.
    return null;
  }
}

/** Printable text: lines end in `\n`; other control characters except the tab are removed, and unpaired surrogates replaced. */
export function printableText(text: string): string {
  const shown = CONTROL.test(text) ? text.replace(LINE_ENDS, "\n").replace(CONTROLS, "") : text;
  return shown.toWellFormed();
}

/** Text from others that is safe to print: without characters that steer a terminal or change the direction of text. */
export function shownText(text: string): string {
  return printableText(text).replace(STEERING, "");
}

/** True if a text is invisible: spaces, and characters that are drawn as a space or not at all. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** True for ASCII text. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

function apart(sign: string): string {
  const plain = sign.normalize("NFKC");
  return plain === sign ? sign : ` ${plain} `;
}

/** Lower case with accents, and one spelling for characters that look alike: `"Café™"` → `"café tm"` */
export function spellText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const letters = text.replace(MANY_MARKS, "$1").replace(SIGNS, apart).normalize("NFKC");
  // Composed again: the lower case of a capital may be a letter and a mark.
  return letters.toLowerCase().replace(WITHIN, "").normalize("NFC").trim();
}

/** Removes case and accents: `"Café Menü"` → `"cafe menu"`. Sorting and search both compare this. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return spellText(text)
    .replace(ACCENTED, (letter) => letter.normalize("NFD").replace(MARKS, ""))
    .replace(STRESS, "")
    .replace(SPECIAL, (letter) => LETTERS.get(letter) ?? letter);
}

/** Order by code units: the same in every locale and engine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
