/** JSON that anybody may have written: a text that only opens brackets takes 40 bytes of memory a bracket to parse. */

/** Deeper than anything that Vitrine writes. */
const MOST_DEPTH = 100;

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
      if (depth > MOST_DEPTH) return true;
    } else if (CLOSES.has(code)) depth -= 1;
  }
  return false;
}

/** @throws SyntaxError also where it is nested deeper than 100 times */
export function parseShallowJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`it is nested more than ${MOST_DEPTH} times`);
  return JSON.parse(text);
}
