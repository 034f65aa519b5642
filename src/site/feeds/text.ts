/** Texts for file formats: escaped, on one line, cut to a length. */
import { printableText } from "../../base/text.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
/** Code points that XML 1.0 does not allow, besides the unprintable ones. */
const NOT_XML = /[\ufffe\uffff]/g;

function cleanText(text: string): string {
  return printableText(text).replace(NOT_XML, "");
}

/** Text of an XML element or attribute. */
export function xmlText(text: string): string {
  return cleanText(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
}

/** `<name>text</name>`; empty if there is no text. */
export function xmlElement(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${xmlText(text)}</${name}>`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** At most `most` UTF-16 units, never half a character; a cut text ends in an ellipsis. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  return `${room.toWellFormed() === room ? room : room.slice(0, -1)}…`;
}

/** One line of at most `most` letters, without white space at its ends. */
export function oneLine(text: string, most: number): string {
  return cutText(cleanText(text).replace(/\s+/g, " ").trim(), most);
}

/** Paragraphs of at most `most` letters. */
export function plainText(text: string, most: number): string {
  return cutText(cleanText(text).trim(), most);
}

/** Characters that URL leaves as they are and RFC 3986 does not allow in paths and queries. */
const NOT_IN_PATHS = /[|^`{}\\"<>[\]]|%(?![0-9a-f]{2})/gi;

/** Matches most addresses: those with nothing to escape or resolve. */
const PLAIN_ADDRESS = /^https?:\/\/[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+(?:\/[\w~-][\w.~-]*)+\/?$/;

/** An address in ASCII as RFC 3986 spells it; null if it is not a web address or longer than most readers accept. */
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
