/**
 * The HTML that most editors write: text, properly nested elements without attributes, and plain links. It is safe already, and
 * the sanitiser would change only its links and breaks, so one scan is enough. Everything else goes to the sanitiser; a test
 * compares the two byte by byte.
 */
import type { SafeHtml } from "../api/row.ts";
import { readLink } from "./address.ts";
import { TextWriter } from "./text-writer.ts";

/** An end tag; or a start tag, with a link or a slash at its end; or text without escapes and without `&`, which may begin an entity. */
const PIECE =
  /<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)(?: href="((?:https?:\/\/[a-z0-9.-]+)?(?:\/[\w.~-]+)*\/?)")?( ?\/)?>|[^<>&]+/y;

const INLINE: ReadonlySet<string> = new Set([
  ...["a", "b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small", "sub", "sup"],
  ...["code", "kbd", "samp", "cite", "q", "abbr", "span"],
]);
const BLOCKS: ReadonlySet<string> = new Set([
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "hr"],
]);
/** Elements that may contain blocks; a paragraph is closed when a block opens in it. */
const HOLDERS: ReadonlySet<string | undefined> = new Set([undefined, "li", "ul", "ol", "blockquote"]);
const VOID: ReadonlySet<string> = new Set(["br", "hr"]);
/** Deeper nesting goes to the sanitiser, which has a limit. */
const MAX_OPEN = 20;

/** True if an element may be in this parent as written, and closes nothing. */
function mayStandIn(name: string, parent: string | undefined): boolean {
  if (INLINE.has(name) || name === "br") return name !== "a" || parent !== "a";
  return BLOCKS.has(name) ? HOLDERS.has(parent) : name === "li" && (parent === "ul" || parent === "ol");
}

function linkTag(href: string): string {
  const address = readLink(href, ["http:", "https:"]);
  return address === null ? "<a>" : `<a href="${address}" rel="nofollow noopener">`;
}

/** Null if something is not simple. */
export function cleanSimpleHtml(source: string): SafeHtml | null {
  const text = new TextWriter();
  const open: string[] = [];
  let html = "";
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < source.length) {
    const piece = PIECE.exec(source);
    if (piece === null) return null;
    const [written, closed, opened, href, slash] = piece;
    if (closed !== undefined) {
      if (open.pop() !== closed) return null;
      text.close(closed);
      html += written;
    } else if (opened !== undefined) {
      const isVoid = VOID.has(opened);
      if (!mayStandIn(opened, open.at(-1)) || (slash !== undefined && !isVoid)) return null;
      if (href !== undefined && (opened !== "a" || href === "")) return null;
      text.open(opened);
      if (isVoid) text.close(opened);
      else if (open.push(opened) > MAX_OPEN) return null;
      html += isVoid ? `<${opened} />` : href === undefined ? written : linkTag(href);
    } else {
      text.add(written);
      html += written;
    }
  }
  return open.length > 0 ? null : { html, text: text.toString() };
}
