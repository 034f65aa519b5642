/** A shop's HTML → HTML that is safe in any page, and its plain text: one parse, in time linear in its length. */
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import type { SafeHtml } from "../api/row.ts";
import { printableText } from "../base/text.ts";
import { readLink } from "./address.ts";
import { boundedTokenizer, type OpenDocument } from "./bounded-tokenizer.ts";
import { filmPage, isPlayerTitle } from "./films.ts";
import { nestQuillLists } from "./quill-lists.ts";
import { cleanSimpleHtml } from "./simple-html.ts";
import { MEDIA, TextWriter } from "./text-writer.ts";

/** Reports of what a text loses. */
export interface CleaningPorts {
  /** False for an image's address that must be left out. */
  readonly isShown: (address: string) => boolean;
  /** An image has an address that no public text can have, such as `data:image/png;base64,…`. */
  readonly onLostImage?: (address: string) => void;
  /** An element is left out, with its content: the shop's page hides it, or it is a frame without a known film. */
  readonly onLeftOut?: (name: string) => void;
}

const EVERYTHING: CleaningPorts = { isShown: () => true };

/** `<p onclick=…>Hello <script>…</script><b>you</b></p>` → `{html: "<p>Hello <b>you</b></p>", text: "Hello you"}` */
export function cleanHtml(dirty: string, ports: CleaningPorts = EVERYTHING): SafeHtml {
  const source = printableText(dirty);
  current.ports = ports;
  return cleanSimpleHtml(source) ?? sanitise(source);
}

function sanitise(source: string): SafeHtml {
  current.source = nestQuillLists(source);
  current.depth = 0;
  current.open = [];
  current.media = 0;
  current.linkAt = 0;
  current.noscripts = 0;
  current.late = null;
  current.isSplit = false;
  current.text = new TextWriter();
  const html = sanitizeHtml(current.source, OPTIONS);
  // Numeric entities have become characters now.
  const printable = current.source.includes("&#") ? printableText : (text: string) => text;
  if (current.isSplit) return sanitise(printable(html));
  return { html: printable(html), text: printable(current.text.toString()) };
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
  ...["sub", "sup", "abbr", "cite", "q", "span", "div", "ruby", "rt", "rp"],
];

/**
 * Elements that say the same as an allowed one. A block becomes `<div>`: without any element its words would join those of the
 * next block.
 */
const PLAIN_NAMES: ReadonlyMap<string, string> = new Map([
  ["strike", "s"],
  ["tt", "code"],
  ["var", "i"],
  ["dfn", "i"],
  ["acronym", "abbr"],
  ["listing", "pre"],
  ["menu", "ul"],
  ["dir", "ul"],
  ["bdi", "span"],
  ...(
    "article aside section header footer main nav hgroup address center " +
    "details summary dialog search form fieldset legend marquee"
  )
    .split(" ")
    .map((name) => [name, "div"] as const),
]);

/** Some of these end a paragraph in a browser, and not in the sanitiser's parser. */
const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  "center dialog dir hgroup listing menu search summary".split(" "),
);

/** The name that a hidden element is given: one of {@link HIDDEN_TAGS}. */
const HIDDEN = "style";
/** In place of the name of an element that is not shown, or whose name is not chosen yet. */
const UNNAMED = "";
/** Removed with their content, which a reader would not see as text. */
const HIDDEN_TAGS = [
  ...["script", HIDDEN, "textarea", "option", "xmp", "iframe", "noembed", "noframes", "title", "template"],
];
const LINK_SCHEMES = ["http:", "https:", "mailto:", "tel:"];
const WEB_SCHEMES = ["http:", "https:"];
const MAX_SPAN = 100;
const MAX_IMAGE_SIDE = 10_000;
/** Of an item of a list. */
const MAX_NUMBER = 1_000_000;

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

/** Old shops write `//cdn.example/x.jpg`, which is https on any page of today. */
function addressOf(written: string | undefined, schemes: readonly string[]): string | null {
  const text = written?.trim() ?? "";
  return readLink(/^\/\/[^/\\]/.test(text) ? `https:${text}` : text, schemes);
}

function linkAttributes({ href, title }: Attributes): Attributes {
  const address = addressOf(href, LINK_SCHEMES);
  return address === null ? present({ title }) : present({ href: address, title, rel: "nofollow noopener" });
}

/** Where scripts that load an image or a frame late keep its address, while `src` is missing, empty or a placeholder. */
const LAZY_ATTRIBUTES = ["data-src", "data-lazy-src", "data-original"];
/** The same for an image in several sizes: `/a-300.jpg 300w, /a-600.jpg 600w`. */
const LAZY_SETS = ["data-srcset", "data-lazy-srcset", "srcset"];

/** The address that the shop's page loads late: https://github.com/aFarkas/lazysizes, vanilla-lazyload, Jetpack, WP Rocket. */
function lazyAddress(attributes: Attributes, sets: readonly string[] = []): string | null {
  const { src = "" } = attributes;
  if (!/^\s*(?:$|data:|about:blank)/i.test(src)) return null;
  for (const name of LAZY_ATTRIBUTES) {
    const address = addressOf(attributes[name], WEB_SCHEMES);
    if (address !== null) return address;
  }
  for (const name of sets) {
    const [first = ""] = attributes[name]?.trim().split(/\s/, 1) ?? [];
    const address = addressOf(first.replace(/,$/, ""), WEB_SCHEMES);
    if (address !== null) return address;
  }
  return null;
}

function imageAttributes(attributes: Attributes): Attributes {
  const { src, alt, title, width, height } = attributes;
  const lazy = lazyAddress(attributes, LAZY_SETS);
  const address = lazy ?? addressOf(src, WEB_SCHEMES);
  if (lazy !== null) current.late = lazy;
  if (address === null && src !== undefined && src.trim() !== "") current.ports.onLostImage?.(src);
  return present({
    src: address !== null && current.ports.isShown(address) ? address : null,
    alt,
    title,
    width: bounded(width, MAX_IMAGE_SIDE),
    height: bounded(height, MAX_IMAGE_SIDE),
  });
}

function cellAttributes({ colspan, rowspan, scope }: Attributes): Attributes {
  return present({ colspan: bounded(colspan, MAX_SPAN), rowspan: bounded(rowspan, MAX_SPAN), scope });
}

/** Steps go on after a picture: their numbers are part of what they say. */
function listAttributes({ start, type, reversed }: Attributes): Attributes {
  return present({
    start: bounded(start, MAX_NUMBER),
    type: type !== undefined && /^[1aAiI]$/.test(type) ? type : null,
    reversed: reversed === undefined ? null : "reversed",
  });
}

/** Attributes of an element besides those that all may have. */
const OWN_ATTRIBUTES: ReadonlyMap<string, (attributes: Attributes) => Attributes> = new Map([
  ["a", linkAttributes],
  ["img", imageAttributes],
  ["th", cellAttributes],
  ["td", cellAttributes],
  ["ol", listAttributes],
  ["li", ({ value }: Attributes) => present({ value: bounded(value, MAX_NUMBER) })],
  ["abbr", ({ title }: Attributes) => present({ title })],
]);

/** Writing direction and language. Without them a browser puts the full stop of a Hebrew sentence at its wrong end. */
function textAttributes(name: string, { dir, lang, class: classes }: Attributes): Attributes {
  const isQuill = classes !== undefined && /\bql-direction-rtl\b/.test(classes);
  const direction = dir ?? (isQuill ? "rtl" : name === "bdi" ? "auto" : "");
  return present({
    dir: /^(?:ltr|rtl|auto)$/i.test(direction) ? direction.toLowerCase() : null,
    lang: lang !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,3}$/i.test(lang) ? lang : null,
  });
}

const NO_STYLES: ReadonlyMap<string, string> = new Map();

/** `style="Color: red; display:none"` → color → red, display → none */
function stylesOf({ style }: Attributes): ReadonlyMap<string, string> {
  if (style === undefined) return NO_STYLES;
  return new Map(
    style
      .toLowerCase()
      .split(";")
      .map((declaration) => {
        const [property = "", value = ""] = declaration.replace(/!\s*important/, "").split(":", 2);
        return [property.trim(), value.trim()] as const;
      }),
  );
}

/** An element that the shop's page does not show, at least not before a script does. */
function isInvisible({ hidden }: Attributes, styles: ReadonlyMap<string, string>): boolean {
  return hidden !== undefined || styles.get("display") === "none" || styles.get("visibility") === "hidden";
}

/** A hidden one of these is a counter of visits or a second copy, and not the panel of a tab. */
const PICTURES: ReadonlySet<string> = new Set([...MEDIA, "img", "image", "picture"]);
/** A class that is not Word's. */
const CLASS = /(?:^|\s)(?!Mso)\S/;

/**
 * An element that the shop's page never shows. Not the panel of a tab or an accordion, or the rest of a text behind "Read more", which it
 * shows after a click: it has a name by which a script finds it. An editor hides a sentence for good without giving it one.
 */
function isLeftOut(written: string, attributes: Attributes, styles = stylesOf(attributes)): boolean {
  if (!isInvisible(attributes, styles)) return false;
  const { hidden = "", id = "", class: classes = "", role = "" } = attributes;
  const { "aria-labelledby": label = "" } = attributes;
  const isNamed = id.trim() !== "" || CLASS.test(classes) || role === "tabpanel" || label.trim() !== "";
  return PICTURES.has(written) || styles.has("mso-hide") || !(isNamed || /^until-found$/i.test(hidden));
}

/**
 * The element for what an editor says by a style. TinyMCE strikes the old price out with
 * `<span style="text-decoration: line-through">`; a text from Google Docs is all in `<b style="font-weight: normal">`.
 */
function styledName(name: string, styles: ReadonlyMap<string, string>): string {
  const weight = styles.get("font-weight") ?? "";
  const slant = styles.get("font-style") ?? "";
  if (name === "b" || name === "strong") return /^(?:normal|[1-4]00)$/.test(weight) ? "span" : name;
  if (name === "i" || name === "em") return slant === "normal" ? "span" : name;
  if (name !== "span") return name;
  const line = `${styles.get("text-decoration") ?? ""} ${styles.get("text-decoration-line") ?? ""}`;
  if (line.includes("line-through")) return "s";
  if (/^(?:bold|bolder|[6-9]00)$/.test(weight)) return "b";
  if (slant === "italic") return "i";
  if (line.includes("underline")) return "u";
  const height = styles.get("vertical-align");
  return height === "super" ? "sup" : height === "sub" ? "sub" : name;
}

function unnamed(_: string, attributes: Attributes): sanitizeHtml.Tag {
  return { tagName: UNNAMED, attribs: attributes };
}

/**
 * Every element that may be shown is given a name here, also if it keeps its own: the sanitiser closes an element that was not renamed by
 * the new name of a hidden one before it.
 * @param renamed by a hook for this element only
 */
function cleanElement(renamed: string, attributes: Attributes): sanitizeHtml.Tag {
  const { written, open, isFilm } = current;
  const styles = stylesOf(attributes);
  if (isLeftOut(written, attributes, styles)) {
    current.ports.onLeftOut?.(written);
    return { tagName: HIDDEN, attribs: {} };
  }
  if ((current.media > 0 && !isFilm) || isSecondImage(written, attributes))
    return { tagName: UNNAMED, attribs: {} };
  const name = styledName(renamed === UNNAMED ? written : (PLAIN_NAMES.get(renamed) ?? renamed), styles);
  const own = OWN_ATTRIBUTES.get(name)?.(attributes) ?? {};
  if (ENDS_PARAGRAPH.has(written) && open.includes("p")) current.isSplit = true;
  if (own["href"] !== undefined && current.linkAt === 0) current.linkAt = open.length;
  open[open.length - 1] = isFilm ? written : name;
  current.text.open(isFilm ? written : name, own);
  return { tagName: name, attribs: { ...own, ...textAttributes(written, attributes) } };
}

/** In the part for browsers without scripts, the image or film that a script loads beside it: both would show. */
function isTwin(address: string | null): boolean {
  return current.noscripts > 0 && address !== null && address === current.late;
}

function isSecondImage(written: string, { src }: Attributes): boolean {
  return written === "img" && isTwin(addressOf(src, WEB_SCHEMES));
}

/** A film becomes a link to it. Another frame is left out: it is more often an advertisement or a form. */
function mediaLink(written: string, attributes: Attributes): sanitizeHtml.Tag {
  const { src, url, title } = attributes;
  if (current.isLinked || isLeftOut(written, attributes)) return { tagName: written, attribs: attributes };
  const lazy = lazyAddress(attributes);
  const source = lazy ?? addressOf(src ?? url, WEB_SCHEMES);
  if (lazy !== null) current.late = lazy;
  else if (isTwin(source)) return { tagName: written, attribs: attributes };
  const address = written === "iframe" && source !== null ? filmPage(source) : source;
  if (address === null) {
    if (written === "iframe" && current.media === 1) current.ports.onLeftOut?.(written);
    return { tagName: written, attribs: attributes };
  }
  current.isLinked = true;
  current.isFilm = true;
  const text = title === undefined || title.trim() === "" || isPlayerTitle(title) ? address : title.trim();
  // No link in a link.
  return current.linkAt === 0
    ? { tagName: "a", attribs: { href: address }, text }
    : { tagName: "span", attribs: {}, text };
}

/** The boxes of a list of tasks say which are done. */
function checkbox(written: string, attributes: Attributes): sanitizeHtml.Tag {
  const { type, checked } = attributes;
  return type?.toLowerCase() === "checkbox" && !isInvisible(attributes, stylesOf(attributes))
    ? { tagName: "span", attribs: {}, text: checked === undefined ? "☐ " : "☑ " }
    : { tagName: written, attribs: {} };
}

const CHARACTERS: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Undoes the sanitiser's escaping of text. */
function unescapeText(text: string): string {
  return text.includes("&")
    ? text.replace(/&(?:amp|lt|gt);/g, (escaped) => CHARACTERS[escaped] ?? escaped)
    : text;
}

/** The document that is being sanitised: one at a time, in a global, because the sanitiser's hooks get no context. */
const current: OpenDocument & {
  source: string;
  depth: number;
  /** The name of the element that begins. */
  written: string;
  /** The open elements as the plain text has them; `UNNAMED` if it does not. */
  open: string[];
  text: TextWriter;
  ports: CleaningPorts;
  /** Number of open elements when the outermost link began; 0 outside of links. */
  linkAt: number;
  /** Number of open elements of `MEDIA`. */
  media: number;
  /** Number of open elements `noscript`. */
  noscripts: number;
  /** Address of the last image or film that a script loads late. */
  late: string | null;
  /** True if the outermost one of them has a link. */
  isLinked: boolean;
  /** True for the element that has it, until its text is written. */
  isFilm: boolean;
  /** True if a browser would end a paragraph where the sanitiser did not. */
  isSplit: boolean;
} = {
  source: "",
  depth: 0,
  written: UNNAMED,
  open: [],
  text: new TextWriter(),
  ports: EVERYTHING,
  linkAt: 0,
  media: 0,
  noscripts: 0,
  late: null,
  isLinked: false,
  isFilm: false,
  isSplit: false,
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  nonTextTags: HIDDEN_TAGS,
  allowedAttributes: {
    "*": ["dir", "lang"],
    a: ["href", "title", "rel"],
    img: ["src", "alt", "title", "width", "height"],
    abbr: ["title"],
    th: ["colspan", "rowspan", "scope"],
    td: ["colspan", "rowspan"],
    ol: ["start", "type", "reversed"],
    li: ["value"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https"] },
  allowProtocolRelative: false,
  transformTags: {
    ...Object.fromEntries(ALLOWED_TAGS.map((name) => [name, unnamed])),
    ...Object.fromEntries([...MEDIA].map((name) => [name, mediaLink])),
    input: checkbox,
    "*": cleanElement,
  },
  parser: { Tokenizer: boundedTokenizer(current, new Set(HIDDEN_TAGS)) },
  onOpenTag(name) {
    current.depth += 1;
    current.written = name;
    current.open.push(UNNAMED);
    current.isFilm = false;
    if (name === "noscript") current.noscripts += 1;
    if (!MEDIA.has(name)) return;
    if (current.media === 0) current.isLinked = false;
    current.media += 1;
  },
  onCloseTag(name) {
    current.depth -= 1;
    const opened = current.open.pop() ?? UNNAMED;
    if (current.linkAt > current.open.length) current.linkAt = 0;
    if (MEDIA.has(name)) current.media -= 1;
    else if (name === "noscript") current.noscripts -= 1;
    if (opened !== UNNAMED) current.text.close(opened);
  },
  textFilter(escaped) {
    if (current.media > 0) {
      if (!current.isFilm) return "";
      current.isFilm = false;
    }
    current.text.add(unescapeText(escaped));
    return escaped;
  },
};

/** HTML in Markdown is passed on, as usual: the sanitiser runs after this. */
const markdown = new MarkdownIt({ html: true });

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
