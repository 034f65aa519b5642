/** Blind-to-case-and-accents text, without any locale. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/gu;
const LINE_ENDS = /\r\n?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const CONTROLS = new RegExp(`${CONTROL.source}+`, "g");
/** What turns the direction of text, or ends a line where nobody sees it. */
const STEERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
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
  ς: "σ",
  ё: "е",
  ѐ: "е",
  ѝ: "и",
};
const NOT_ASCII = /\P{ASCII}/u;
const SPECIAL = /[ßæœøđðłþıςёѐѝ]/gu;
/** Signs of which NFKC may make letters or digits of the word before them: `Kit™` is no "kittm", `1½` no "11/2". ² and ₂ stay. */
const SIGNS = /(?![²³¹⁰-₉])[\p{So}\p{No}]/gu;
/** What is drawn within a word and changes nothing of it: tatweel, soft hyphens, joiners. */
const WITHIN = /[\u0640\u00ad\u200c\u2060]|\u200d/g;
/** Marks beyond those that any language puts on one letter: putting a long run of them in order takes the square of its length. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu;
/** A letter whose marks are accents, or vowels that people leave out. The marks of other scripts are letters: ば is not は. */
const ACCENTED =
  /(?!\p{ASCII})[\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*|[a-z]\p{M}+/gu;
/** In Cyrillic й and ї are letters; marks that no letter has by itself are stress. */
const STRESSED = /(\p{Script=Cyrillic})\p{M}+/gu;
const MARKS = /\p{M}+/gu;

/** NFKC, trimmed, white space and control characters as one space. */
export function tidyText(text: string): string {
  return text.normalize("NFKC").replace(SPACES, " ").trim();
}

/** What the bytes 80 to 9F are in Windows-1252, which MySQL calls latin1; the five without a character are what they are. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTES = new Map([...WINDOWS_1252].map((character, at) => [character, 0x80 + at]));
/** The first two characters of any that is encoded twice: those of a leading byte, and of one that follows it. */
const TWICE = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${WINDOWS_1252}]`);
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that was encoded in UTF-8, read as latin1 and encoded again: `GrÃ¶ÃŸe` → `Größe`; null for any other text. */
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
    return null;
  }
}

/** What can be shown: lines end in `\n`; other control characters but the tab are gone, and halves of characters too. */
export function printableText(text: string): string {
  const shown = CONTROL.test(text) ? text.replace(LINE_ENDS, "\n").replace(CONTROLS, "") : text;
  return shown.toWellFormed();
}

/** What others wrote, as it may be printed: without what could steer a terminal or turn the direction of text. */
export function shownText(text: string): string {
  return printableText(text).replace(STEERING, "");
}

/** True where nothing of a text can be seen: spaces, and what is drawn as one or as nothing. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** True where a text has nothing but the letters and signs that every keyboard has. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

function apart(sign: string): string {
  const plain = sign.normalize("NFKC");
  return plain === sign ? sign : ` ${plain} `;
}

/** Small letters, with their accents; one spelling for what looks alike: `"Café™"` → `"café tm"` */
export function spellText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const letters = text.replace(MANY_MARKS, "$1").replace(SIGNS, apart).normalize("NFKC");
  // Composed again: a capital may become a letter and a mark.
  return letters.toLowerCase().replace(WITHIN, "").normalize("NFC").trim();
}

/** Folds case and accents: `"Café Menü"` → `"cafe menu"`. Sorting and search both compare this. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return spellText(text)
    .replace(ACCENTED, (letter) => letter.normalize("NFD").replace(MARKS, ""))
    .replace(STRESSED, "$1")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

/** Order by code units: the same in every locale and engine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
