/** JSON from untrusted sources: a text that only opens brackets takes 40 bytes of memory a bracket to parse. */

/** Deeper than any JSON that Vitrine writes. */
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function isDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (OPENS.has(code)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSES.has(code)) depth -= 1;
  }
  return false;
}

/** @throws SyntaxError if the text is not JSON, or nested more than 100 deep */
export function parseShallowJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} times`);
  return JSON.parse(text);
}
