/** The shop's HTML → HTML that is safe in any page, and its plain text. */
import { compile } from "html-to-text";
import sanitizeHtml from "sanitize-html";

/** Text structure, links and pictures; no script, style, form, frame or attribute that could run or phone home. */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "kbd", "samp"],
    ...["ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"],
    ...[
      "a",
      "img",
      "figure",
      "figcaption",
      "b",
      "strong",
      "i",
      "em",
      "u",
      "s",
      "del",
      "ins",
      "mark",
      "small",
    ],
    ...["sub", "sup", "abbr", "cite", "q", "span", "div"],
  ],
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
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }) },
};

const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
  ],
});

export interface SafeHtml {
  readonly html: string;
  readonly text: string;
}

/** `<p onclick=…>Hello <script>…</script><b>you</b></p>` → `{html: "<p>Hello <b>you</b></p>", text: "Hello you"}` */
export function cleanHtml(dirty: string): SafeHtml {
  const html = sanitizeHtml(dirty, OPTIONS);
  return { html, text: toText(html).trim() };
}
