/**
 * Percent-encoding, and values in keys. Strings here are byte strings: one character a byte.
 * Written for the poorest engine it runs on (njs 0.7): no for-of, no regular expressions, no Unicode tables.
 */

const HEX = "0123456789abcdef";

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The byte of the escape `%XX` at `at`, or -1 if it is not an escape. */
export function escapedByte(text: string, at: number): number {
  if (at + 2 >= text.length) return -1;
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Decodes one name or value of a query string (`+` is a space); null if an escape is broken. */
export function decodeFormPart(text: string): string | null {
  if (text.indexOf("%") < 0 && text.indexOf("+") < 0) return text;
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 43) {
      out += " ";
    } else if (code === 37) {
      const byte = escapedByte(text, i);
      if (byte < 0) return null;
      out += String.fromCharCode(byte);
      i += 2;
    } else {
      out += text.charAt(i);
    }
  }
  return out;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** True for the bytes that need no escape in keys, URLs and file systems: `[a-z0-9._-]`. */
function isPlain(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 46 || code === 95;
}

/** `[A-Za-z0-9._~-]`: bytes whose escapes are equivalent to themselves (RFC 3986 §2.3). */
export function isUnreserved(code: number): boolean {
  return isPlain(code) || (code >= 65 && code <= 90) || code === 126;
}

/** The rule for every slug; `text` is in lower case. */
export function isSlug(text: string, maxLength: number): boolean {
  if (text.length === 0 || text.length > maxLength || !isAlphanumeric(text.charCodeAt(0))) return false;
  for (let i = 1; i < text.length; i++) if (!isPlain(text.charCodeAt(i))) return false;
  return true;
}

/** ASCII lower case: the only case mapping that all engines agree on. */
export function lowerAscii(text: string): string {
  let out = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 65 || code > 90) continue;
    out += text.slice(from, i) + String.fromCharCode(code + 32);
    from = i + 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** Escapes a value for a key: bytes outside `[a-z0-9._-]` become `!` and two hex digits. `"a b"` → `"a!20b"`. */
export function escapeValue(bytes: string): string {
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    out += isPlain(code) ? bytes.charAt(i) : `!${HEX.charAt((code >> 4) & 15)}${HEX.charAt(code & 15)}`;
  }
  return out;
}

/** The inverse of {@link escapeValue}; null if the text is not a value's canonical form. */
export function unescapeValue(text: string): string | null {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    if (text.charAt(i) === "!") {
      const byte = escapedByte(text, i);
      if (byte < 0) return null;
      out += String.fromCharCode(byte);
      i += 2;
    } else {
      out += text.charAt(i);
    }
  }
  return escapeValue(out) === text ? out : null;
}

/** Percent-encodes a byte string for a query string: `"a b"` → `"a%20b"`. */
export function encodeFormPart(bytes: string): string {
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    out += isUnreserved(code)
      ? bytes.charAt(i)
      : `%${(HEX.charAt((code >> 4) & 15) + HEX.charAt(code & 15)).toUpperCase()}`;
  }
  return out;
}
