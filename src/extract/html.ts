/** A shop's HTML → HTML that is safe in any page, and its plain text: one parse, in time linear in its length. */
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import type { SafeHtml } from "../api/row.ts";
import { printableText } from "../base/text.ts";
import { readLink } from "./address.ts";
import { boundedTokenizer, type OpenDocument } from "./bounded-tokenizer.ts";
import { cleanSimpleHtml } from "./simple-html.ts";
import { TextWriter } from "./text-writer.ts";

/** False for an image's address that must be left out. */
type IsShown = (address: string) => boolean;

/** `<p onclick=…>Hello <script>…</script><b>you</b></p>` → `{html: "<p>Hello <b>you</b></p>", text: "Hello you"}` */
export function cleanHtml(dirty: string, isShown: IsShown = () => true): SafeHtml {
  const source = printableText(dirty);
  current.isShown = isShown;
  return cleanSimpleHtml(source) ?? sanitise(source);
}

function sanitise(source: string): SafeHtml {
  current.source = source;
  current.depth = 0;
  current.text = new TextWriter();
  const html = sanitizeHtml(current.source, OPTIONS);
  const text = current.text.toString();
  // Numeric entities have become characters now.
  return current.source.includes("&#")
    ? { html: printableText(html), text: printableText(text) }
    : { html, text };
}

/** @param form the name of the column that holds the text: its ending tells the kind of text */
export function htmlOf(text: string, form: string): string {
  if (form.endsWith("_markdown")) return markdown.render(text);
  return form.endsWith("_text") ? htmlOfText(text) : text;
}

/** An empty line ends a paragraph; other line breaks become <br>. */
function htmlOfText(text: string): string {
  const escaped = printableText(text).replace(/[&<>]/g, (character) => ESCAPED[character] ?? "");
  const paragraphs = escaped.split(/\n[^\S\n]*\n\s*/).map((paragraph) => paragraph.trim());
  return paragraphs
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
}

/** Text structure, links and images; no script, style, form, frame or attribute that could run code or report a visit. */
const ALLOWED_TAGS = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "kbd", "samp"],
  ...["ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"],
  ...["a", "img", "figure", "figcaption", "b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small"],
  ...["sub", "sup", "abbr", "cite", "q", "span", "div"],
];

/** Removed with their content, which a reader would not see as text. */
const HIDDEN_TAGS = ["script", "style", "textarea", "option", "xmp", "iframe", "noembed", "noframes"];
const LINK_SCHEMES = ["http:", "https:", "mailto:"];
const IMAGE_SCHEMES = ["http:", "https:"];
const MAX_SPAN = 100;
const MAX_IMAGE_SIDE = 10_000;

type Attributes = sanitizeHtml.Attributes;

/** A whole number of at most `max`, as text; undefined for anything else. */
function bounded(value: string | undefined, max: number): string | undefined {
  const number = value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
  return number >= 0 ? String(Math.min(number, max)) : undefined;
}

/** Passes only these attributes on to the sanitiser, however many an element has. */
function present(attributes: Readonly<Record<string, string | null | undefined>>): Attributes {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== null,
  );
  return Object.fromEntries(entries);
}

function linkAttributes({ href, title }: Attributes): Attributes {
  const address = href === undefined ? null : readLink(href, LINK_SCHEMES);
  return address === null ? present({ title }) : present({ href: address, title, rel: "nofollow noopener" });
}

function imageAttributes({ src, alt, title, width, height }: Attributes): Attributes {
  const address = src === undefined ? null : readLink(src, IMAGE_SCHEMES);
  return present({
    src: address !== null && current.isShown(address) ? address : null,
    alt,
    title,
    width: bounded(width, MAX_IMAGE_SIDE),
    height: bounded(height, MAX_IMAGE_SIDE),
  });
}

function cellAttributes({ colspan, rowspan, scope }: Attributes): Attributes {
  return present({ colspan: bounded(colspan, MAX_SPAN), rowspan: bounded(rowspan, MAX_SPAN), scope });
}

function transform(change: (attributes: Attributes) => Attributes): sanitizeHtml.Transformer {
  return (tagName, attributes) => ({ tagName, attribs: change(attributes) });
}

const CHARACTERS: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Undoes the sanitiser's escaping of text. */
function unescapeText(text: string): string {
  return text.includes("&")
    ? text.replace(/&(?:amp|lt|gt);/g, (escaped) => CHARACTERS[escaped] ?? escaped)
    : text;
}

/** The document that is being sanitised: one at a time, in a global, because the sanitiser's hooks get no context. */
const current: OpenDocument & { source: string; depth: number; text: TextWriter; isShown: IsShown } = {
  source: "",
  depth: 0,
  text: new TextWriter(),
  isShown: () => true,
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  nonTextTags: HIDDEN_TAGS,
  allowedAttributes: {
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title", "width", "height"],
    abbr: ["title"],
    th: ["colspan", "rowspan", "scope"],
    td: ["colspan", "rowspan"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["http", "https"] },
  allowProtocolRelative: false,
  transformTags: {
    a: transform(linkAttributes),
    img: transform(imageAttributes),
    th: transform(cellAttributes),
    td: transform(cellAttributes),
  },
  parser: { Tokenizer: boundedTokenizer(current, new Set(HIDDEN_TAGS)) },
  onOpenTag(name) {
    current.depth += 1;
    current.text.open(name);
  },
  onCloseTag(name) {
    current.depth -= 1;
    current.text.close(name);
  },
  textFilter(escaped) {
    current.text.add(unescapeText(escaped));
    return escaped;
  },
};

/** HTML in Markdown is passed on, as usual: the sanitiser runs after this. */
const markdown = new MarkdownIt({ html: true });

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
