/** JSON: text that is JSON already, and JSON from anybody else (a bucket, a mirrored shop, a CDN, a store's text column). */

declare const isJson: unique symbol;
/** Text that is JSON already: branded, so that it is never encoded twice and raw text can't slip in. */
export type Json = string & { readonly [isJson]: true };

/** Encodes a value once. */
export function encodeJson(value: unknown): Json {
  return JSON.stringify(value) as Json;
}

/** Deeper than any JSON that Vitrine writes. */
const MAX_DEPTH = 100;

/** More than any record has (a thread with 60,000 replies). So many values take at most some 100 MB, besides their texts. */
const MAX_VALUES: number = 2 ** 19;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * A few kilobytes of gzip can hold a text whose value takes thirty times its size: 40 bytes for each open bracket, 60 for each
 * empty object, 300 for each object with a key that no other has.
 * @throws SyntaxError if a text has more values or is deeper than allowed
 */
function measure(text: string, maxValues: number): void {
  let depth = 0;
  // Each value but the first one follows a comma or an open bracket.
  let values = 1;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === COMMA) values += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} times`);
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    if (values > maxValues) throw new SyntaxError(`it has more than ${maxValues} values`);
  }
}

/**
 * The caller bounds the bytes of the text.
 * @throws SyntaxError if the text is not JSON, nested more than 100 deep, or has more values than allowed
 */
export function parseShallowJson(text: string, maxValues: number = MAX_VALUES): unknown {
  measure(text, maxValues);
  return JSON.parse(text);
}
