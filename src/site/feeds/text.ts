/** Texts as formats take them: escaped, on one line, cut to a length. */
import { printableText } from "../../base/text.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
/** Code points that are no characters of XML 1.0, beside those that are not printable. */
const NOT_XML = /[\ufffe\uffff]/g;

function cleanText(text: string): string {
  return printableText(text).replace(NOT_XML, "");
}

/** Text of an element or attribute of XML. */
export function xmlText(text: string): string {
  return cleanText(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
}

/** `<name>text</name>`; nothing where there is no text. */
export function xmlElement(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${xmlText(text)}</${name}>`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** At most so many UTF-16 units, never half a character; what is cut ends in an ellipsis. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  return `${room.toWellFormed() === room ? room : room.slice(0, -1)}…`;
}

/** One line of at most so many letters, without white space at its ends. */
export function oneLine(text: string, most: number): string {
  return cutText(cleanText(text).replace(/\s+/g, " ").trim(), most);
}

/** Paragraphs of at most so many letters. */
export function plainText(text: string, most: number): string {
  return cutText(cleanText(text).trim(), most);
}

/** What URL leaves as it is, and RFC 3986 has no place for in paths and queries. */
const NOT_IN_PATHS = /[|^`{}\\"<>[\]]|%(?![0-9a-f]{2})/gi;

/** Most addresses: nothing in them is to be escaped or resolved, so that they are spelled like this already. */
const PLAIN_ADDRESS = /^https?:\/\/[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+(?:\/[\w~-][\w.~-]*)+\/?$/;

/** An address as RFC 3986 spells it, in ASCII; null for what is none on the web or longer than most readers take. */
export function asciiUrl(text: string, most = 2000): string | null {
  if (text.length <= most && PLAIN_ADDRESS.test(text)) return text;
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) return null;
  const rest = `${url.pathname}${url.search}${url.hash}`.replace(NOT_IN_PATHS, (letter) =>
    encodeURIComponent(letter),
  );
  const href = url.origin + rest.replace(/(#.*)#/g, "$1%23");
  return href.length <= most ? href : null;
}
