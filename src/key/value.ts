/** One parameter's value: from its raw to its canonical form. Knows nothing of endpoints or keys. */
import { MAX_SLUG_LENGTH, type Param } from "../api/endpoints.ts";
import { isSlug, lowerAscii } from "./bytes.ts";

/** Makes a search text canonical (UTF-8 decoding, NFKC, trimming, length); null if it is malformed. */
export type TextReader = (bytes: string) => string | null;

const TRUE_WORDS: readonly string[] = ["1", "true", "yes", "on"];
const FALSE_WORDS: readonly string[] = ["0", "false", "no", "off"];

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0;
}

/** Removes leading zeros: `"007"` → `"7"`, `"000"` → `"0"`. */
function dropLeadingZeros(digits: string): string {
  let from = 0;
  while (from < digits.length - 1 && digits.charCodeAt(from) === 48) from++;
  return from === 0 ? digits : digits.slice(from);
}

function readInteger(param: Param, text: string): string | null {
  if (!isDigits(text)) return null;
  const digits = dropLeadingZeros(text);
  // Up to 15 digits are exact in every JavaScript engine.
  if (digits.length > 15) return param.clamp === undefined ? null : `${param.clamp}`;
  const value = Number(digits);
  if (param.clamp !== undefined && value > param.clamp) return `${param.clamp}`;
  if (param.min !== undefined && value < param.min) return null;
  return param.max !== undefined && value > param.max ? null : digits;
}

function readFlag(text: string): string | null {
  const word = lowerAscii(text);
  if (TRUE_WORDS.indexOf(word) >= 0) return "1";
  return FALSE_WORDS.indexOf(word) >= 0 ? "0" : null;
}

/** `"05.50"` → `"5.5"`; at most 12 digits before the point and two after it. */
function readPrice(text: string): string | null {
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  const part = point < 0 ? "00" : text.slice(point + 1);
  if (!isDigits(whole) || !isDigits(part) || part.length > 2) return null;
  const digits = dropLeadingZeros(whole);
  if (digits.length > 12) return null;
  let end = part.length;
  while (end > 0 && part.charCodeAt(end - 1) === 48) end--;
  return end === 0 ? digits : `${digits}.${part.slice(0, end)}`;
}

function readChoice(param: Param, text: string, withText: boolean): string | null {
  if (withText && text === param.textDefault) return text;
  return param.values !== undefined && param.values.indexOf(text) >= 0 ? text : null;
}

/** The canonical form of a non-empty raw value; null if it is malformed. `withText`: the request also has a search text. */
export function readValue(
  param: Param,
  text: string,
  withText: boolean,
  readText: TextReader,
): string | null {
  if (param.kind === "integer") return readInteger(param, text);
  if (param.kind === "flag") return readFlag(text);
  if (param.kind === "choice") return readChoice(param, text, withText);
  if (param.kind === "price") return readPrice(text);
  if (param.kind === "text") return readText(text);
  const slug = lowerAscii(text);
  return isSlug(slug, MAX_SLUG_LENGTH) ? slug : null;
}
