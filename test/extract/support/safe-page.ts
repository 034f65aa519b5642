/** A browser's view of HTML: parse5 reads it by the standard, independently of Vitrine's parser. */
import { type DefaultTreeAdapterMap, parseFragment } from "parse5";

type Node = DefaultTreeAdapterMap["childNode"];

const ELEMENTS = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p br hr blockquote pre code kbd samp ul ol li dl dt dd table thead tbody tfoot tr th td " +
    "caption a img figure figcaption b strong i em u s del ins mark small sub sup abbr cite q span div ruby rt rp"
  ).split(" "),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title", "rel"],
  img: ["src", "alt", "title", "width", "height"],
  abbr: ["title"],
  th: ["colspan", "rowspan", "scope"],
  td: ["colspan", "rowspan", "scope"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
};
/** Of any element. */
const TEXT_ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  dir: /^(ltr|rtl|auto)$/,
  lang: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/,
};
/** Twice Vitrine's limit: a browser adds `<tbody>` and reopens `<b>` in each cell. */
const MAX_DEPTH = 200;
const PAGE = "https://page.example/a/b";

function attributeProblems(element: string, name: string, value: string): string[] {
  const said = `<${element} ${name}=${JSON.stringify(value.slice(0, 80))}>`;
  const values = TEXT_ATTRIBUTES[name];
  if (values !== undefined) return values.test(value) ? [] : [said];
  if (!ATTRIBUTES[element]?.includes(name)) return [said];
  if (/span$/.test(name) && !(Number(value) <= 100)) return [said];
  if (name !== "href" && name !== "src") return [];
  const schemes = name === "src" ? /^https?:$/ : /^(https?|mailto|tel):$/;
  const url = URL.parse(value, PAGE);
  if (url === null || !schemes.test(url.protocol) || url.username !== "" || url.password !== "")
    return [said];
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(value);
  return isRelative && url.host !== new URL(PAGE).host ? [said] : [];
}

function nodeProblems(node: Node, depth: number): string[] {
  if (node.nodeName === "#text") return [];
  if (!("tagName" in node)) return [node.nodeName];
  const problems = ELEMENTS.has(node.tagName) ? [] : [`<${node.tagName}>`];
  if (node.namespaceURI !== "http://www.w3.org/1999/xhtml") problems.push(node.namespaceURI);
  if (depth > MAX_DEPTH) problems.push(`<${node.tagName}> at depth ${depth}`);
  return [
    ...problems,
    ...node.attrs.flatMap(({ name, value }) => attributeProblems(node.tagName, name, value)),
  ];
}

export interface Page {
  /** What the page must not contain, at most ten. */
  readonly problems: readonly string[];
  readonly text: string;
}

export function readPage(html: string): Page {
  const problems: string[] = [];
  let text = "";
  const open: { node: Node; depth: number }[] = parseFragment(html)
    .childNodes.map((node) => ({ node, depth: 1 }))
    .reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (problems.length < 10) problems.push(...nodeProblems(node, depth));
    if ("value" in node) text += node.value;
    const children = "childNodes" in node ? node.childNodes : [];
    for (const child of [...children].reverse()) open.push({ node: child, depth: depth + 1 });
  }
  return { problems, text };
}
