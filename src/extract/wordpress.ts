/**
 * A text as WordPress stores it → the HTML that everybody may read, and what was left out of it, by name.
 *
 * Blocks and shortcodes run plugin code that Vitrine does not have, so only content that WordPress itself shows to everybody is
 * kept: core blocks without a visibility rule, and the content of core shortcodes. There are two grammars, in WordPress's own
 * order (wp-includes/class-wp-block-parser.php, then get_shortcode_regex in wp-includes/shortcodes.php): blocks nest and are
 * closed in order; shortcodes are found in the remaining text. If a text is malformed, more is hidden than WordPress hides,
 * never less. One pass each, no recursion, linear in the text.
 */
import { parseShallowJson } from "../base/json.ts";

/** A kind of content that is not public. */
interface LeftOutText {
  readonly kind: "block" | "shortcode";
  /** `restrict-content-pro/restrict`, `s2If`: it comes from the text, so it is not to be trusted. */
  readonly name: string;
  readonly count: number;
}

export interface WordpressText {
  readonly html: string;
  readonly leftOut: readonly LeftOutText[];
}

/** A range of text to cut. */
interface Cut {
  readonly start: number;
  readonly end: number;
  /** How it is counted; null: a delimiter, comment or tag, which a reader would not see anyway. */
  readonly what: Pick<LeftOutText, "kind" | "name"> | null;
}

/** Names are shown to people: longer ones are cut. */
const MAX_NAME_LENGTH = 80;

export function readWordpressText(text: string): WordpressText {
  const blocks = readBlocks(text);
  const cuts = [...blocks.hidden, ...findShortcodes(blocks.text, blocks.hidden)];
  const { kept, leftOut } = applyCuts(blocks.text, cuts);
  return { html: blocks.hasBlocks ? kept : withParagraphs(kept.trim()), leftOut };
}

function applyCuts(text: string, cuts: readonly Cut[]): { kept: string; leftOut: LeftOutText[] } {
  const inOrder = cuts.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const counts = new Map<string, LeftOutText>();
  let kept = "";
  let end = 0;
  for (const cut of inOrder) {
    // Content inside something that is left out is not counted again.
    if (cut.end <= end) continue;
    if (cut.start > end) kept += text.slice(end, cut.start);
    end = cut.end;
    if (cut.what === null) continue;
    const { kind } = cut.what;
    const name = cut.what.name.slice(0, MAX_NAME_LENGTH).toWellFormed();
    const key = `${kind} ${name}`;
    counts.set(key, { kind, name, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return { kept: kept + text.slice(end), leftOut: [...counts.values()] };
}

// ---- Blocks

/** The text without its block delimiters, and its ranges that are not public. */
interface Blocks {
  readonly text: string;
  readonly hidden: readonly Cut[];
  readonly hasBlocks: boolean;
}

interface OpenBlock {
  readonly name: string;
  readonly isHidden: boolean;
}

/** A delimiter as WordPress reads it, up to its attributes. White space is PCRE's, not JavaScript's. */
const STRICT_HEAD =
  /<!--[ \t-\r]+(?<closer>\/)?wp:(?<name>(?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[ \t-\r]+(?:(?<attributes>\{)|(?<void>\/)?-->)/y;
const ATTRIBUTES_END = /\}[ \t-\r]+(\/)?-->/g;
/** Looks like a delimiter, but WordPress reads a comment, and so shows content that was meant to be hidden. */
const LOOSE_HEAD = /<!--\s*(?:(\/)\s*)?wp:\s*([\w-]*(?:\/[\w-]*)?)/iy;

interface Delimiter {
  readonly kind: "open" | "close" | "void";
  readonly name: string;
  /** JSON; null without attributes. */
  readonly attributes: string | null;
  readonly end: number;
}

function fullName(name: string): string {
  return name.includes("/") ? name : `core/${name}`;
}

/** Reads the delimiters of one text; calls must be in the order of the text. */
class DelimiterReader {
  readonly #text: string;
  /** No attributes end after this position. */
  #attributesEndBefore = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#text = text;
  }

  /** The delimiter at the beginning of a comment; null: an ordinary comment. */
  at(start: number): Delimiter | null {
    return this.#strict(start) ?? this.#loose(start);
  }

  #strict(start: number): Delimiter | null {
    STRICT_HEAD.lastIndex = start;
    const groups = STRICT_HEAD.exec(this.#text)?.groups;
    if (groups === undefined) return null;
    const from = STRICT_HEAD.lastIndex;
    const name = fullName(groups["name"] ?? "");
    const isCloser = groups["closer"] !== undefined;
    const kindOf = (isVoid: boolean) => (isVoid ? "void" : isCloser ? "close" : "open");
    if (groups["attributes"] === undefined)
      return { kind: kindOf(groups["void"] !== undefined), name, attributes: null, end: from };
    if (from >= this.#attributesEndBefore) return null;
    ATTRIBUTES_END.lastIndex = from;
    const end = ATTRIBUTES_END.exec(this.#text);
    if (end === null) {
      this.#attributesEndBefore = from;
      return null;
    }
    const attributes = this.#text.slice(from - 1, end.index + 1);
    return { kind: kindOf(end[1] !== undefined), name, attributes, end: ATTRIBUTES_END.lastIndex };
  }

  /** A malformed one opens a block that must prove that it is visible, and closes none. */
  #loose(start: number): Delimiter | null {
    LOOSE_HEAD.lastIndex = start;
    const head = LOOSE_HEAD.exec(this.#text);
    if (head === null) return null;
    const [written, closer, name = ""] = head;
    const end = commentEnd(this.#text, start);
    const rest = this.#text.slice(start + written.length, end).replace(/-->$/, "");
    if (closer !== undefined) return { kind: "void", name: "core/malformed", attributes: null, end };
    const brace = rest.indexOf("{");
    const attributes = brace < 0 ? null : rest.slice(brace, rest.lastIndexOf("}") + 1);
    return { kind: /\/\s*$/.test(rest.slice(-9)) ? "void" : "open", name: fullName(name), attributes, end };
  }
}

function readBlocks(text: string): Blocks {
  const reader = new DelimiterReader(text);
  const open: OpenBlock[] = [];
  const openNames = new Map<string, number>();
  const hidden: Cut[] = [];
  let kept = "";
  let hasBlocks = false;
  let at = 0;
  /** Depth of the outermost hidden block, and where its content begins in `kept`; 0: none is open. */
  let hiddenDepth = 0;
  let hiddenFrom = 0;
  let hiddenName = "";
  const hide = () =>
    hidden.push({ start: hiddenFrom, end: kept.length, what: { kind: "block", name: hiddenName } });
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", at)) {
    const delimiter = reader.at(start);
    if (delimiter === null) {
      const end = commentEnd(text, start);
      kept += text.slice(at, start);
      // An empty comment replaces it, so that the words on its two sides are not joined.
      hidden.push({ start: kept.length, end: kept.length + EMPTY_COMMENT.length, what: null });
      kept += EMPTY_COMMENT;
      at = end;
      continue;
    }
    hasBlocks = true;
    kept += text.slice(at, start);
    at = delimiter.end;
    const { kind, name } = delimiter;
    if (kind === "void") {
      // Its output is made when the page is rendered. A range without length can't be cut, so it gets an empty comment.
      if (hiddenDepth > 0 || isVisible(delimiter)) continue;
      hidden.push({
        start: kept.length,
        end: kept.length + EMPTY_COMMENT.length,
        what: { kind: "block", name },
      });
      kept += EMPTY_COMMENT;
    } else if (kind === "open") {
      const isHidden = !isVisible(delimiter);
      open.push({ name, isHidden });
      openNames.set(name, (openNames.get(name) ?? 0) + 1);
      if (hiddenDepth > 0 || !isHidden) continue;
      hiddenDepth = open.length;
      hiddenFrom = kept.length;
      hiddenName = name;
      kept += EMPTY_COMMENT;
    } else {
      const last = open.at(-1);
      // WordPress closes the innermost block, with any name. A hidden block is closed only by its own name or that of a parent.
      if (last === undefined || (last.isHidden && (openNames.get(name) ?? 0) === 0)) continue;
      open.pop();
      openNames.set(last.name, (openNames.get(last.name) ?? 1) - 1);
      if (open.length >= hiddenDepth) continue;
      hide();
      hiddenDepth = 0;
    }
  }
  kept += text.slice(at);
  if (hiddenDepth > 0) hide();
  return { text: kept, hidden, hasBlocks };
}

/** Blocks of WordPress itself; embeds had a separate namespace until 5.6. */
function isCore(name: string): boolean {
  return name.startsWith("core/") || name.startsWith("core-embed/");
}

function isVisible({ name, attributes }: Delimiter): boolean {
  if (!isCore(name)) return false;
  if (attributes === null) return true;
  try {
    return !hasRule(parseShallowJson(attributes));
  } catch {
    // Not JSON: a rule that cannot be read may hide the block.
    return false;
  }
}

/**
 * Attributes by which WordPress (`metadata.blockVisibility`) and plugins hide core blocks: `blockVisibility`, `visibility`,
 * `advancedVisibility`, `otterConditions`, `conditionalBlocks`, `advgbBlockControls`, `contentControls`, `um_is_restrict`,
 * `um_who_access`, `wickedBlockConditions`, `editorskit.loggedin`, `userRoles`, `membersOnly`, …
 */
const RULE =
  /visib|restrict|member|access|condition|hidden|hide|role|logged|login|capabilit|audience|paywall|premium|subscri|protect|schedul|expir|blockcontrol|contentcontrol|display_?rule|display_?logic/i;
/** For these, `true` means that the block is visible. */
const SHOWS_IF_TRUE = /^(?:is_?)?visible$|^(?:block_?)?visibility$|^logged_?(?:in|out)$/i;
/** For these, neither `true` nor `false` proves that everybody sees it. */
const SAYS_NEITHER = /visib|show|display|allow|enable|view/i;
const SHOWN: ReadonlySet<string> = new Set([
  "",
  "visible",
  "all",
  "everyone",
  "everybody",
  "public",
  "always",
]);

function isPlainlyVisible(name: string, value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === "boolean")
    return SHOWS_IF_TRUE.test(name) ? value : !value && !SAYS_NEITHER.test(name);
  if (typeof value === "string") return SHOWN.has(value.toLowerCase());
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** True if an attribute, at any depth, restricts for whom or when a block is shown. */
function hasRule(attributes: unknown): boolean {
  const due: unknown[] = [attributes];
  for (let value = due.pop(); value !== undefined; value = due.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const isNamed = !Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (isNamed && RULE.test(name) && !isPlainlyVisible(name, inner)) return true;
      if (typeof inner === "object" && inner !== null) due.push(inner);
    }
  }
  return false;
}

// ---- Shortcodes

const EMPTY_COMMENT = "<!---->";

/** Their content is shown to everybody. */
const CORE_SHORTCODES: ReadonlySet<string> = new Set([
  ...["caption", "wp_caption", "gallery", "playlist", "audio", "video", "embed"],
]);

/** `[…]`: its position, and what it may be. */
interface Bracket {
  readonly kind: "open" | "single" | "close";
  readonly start: number;
  readonly end: number;
  /** The text between the brackets, as much of it as a name may need; without the slash of a closing one. */
  readonly inner: string;
  /** True if WordPress reads it as a shortcode: no blank before the name. */
  readonly isExact: boolean;
  /** Number of the HTML element, comment or hidden block that it is in, whose shortcodes do not pair with those outside; 0 outside. */
  readonly place: number;
  readonly placeStart: number;
  readonly placeEnd: number;
}

/** A bracket as a tag of a shortcode with this name. */
interface Tag {
  readonly bracket: Bracket;
  readonly name: string;
  readonly isOpen: boolean;
  /** True if it pairs by WordPress's own rules; others pair too, so that content meant to be hidden is hidden. */
  readonly isStrict: boolean;
}

const MAX_INNER_LENGTH = 200;

function commentEnd(text: string, start: number): number {
  // `<!-->` is a whole comment.
  const end = text.indexOf("-->", start + 2);
  return end < 0 ? text.length : end + 3;
}

/** The end of an element, comment or section that begins at `start`. As WordPress has it, it is the next `>`, quoted or not. */
function elementEnd(text: string, start: number): number {
  if (text.startsWith("<!--", start)) return commentEnd(text, start);
  const close = text.startsWith("<![CDATA[", start) ? "]]>" : ">";
  const end = text.indexOf(close, start);
  return end < 0 ? text.length : end + close.length;
}

/** Finds the `]` that ends a bracket. Brackets are looked up in order, so each part of the text is read once. */
class BracketEnds {
  readonly #text: string;
  #plain = -1;
  #outside = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next one anywhere. */
  plain(start: number): number {
    if (this.#plain <= start) {
      const end = this.#text.indexOf("]", start);
      this.#plain = end < 0 ? Number.POSITIVE_INFINITY : end;
    }
    return this.#plain;
  }

  /** The next one outside of all elements; `start` is outside, too. */
  outside(start: number): number {
    if (this.#outside > start) return this.#outside;
    const sign = /[\]<]/g;
    sign.lastIndex = start;
    for (let found = sign.exec(this.#text); found !== null; found = sign.exec(this.#text)) {
      if (found[0] === "]") {
        this.#outside = found.index;
        return found.index;
      }
      sign.lastIndex = elementEnd(this.#text, found.index);
    }
    this.#outside = Number.POSITIVE_INFINITY;
    return this.#outside;
  }
}

function findBrackets(text: string, hidden: readonly Cut[]): Bracket[] {
  const found: Bracket[] = [];
  const ends = new BracketEnds(text);
  const inOrder = hidden.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let nextHidden = 0;
  let place = 0;
  let placeStart = 0;
  let placeEnd = 0;
  const sign = /[[<]/g;
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    const start = match.index;
    for (let cut = inOrder[nextHidden]; cut !== undefined && cut.start <= start; cut = inOrder[nextHidden]) {
      nextHidden += 1;
      if (cut.end <= start || cut.end <= placeEnd) continue;
      place += 1;
      placeStart = cut.start;
      placeEnd = cut.end;
    }
    const isInside = start < placeEnd;
    if (match[0] === "<") {
      if (isInside) continue;
      place += 1;
      placeStart = start;
      placeEnd = elementEnd(text, start);
      continue;
    }
    const end = isInside ? ends.plain(start) : ends.outside(start);
    if (end === Number.POSITIVE_INFINITY || (isInside && end >= placeEnd)) continue;
    const written = text.slice(start + 1, Math.min(end, start + MAX_INNER_LENGTH));
    const closing = /^\s*\//.exec(written);
    found.push({
      kind: closing !== null ? "close" : text[end - 1] === "/" ? "single" : "open",
      start,
      end: end + 1,
      inner: closing === null ? written : written.slice(closing[0].length),
      isExact: !/^\s/.test(written),
      place: isInside ? place : 0,
      placeStart: isInside ? placeStart : start,
      placeEnd: isInside ? placeEnd : end + 1,
    });
  }
  return found;
}

/**
 * Names that a bracket may have. WordPress takes each registered name that the text begins with, if no letter, digit or hyphen
 * follows: `[a/b]`, `[a=1]` and `[a.b]` are tags of `a`, the last of `a.b` too.
 */
const NAME_FORMS = [
  // Names with blanks, which WordPress accepted until 4.4, and with slashes.
  /^[^[\]<>]+/,
  /^[^\s[\]<>=]+/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: WordPress's rule names them.
  /^[^<>&/[\]\u0000-\u0020=]+/,
  /^[\p{L}\p{N}\p{M}_.-]+/u,
  /^[\w-]+/,
] as const;
/** The form of a registered name. */
const [, , REGISTERED_NAME] = NAME_FORMS;

function namesOf({ inner, kind }: Bracket): readonly string[] {
  const trimmed = (kind === "single" ? inner.replace(/\/$/, "") : inner).trim();
  const names = NAME_FORMS.map((form) => form.exec(trimmed)?.[0].trim() ?? "");
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The name that WordPress would read; empty if the bracket can't be a tag. */
function tagName({ inner, isExact }: Bracket): string {
  const name = isExact ? (REGISTERED_NAME.exec(inner)?.[0] ?? "") : "";
  return /[\p{L}_]/u.test(name) ? name : "";
}

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** Tags by name, in lower case: only of shortcodes that are closed somewhere. */
function groupTags(brackets: readonly Bracket[]): ReadonlyMap<string, Tag[]> {
  const closed = new Set<string>();
  for (const bracket of brackets) {
    if (bracket.kind === "close") for (const name of namesOf(bracket)) closed.add(name.toLowerCase());
  }
  const groups = new Map<string, Tag[]>();
  for (const bracket of brackets) {
    const isOpen = bracket.kind !== "close";
    for (const name of namesOf(bracket)) {
      if (!closed.has(name.toLowerCase())) continue;
      const isStrict = bracket.isExact && bracket.kind !== "single" && (isOpen || bracket.inner === name);
      addTo(groups, name.toLowerCase(), { bracket, name, isOpen, isStrict });
    }
  }
  return groups;
}

type Span = readonly [open: Tag, close: Tag];

/**
 * Enclosed ranges, read both ways: from an opening tag to the first closing one, as WordPress does, and from each closing tag
 * back to the nearest opening one, as an author means it.
 */
function findSpans(tags: readonly Tag[]): Span[] {
  const spans: Span[] = [];
  const open: Tag[] = [];
  let first: Tag | undefined;
  for (const tag of tags) {
    if (tag.isOpen) {
      open.push(tag);
      first ??= tag;
      continue;
    }
    if (first !== undefined) spans.push([first, tag]);
    first = undefined;
    const nearest = open.pop();
    if (nearest !== undefined) spans.push([nearest, tag]);
  }
  return spans;
}

/** All ranges enclosed by shortcodes of one name, in any case. */
function spansOf(tags: readonly Tag[]): Span[] {
  const spans: Span[] = [];
  // Separately in the text and in each element and hidden block.
  const places = new Map<string, Tag[]>();
  for (const tag of tags) if (tag.isStrict) addTo(places, `${tag.bracket.place} ${tag.name}`, tag);
  for (const group of places.values()) for (const span of findSpans(group)) spans.push(span);
  // Once more without regard to places, blanks and case. `[a /]` encloses nothing, unless `[/a]` follows.
  const loose = tags.filter(({ bracket }, at) => bracket.kind !== "single" || tags[at + 1]?.isOpen === false);
  return loose.every((tag) => tag.isStrict && tag.bracket.place === 0 && tag.name === loose[0]?.name)
    ? spans
    : [...spans, ...findSpans(loose)];
}

/** `[[a]…[/a]]` shows the tags themselves. */
function isEscaped(text: string, start: number, end: number): boolean {
  return text[start - 1] === "[" && text[end] === "]";
}

/** The range to cut for a span: an element that it begins or ends in is cut as a whole. */
function spanCut(text: string, [open, close]: Span): Cut {
  const [from, to] = [open.bracket, close.bracket];
  const what = { kind: "shortcode", name: open.name } as const;
  const isWithin = from.place === to.place;
  const start = isWithin ? from.start : from.placeStart;
  const end = isWithin ? to.end : to.placeEnd;
  return { start: text[start - 1] === "[" ? start - 1 : start, end, what };
}

function findShortcodes(text: string, hidden: readonly Cut[]): Cut[] {
  if (!text.includes("[")) return [];
  const brackets = findBrackets(text, hidden);
  const cuts: Cut[] = [];
  const literal = new Set<Bracket>();
  const enclosing = new Set<Bracket>();
  for (const tags of groupTags(brackets).values()) {
    const places = new Map(tags.map((tag, at) => [tag, at]));
    for (const span of spansOf(tags)) {
      const [open, close] = span;
      if (CORE_SHORTCODES.has(open.name) && CORE_SHORTCODES.has(close.name)) continue;
      const isWhole = (places.get(close) ?? 0) - (places.get(open) ?? 0) === 1;
      const { start } = open.bracket;
      const { end } = close.bracket;
      if (isWhole && open.isStrict && close.isStrict && isEscaped(text, start, end)) {
        literal.add(open.bracket);
        literal.add(close.bracket);
        cuts.push({ start: start - 1, end: start, what: null }, { start: end, end: end + 1, what: null });
        continue;
      }
      cuts.push(spanCut(text, span));
      enclosing.add(open.bracket);
    }
  }
  for (const bracket of brackets) {
    if (literal.has(bracket) || enclosing.has(bracket)) continue;
    const { start, end, kind } = bracket;
    const name = tagName(bracket);
    if (name === "" || isPlainText(text, bracket)) continue;
    if (kind !== "close" && isEscaped(text, start, end))
      cuts.push({ start: start - 1, end: start, what: null }, { start: end, end: end + 1, what: null });
    else if (kind === "close") cuts.push({ start, end, what: null });
    else if (CORE_SHORTCODES.has(name)) cuts.push(...captionCuts(text, bracket));
    else cuts.push({ start, end, what: { kind: "shortcode", name } });
  }
  return cuts;
}

/** Removes the tag of a core shortcode; the words of `[caption caption="…"]` are kept, as before WordPress 3.4. */
function captionCuts(text: string, { start, end, inner }: Bracket): Cut[] {
  const words = /^(?:wp_)?caption\s.*?\bcaption=(["'])/s.exec(inner);
  if (words === null) return [{ start, end, what: null }];
  const from = start + 1 + words[0].length;
  const to = text.indexOf(words[1] ?? "", from);
  if (to < 0 || to >= end) return [{ start, end, what: null }];
  return [
    { start, end: from, what: null },
    { start: to, end, what: null },
  ];
}

/** Ordinary brackets: a link of Markdown, a bracket in a bracket, a part of an address. */
function isPlainText(text: string, { start, end, inner, place }: Bracket): boolean {
  if (place > 0 && /\w/.test(text[start - 1] ?? "")) return true;
  const bracket = inner.indexOf("[");
  if (bracket >= 0 && !inner.slice(0, bracket).includes("=")) return true;
  return text[end] === "(" && !inner.includes("=");
}

// ---- Paragraphs

/** Start of an element that keeps its empty lines, up to its end. */
const KEPT_LINES = /<(pre|script|style|textarea)\b/gi;

/** The classic editor stores paragraphs as empty lines. */
function withParagraphs(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  let html = "";
  let at = 0;
  KEPT_LINES.lastIndex = 0;
  for (let found = KEPT_LINES.exec(lines); found !== null; found = KEPT_LINES.exec(lines)) {
    const close = new RegExp(`</${found[1]}`, "gi");
    close.lastIndex = found.index;
    const end = close.exec(lines) === null ? lines.length : close.lastIndex;
    html += paragraphs(lines.slice(at, found.index)) + lines.slice(found.index, end);
    at = end;
    KEPT_LINES.lastIndex = end;
  }
  return html + paragraphs(lines.slice(at));
}

function paragraphs(text: string): string {
  return text.replace(/\n\s*\n/g, "<p>");
}
