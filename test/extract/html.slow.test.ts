import fc from "fast-check";
import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { boundedTokenizer, MAX_DEPTH } from "../../src/extract/bounded-tokenizer.ts";
import { cleanHtml } from "../../src/extract/html.ts";
import { anyCharacter } from "../support/any-character.ts";
import { SCRIPTS, SHAPES } from "./support/hostile-texts.ts";
import { readPage } from "./support/safe-page.ts";

/** What grows with the square of this takes longer than a test may. */
const LARGE = 250_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u;

describe("the plain text of HTML", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["has an empty line between paragraphs", "<p>One\n two</p><p>three</p>", "One two\n\nthree"],
    ["has headings as written", "<h2>What you get</h2><p>x</p>", "What you get\n\nx"],
    ["breaks lines like the HTML", "a<br>b<br/><br>c", "a\nb\n\nc"],
    ["breaks lines between blocks", "<div>a</div><div>b</div>c", "a\nb\nc"],
    ["keeps inline elements in their line", "a <b>b</b><i>c</i> <code>d</code>", "a bc d"],
    ["marks items", "x<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>y", "x\n\n* a\n* b\n  * c\n\ny"],
    ["numbers items", "<ol><li>a<li>b</ol><ol><li>c</ol>", "1. a\n2. b\n\n1. c"],
    ["aligns an item's further lines with its first", "<ul><li><p>a</p><p>b</p></ul>", "* a\n\n  b"],
    ["puts a tab between cells", "<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a\tb\nc\td"],
    ["marks quotes", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"],
    ["keeps the white space of preformatted text", "<pre>a\n  b\n\nc</pre>", "a\n  b\n\nc"],
    ["has no link's target and no picture", "<a href='/x'>x</a><img src='/y' alt='y'>", "x"],
    ["has terms and definitions on separate lines", "<dl><dt>a<dd>b</dl>", "a\nb"],
    ["draws a rule", "a<hr>b", "a\n\n---\n\nb"],
    ["is not escaped", "&lt;b&gt; &amp;amp; &quot;x&quot; caf&eacute;", '<b> &amp; "x" café'],
    ["is empty if nothing is shown", "<p> </p><script>x</script><iframe>y</iframe>", ""],
    ["has no control character", "a\u0000b\r\nc\rd&#7;e\u009f", "ab c de"],
  ];
  it.each(cases)("%s", (_, html, text) => {
    expect(cleanHtml(html).text).toBe(text);
  });
});

describe("clean HTML", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["<a href='http:evil.example'>x</a>", "href", "http://evil.example/"],
    ["<a href='https:/\\evil.example/a b'>x</a>", "href", "https://evil.example/a%20b"],
    ["<a href='https:evil.example'>x</a>", "href", "https://evil.example/"],
    ["<a href='HTTPS://Shop.example/A'>x</a>", "href", "https://shop.example/A"],
    ["<a href='https://shop.example'>x</a>", "href", "https://shop.example"],
    ["<a href=' /cart?a=1#b '>x</a>", "href", "/cart?a=1#b"],
    ["<a href='mailto:ada@shop.example'>x</a>", "href", "mailto:ada@shop.example"],
    ["<img src='http:evil.example/x.png'>", "src", "http://evil.example/x.png"],
    ["<td colspan=20000>x", "colspan", "100"],
    ["<td colspan=3>x", "colspan", "3"],
    ["<img src='/x.png' width=99999999>", "width", "10000"],
  ];
  it.each(cases)("%s has %s=%s", (dirty, name, value) => {
    expect(cleanHtml(dirty).html).toContain(` ${name}="${value}"`);
  });

  const dropped = [
    ...[
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "java\tscript:x",
      "data:text/html,x",
      "ftp://x",
    ],
    ...["https://a:b@evil.example/", "https://shop.example@evil.example", "https://", `/${"a".repeat(3000)}`],
  ];
  it.each(dropped)("drops the address %j, keeps the words", (address) => {
    const { html, text } = cleanHtml(`<a href='${address}'>words</a>`);
    expect(html).toBe("<a>words</a>");
    expect(text).toBe("words");
  });

  it.each(SCRIPTS)("contains nothing that runs: %j", (script) => {
    for (const dirty of [script, `<p>${script}</p>`, `<table><tr><td>${script}`, `a${script}b`]) {
      const { html, text } = cleanHtml(dirty);
      expect(readPage(html).problems).toEqual([]);
      expect(html).not.toMatch(UNPRINTABLE);
      expect(text).not.toMatch(UNPRINTABLE);
      expect(readPage(cleanHtml(html).html).problems).toEqual([]);
    }
  });

  it("contains only allowed elements and attributes, whatever the input", { timeout: 300_000 }, () => {
    const names =
      "p b a ul li table tr td pre blockquote svg math style script title textarea option select form iframe noscript x";
    const name = fc.constantFrom(...names.split(" "));
    const word = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(" ", "\n", "&lt;", "&#0;", "-->", "]]>", "'"),
    );
    const attribute = fc
      .tuple(fc.constantFrom("href", "src", "title", "onclick", "colspan", "style"), word)
      .map(([key, value]) => ` ${key}='${value}'`);
    const tag = fc
      .tuple(name, fc.array(attribute, { maxLength: 3 }), fc.constantFrom("", "/"))
      .map(([element, attributes, end]) => `<${element}${attributes.join("")}${end}>`);
    const piece = fc.oneof(
      tag,
      name.map((element) => `</${element}>`),
      word,
      fc.constantFrom(...SCRIPTS),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { html, text } = cleanHtml(pieces.join(""));
        expect(readPage(html).problems).toEqual([]);
        expect(html + text).not.toMatch(UNPRINTABLE);
      }),
      { numRuns: 600 },
    );
  });

  it("has the same words in plain text as a browser shows", { timeout: 120_000 }, () => {
    const piece = fc.constantFrom(
      ...[
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<ul><li>",
        "</ul>",
        "<br>",
        "<table><tr><td>",
        "</table>",
        "<pre>",
        "</pre>",
      ],
      ...["one", "two ", " three", "&amp;", "&lt;", "\n", "<div>", "</div>", "<blockquote>", "</blockquote>"],
    );
    const wordsOf = (text: string) => text.replace(/[\s>*]/g, "");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { html, text } = cleanHtml(pieces.join(""));
        expect(wordsOf(text)).toBe(wordsOf(readPage(html).text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a quarter of a megabyte", () => {
  it.each(Object.entries(SHAPES))("of %s is sanitised, and grows by at most a constant factor", (_, make) => {
    const dirty = make(LARGE);
    const { html, text } = cleanHtml(dirty);
    expect(html.length).toBeLessThan(dirty.length * 6 + 1000);
    expect(text.length).toBeLessThan(dirty.length * 6 + 1000);
    expect(readPage(html.slice(0, 100_000).replace(/<[^>]*$/, "")).problems).toEqual([]);
  });

  it.each(Object.entries(SHAPES))("of %s never opens more elements than the limit", (_, make) => {
    const document = { source: make(LARGE), depth: 0 };
    let deepest = 0;
    let events = 0;
    const parser = new Parser(
      {
        onopentag: () => {
          document.depth += 1;
          events += 1;
          deepest = Math.max(deepest, document.depth);
        },
        onclosetag: () => {
          document.depth -= 1;
          events += 1;
        },
        ontext: () => {
          events += 1;
        },
      },
      { Tokenizer: boundedTokenizer(document, new Set(["style"])) },
    );
    parser.end(document.source);
    expect(deepest).toBeLessThanOrEqual(MAX_DEPTH + 2);
    expect(events).toBeLessThanOrEqual(document.source.length + 1);
    expect(document.depth).toBeLessThanOrEqual(0);
  });

  it("keeps the place of content after a part that was too deep", () => {
    const deep = `${"<div>".repeat(150)}x${"</div>".repeat(150)}`;
    const { html, text } = cleanHtml(`<ul><li>${deep}after</li></ul><p>end</p>`);
    expect(html).toMatch(/<\/div>after<\/li><\/ul><p>end<\/p>$/);
    expect(text).toBe("* x\n  after\n\nend");
  });

  it("shows nothing hidden, however deep it is", () => {
    const deep = `${"<div>".repeat(150)}<script>alert(1)</script><style>b{}</style><p onclick=x>shown`;
    const { html, text } = cleanHtml(deep);
    expect(text).toBe("shown");
    expect(html).not.toContain("alert");
  });
});
