/** The shortcut for simple HTML gives the same bytes as the sanitiser. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanHtml } from "../../src/extract/html.ts";
import { cleanSimpleHtml } from "../../src/extract/simple-html.ts";

const NAMES = [
  ...["p", "ul", "ol", "li", "h2", "blockquote", "br", "hr", "a", "strong", "em", "span", "code"],
  ...["pre", "div", "table", "td", "dl", "dd", "script", "x", "img", "P", "body"],
];
const HREFS = [
  ...["/docs/", "/", "", "//evil.example", "https://shop.example", "https://shop.example/a/../b"],
  ...[
    "https://..",
    "http://1.2/x",
    "javascript:alert(1)",
    "a b",
    "mailto:a@b.example",
    "https://x/?a=1&b=2",
    "#top",
  ],
];

const words = fc.constantFrom(
  "Hello",
  " two\n words ",
  "\n",
  "é 請求書",
  "a\tb",
  "&amp;",
  "&#0;",
  "<",
  ">",
  "\"'",
  " ",
);
const start = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom("", "", "", " ", "/", " /", " class='x'"))
  .map(([name, rest]) => `<${name}${rest}>`);
const end = fc.constantFrom(...NAMES).map((name) => `</${name}>`);
const link = fc.constantFrom(...HREFS).map((href) => `<a href="${href}">x</a>`);
const properly = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    words,
    link,
    fc
      .tuple(fc.constantFrom(...NAMES.slice(0, 13)), fc.array(tie("tree"), { maxLength: 4 }))
      .map(([name, inner]) => `<${name}>${inner.join("")}${["br", "hr"].includes(name) ? "" : `</${name}>`}`),
  ),
})).tree;

/** A comment shows nothing, but makes HTML not simple. */
function sanitised(source: string) {
  return cleanHtml(`<!---->${source}`);
}

describe("simple HTML", () => {
  it("passes the shortcut with the sanitiser's bytes, whatever is in it", () => {
    let simple = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(properly, properly, start, end, words, link), { maxLength: 5 }),
        (pieces) => {
          const source = pieces.join("");
          if (cleanSimpleHtml(source) !== null) simple += 1;
          expect(cleanHtml(source)).toEqual(sanitised(source));
        },
      ),
      { numRuns: 2000 },
    );
    expect(simple).toBeGreaterThan(200);
  });

  it("includes the HTML that editors write", () => {
    const written =
      '<h3>Good to know</h3>\n<p>One <strong>thing</strong>,<br>done <em>well</em>: <a href="/docs/">more</a>.</p>' +
      "<ul><li>Undo</li><li>Roles<ol><li>First</li></ol></li></ul><hr/><blockquote><p>Yes</p></blockquote>";
    expect(cleanSimpleHtml(written)).toEqual(sanitised(written));
  });

  it.each([
    "<p>a<p>b",
    "<p>a<ul><li>b</li></ul></p>",
    "<p onclick=x>a</p>",
    "a &lt; b",
    '<a href="javascript:x">a</a>',
    "<script>x</script>",
    "</p>",
    "<p/>",
    "<B>x</B>",
    "<b>".repeat(21) + "</b>".repeat(21),
  ])("is not %s", (html) => {
    expect(cleanSimpleHtml(html)).toBeNull();
  });
});
