/**
 * HTML of the catalog as elements of this page: only elements of an allow-list, links to http(s) and images from origins
 * that the page's policy names. The result is built node by node; no text ever becomes markup.
 */
import type { ComponentChildren, VNode } from "preact";
import { createElement, Fragment } from "preact";

interface HtmlPolicy {
  createHTML(text: string): string;
}
declare const trustedTypes:
  | { createPolicy(name: string, rules: { createHTML(text: string): string }): HtmlPolicy }
  | undefined;

// HTML is only given to a parser, and its document runs no script.
const policy: HtmlPolicy =
  typeof trustedTypes === "undefined"
    ? { createHTML: (text) => text }
    : trustedTypes.createPolicy("vitrine-html", { createHTML: (text) => text });

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Elements that are kept, with their writing direction, language and numbers only. */
const ELEMENTS = words(
  "p div br strong em b i u s del ins code kbd samp pre blockquote q cite abbr ul ol li hr sub sup small mark ruby rt rp " +
    "table caption thead tbody tfoot tr th td dl dt dd figure figcaption",
);
const ATTRIBUTES = ["dir", "lang", "start", "type", "reversed", "value", "colspan", "rowspan"];
/** Elements that are removed with their content. */
const DROPPED = words("script style template iframe object embed svg math title");
/** Deeper nesting is flattened, because hostile markup may be nested without limit. */
const MOST_DEEP = 40;

function webAddress(written: string | null, base: string): URL | null {
  if (written === null || written === "") return null;
  const url = URL.canParse(written, base) ? new URL(written, base) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function linkOf(element: Element, base: string, children: ComponentChildren): VNode {
  const url = webAddress(element.getAttribute("href"), base);
  if (url === null) return <>{children}</>;
  return (
    <a href={url.href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

interface Around {
  readonly base: string;
  /** Origins that images may come from. */
  readonly hosts: readonly string[];
  /** The element for every heading of a text: one level below the heading of the page above it. */
  readonly heading: string;
}

function imageOf(element: Element, { base, hosts }: Around): VNode | null {
  const url = webAddress(element.getAttribute("src"), base);
  if (url === null || !hosts.includes(url.origin)) return null;
  const alt = element.getAttribute("alt") ?? "";
  return <img src={url.href} alt={alt} loading="lazy" decoding="async" referrerpolicy="no-referrer" />;
}

function nodesOf(parent: Node, around: Around, depth: number): ComponentChildren[] {
  return Array.from(parent.childNodes, (node, key) => {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    if (!(node instanceof Element)) return null;
    const name = node.localName;
    if (DROPPED.has(name)) return null;
    if (name === "img") return imageOf(node, around);
    if (depth > MOST_DEEP) return node.textContent;
    const children = nodesOf(node, around, depth + 1);
    if (name === "a") return linkOf(node, around.base, children);
    const tag = /^h[1-6]$/.test(name) ? around.heading : ELEMENTS.has(name) ? name : Fragment;
    const kept = tag === Fragment ? [] : ATTRIBUTES.filter((attribute) => node.hasAttribute(attribute));
    const attributes = Object.fromEntries(kept.map((attribute) => [attribute, node.getAttribute(attribute)]));
    return createElement(tag as string, { key, ...attributes }, ...children);
  });
}

/** Origins that the page's policy allows for images. */
function allowedHosts(): string[] {
  const text = document.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "";
  return (/img-src ([^;]*)/.exec(text)?.[1] ?? "").split(" ").filter((word) => word.startsWith("http"));
}

/** `base`: the address that links and images are relative to; `level`: of its headings. */
export function SafeHtml({ html, base, level = 2 }: { html: string; base: string; level?: number }) {
  const { body } = new DOMParser().parseFromString(policy.createHTML(html), "text/html");
  const around = { base, hosts: allowedHosts(), heading: `h${level}` };
  return (
    <div class="prose" dir="auto">
      {nodesOf(body, around, 0)}
    </div>
  );
}
