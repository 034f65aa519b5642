/**
 * Lists as the editor Quill 2 stores them → lists of HTML. Quill writes bullets and numbers into one flat `<ol>`, tells them apart by
 * `data-list`, and nests them by a class:
 * `<ol><li data-list="bullet">a</li><li data-list="ordered" class="ql-indent-1">b</li></ol>` →
 * `<ul><li>a<ol><li>b</li></ol></li></ul>`
 */

/** Tags of lists; a list of Quill's begins with an item of Quill's. No `<` in a tag, so that the scan is linear. */
const TAG = /<ol>(?=<li data-list=")|<\/ol>|<li data-list="(\w+)"([^<>]*)>|<\/li>/g;
const INDENT = /\bql-indent-([1-8])\b/;
const BOXES: Readonly<Record<string, string>> = { checked: "☑ ", unchecked: "☐ " };

export function nestQuillLists(source: string): string {
  /** The open lists, outermost first, each with an open item; empty outside of a list of Quill's. */
  const open: ("ol" | "ul")[] = [];
  let isInside = false;

  function closeDownTo(count: number): string {
    return open
      .splice(count)
      .reverse()
      .map((list) => `</li></${list}>`)
      .join("");
  }

  function item(list: "ol" | "ul", depth: number): string {
    const closed = closeDownTo(depth + 1);
    if (open.length <= depth) {
      open.push(list);
      return `${closed}<${list}><li>`;
    }
    if (open.at(-1) === list) return `${closed}</li><li>`;
    const others = closeDownTo(depth);
    open.push(list);
    return `${closed}${others}<${list}><li>`;
  }

  return source.replace(TAG, (tag, kind: string | undefined, rest = "") => {
    if (tag === "<ol>") {
      isInside = true;
      return "";
    }
    if (!isInside) return tag;
    if (tag === "</li>") return "";
    if (tag === "</ol>") {
      isInside = false;
      return closeDownTo(0);
    }
    const list = kind === "ordered" ? "ol" : "ul";
    return item(list, Number(INDENT.exec(rest)?.[1] ?? 0)) + (BOXES[kind ?? ""] ?? "");
  });
}
