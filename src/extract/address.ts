/** Addresses as a browser reads them, so that what we check is what it opens. */

/** Longer ones are no address that works everywhere; the bound also keeps every later look at them cheap. */
const MAX_ADDRESS_LENGTH = 2048;
/** Stands in for the page that a relative address is relative to. */
const SOME_PAGE = "https://page.invalid";

/**
 * The addresses that most shops have: a host of names, and a path with nothing in it to escape or to resolve. A browser
 * opens them as they are written, which a test holds them to. Not those of numbers, and names in another script.
 */
const PLAIN_ADDRESS =
  /^https?:\/\/(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?:\/[\w~-][\w.~-]*)*\/?$/;

function isPlain(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && PLAIN_ADDRESS.test(text);
}

/** As it was written where a browser would change nothing but put a `/` after the host. */
function spell(text: string, url: URL): string {
  return url.href === `${text}/` ? text : url.href;
}

function parse(text: string, schemes: readonly string[]): URL | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  const url = URL.parse(text);
  const isOpen = url !== null && url.username === "" && url.password === "";
  return isOpen && schemes.includes(url.protocol) ? url : null;
}

/** `https://Shop.example/a b` → `https://shop.example/a%20b`; null for what is no http(s) address, or has a password. */
export function readAddress(text: string): string | null {
  if (isPlain(text)) return text;
  const url = /^https?:\/\//i.test(text) ? parse(text, ["http:", "https:"]) : null;
  return url === null ? null : spell(text, url);
}

/**
 * The address of a link or image in HTML; null where it may not be followed. One without a scheme stays relative:
 * `http:evil.example` → `http://evil.example/`, `/cart` → `/cart`, `//evil.example` and `javascript:…` → null
 */
export function readLink(raw: string, schemes: readonly string[]): string | null {
  const text = raw.trim();
  if (URL.canParse(text)) {
    const url = parse(text, schemes);
    return url === null ? null : spell(text, url);
  }
  const isRelative = text.length <= MAX_ADDRESS_LENGTH && URL.parse(text, SOME_PAGE)?.origin === SOME_PAGE;
  // A backslash is a slash to some, and a tab or a new line nothing at all.
  return isRelative && text !== "" && !/[\\\t\n\r]/.test(text) ? text : null;
}
