/**
 * Lists as the editor Quill stores them → lists of HTML. Quill nests items by a class only. Quill 2 writes bullets and numbers into one
 * `<ol>` and tells them apart by `data-list`:
 * `<ol><li data-list="bullet">a</li><li data-list="ordered" class="ql-indent-1">b</li></ol>` →
 * `<ul><li>a<ol><li>b</li></ol></li></ul>`
 * Quill 1 ends the list wherever its kind changes, `<ul><li>a</li></ul><ol><li class="ql-indent-1">b</li></ol>`, and marks a list of
 * tasks: `<ul data-checked="true">`. It writes no other attribute of a list: one that has some is somebody else's.
 */

/** Tags of lists. No `<` in a tag, so that the scan is linear. */
const TAG = /<(ol|ul|li)(\s[^<>]*)?>|<\/(ol|ul|li)>/g;
const BY_KIND = /\sdata-list="(\w+)"/;
const OF_QUILL_1 = /^(?: data-checked="(true|false)")?$/;
const INDENTED = /<li\s[^<>]*\bql-indent-[1-8]\b/;
const INDENT = /\bql-indent-([1-8])\b/;
const FIRST_BY_KIND = /\s*<li\s[^<>]*\bdata-list="/y;
const MORE_INDENTED = /\s*<(?:ol|ul)(?: data-checked="(?:true|false)")?>\s*<li\s[^<>]*\bql-indent-[1-8]\b/y;
/** The most characters of a list's attributes: they are repeated wherever its kind changes. */
const MAX_ATTRIBUTES = 200;
const DONE = "☑ ";
const OPEN = "☐ ";
const BOXES: Readonly<Record<string, string>> = { checked: DONE, unchecked: OPEN };

/** Where the lists begin that contain no other: Quill writes no list into a list. */
function flatLists(source: string): { readonly flat: ReadonlySet<number>; readonly hasOthers: boolean } {
  const flat = new Set<number>();
  const open: number[] = [];
  let hasOthers = false;
  for (const { index, 1: opened, 3: closed } of source.matchAll(TAG)) {
    if (opened === "ol" || opened === "ul") {
      const outer = open.at(-1);
      if (outer !== undefined) hasOthers = flat.delete(outer) || hasOthers;
      flat.add(index);
      open.push(index);
    } else if (closed === "ol" || closed === "ul") open.pop();
  }
  return { flat, hasOthers };
}

function followsAt(what: RegExp, source: string, offset: number): boolean {
  what.lastIndex = offset;
  return what.test(source);
}

export function nestQuillLists(source: string): string {
  const mayBeQuill1 = INDENTED.test(source) || source.includes('<ul data-checked="');
  if (!mayBeQuill1 && !source.includes('data-list="')) return source;
  const { flat, hasOthers } = flatLists(source);
  // Where other lists contain lists, an indented item is more likely a rest of Quill's in another editor's text.
  const isQuill1 = mayBeQuill1 && !hasOthers;
  /** The open lists, outermost first, each with an open item. */
  const open: string[] = [];
  /** The kind of the list of Quill's that is being read; null outside of one. */
  let written: string | null = null;
  /** Its attributes: they may hide it, or say where it begins to count. */
  let listAttributes = "";
  /** Before each item of a list of tasks. */
  let box = "";
  /** True for the first item of a list. */
  let isFirst = false;

  function closeDownTo(count: number): string {
    return open
      .splice(count)
      .reverse()
      .map((list) => `</li></${list}>`)
      .join("");
  }

  function item(list: string, depth: number, attributes: string): string {
    let closed = closeDownTo(isFirst && depth === 0 ? 0 : depth + 1);
    isFirst = false;
    if (open.length > depth && open.at(-1) === list) return `${closed}</li><li${attributes}>`;
    closed += closeDownTo(depth);
    const outermost = open.length === 0 ? listAttributes : "";
    open.push(list);
    return `${closed}<${list}${outermost}><li${attributes}>`;
  }

  return source.replace(
    TAG,
    (tag, opened: string | undefined, rest = "", closed: string | undefined, at: number) => {
      const end = at + tag.length;
      if (opened === "li") {
        const kind = BY_KIND.exec(rest)?.[1];
        const boxOfItem = BOXES[kind ?? ""] ?? box;
        if (written === null) return tag + boxOfItem;
        const list = kind === undefined ? written : kind === "ordered" ? "ol" : "ul";
        return item(list, Number(INDENT.exec(rest)?.[1] ?? 0), rest) + boxOfItem;
      }
      if (opened !== undefined) {
        if (!flat.has(at)) return tag;
        const ofQuill1 = isQuill1 ? OF_QUILL_1.exec(rest) : null;
        const isOfQuill2 = rest.length <= MAX_ATTRIBUTES && followsAt(FIRST_BY_KIND, source, end);
        if (ofQuill1 === null && !isOfQuill2) return tag;
        written = opened;
        listAttributes = rest;
        isFirst = true;
        const isDone = ofQuill1?.[1];
        box = isDone === undefined ? "" : isDone === "true" ? DONE : OPEN;
        return "";
      }
      if (written === null) return tag;
      if (closed === "li") return "";
      written = null;
      box = "";
      return isQuill1 && followsAt(MORE_INDENTED, source, end) ? "" : closeDownTo(0);
    },
  );
}
