/** Addresses, parsed as a browser parses them, so that the checked address is the one it opens. */

/** Longer addresses do not work everywhere; the bound also keeps later checks cheap. */
const MAX_ADDRESS_LENGTH = 2048;
/** Any page, to resolve relative addresses against. */
const SOME_PAGE = "https://page.invalid";

/**
 * The form of most shops' addresses: a host name, and a path that needs no escaping and no resolving. A browser opens them as
 * written; a test proves that. IP addresses and names in other scripts are excluded.
 */
const PLAIN_ADDRESS =
  /^https?:\/\/(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?:\/[\w~-][\w.~-]*)*\/?$/;

function isPlain(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && PLAIN_ADDRESS.test(text);
}

/** As written, if a browser would only add a `/` after the host; otherwise as a browser writes it. */
function spell(text: string, url: URL): string {
  return url.href === `${text}/` ? text : url.href;
}

function parse(text: string, schemes: readonly string[]): URL | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  const url = URL.parse(text);
  const isOpen = url !== null && url.username === "" && url.password === "";
  return isOpen && schemes.includes(url.protocol) ? url : null;
}

/** `https://Shop.example/a b` → `https://shop.example/a%20b`; null if it is not an http(s) address, or has a password. */
export function parseAddress(text: string): string | null {
  if (isPlain(text)) return text;
  const url = /^https?:\/\//i.test(text) ? parse(text, ["http:", "https:"]) : null;
  return url === null ? null : spell(text, url);
}

/**
 * The address of a link or image in HTML; null if it must not be followed. An address without a scheme stays relative:
 * `http:evil.example` → `http://evil.example/`, `/cart` → `/cart`, `//evil.example` and `javascript:…` → null
 */
export function readLink(raw: string, schemes: readonly string[]): string | null {
  const text = raw.trim();
  if (URL.canParse(text)) {
    const url = parse(text, schemes);
    return url === null ? null : spell(text, url);
  }
  const isRelative = text.length <= MAX_ADDRESS_LENGTH && URL.parse(text, SOME_PAGE)?.origin === SOME_PAGE;
  // Some programs read a backslash as a slash, and ignore tabs and line breaks.
  return isRelative && text !== "" && !/[\\\t\n\r]/.test(text) ? text : null;
}
