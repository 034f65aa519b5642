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

/** Tags of elements that end before they begin, end in another's place, or never end. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (tag.endsWith(" />")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) wrong.push(tag);
  }
  return [...wrong, ...open];
}

/** As CKEditor 48.5 stores it. */
const TASK =
  '<ul class="todo-list"><li data-list-item-id="e1"><label class="todo-list__label"><input type="checkbox" checked="checked" ' +
  'disabled="disabled"><span class="todo-list__label__description">Done</span></label></li></ul>';

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
    ["goes on counting where a list does", "<ol start=4><li>a<li value=7>b<li>c</ol>", "4. a\n7. b\n8. c"],
    ["has no numbers in a reversed list", "<ol reversed><li>a<li>b</ol>", "* a\n* b"],
    ["parts blocks of any name", "<section>Steel</section><address>Berlin</address>x", "Steel\nBerlin\nx"],
    ["parts a question from its answer", "<details><summary>Why?</summary>So</details>", "Why?\nSo"],
    ["has the address of a film alone in its line", "a<audio src=/f></audio>b", "a\n/f\nb"],
    ["does not count a hidden item", "<ol><li>a<li hidden>b<li>c</ol>", "1. a\n2. c"],
    ["draws no hidden rule and breaks no line", "a<hr hidden>b<br style='display:none'>c", "abc"],
    ["draws nothing of a hidden part", "a<div hidden>b<hr><table><td>c</table></div>d", "ad"],
    ["has no box that is hidden", "<input type=checkbox hidden>a", "a"],
    ["parts a task of CKEditor 5 from its box", TASK, "* ☑ Done"],
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
    ["<a href='tel:+49-30-1234'>x</a>", "href", "tel:+49-30-1234"],
    ["<a href='//shop.example/a'>x</a>", "href", "https://shop.example/a"],
    ["<img src='data:image/gif;base64,R0lG' data-src='/a.jpg'>", "src", "/a.jpg"],
    ["<img data-lazy-src='//cdn.example/a.jpg' src=''>", "src", "https://cdn.example/a.jpg"],
    ["<img class=lazy data-original='/a.jpg'>", "src", "/a.jpg"],
    ["<img src='data:image/gif;base64,R0lG' data-srcset=' /a,b.jpg 1x, /c.jpg 2x'>", "src", "/a,b.jpg"],
    ["<img srcset='/a.jpg, /c.jpg 2x'>", "src", "/a.jpg"],
    ["<img src='/small.jpg' data-src='/large.jpg'>", "src", "/small.jpg"],
    ["<img src='http:evil.example/x.png'>", "src", "http://evil.example/x.png"],
    ["<td colspan=20000>x", "colspan", "100"],
    ["<td colspan=3>x", "colspan", "3"],
    ["<img src='/x.png' width=99999999>", "width", "10000"],
  ];
  it.each(cases)("%s has %s=%s", (dirty, name, value) => {
    expect(cleanHtml(dirty).html).toContain(` ${name}="${value}"`);
  });

  const QUILL = (kind: string, text: string, rest = "") =>
    `<li data-list="${kind}"${rest}><span class="ql-ui" contenteditable="false"></span>${text}</li>`;
  const said: readonly (readonly [string, string, string])[] = [
    ["parts blocks", "<section>a</section><center>b</center>", "<div>a</div><div>b</div>"],
    ["lets a question be asked", "<details><summary>a</summary>b</details>", "<div><div>a</div>b</div>"],
    ["keeps old lists", "<menu><li>a</menu><dir><li>b</dir>", "<ul><li>a</li></ul><ul><li>b</li></ul>"],
    ["strikes out", "<strike>19.90</strike> 9.90", "<s>19.90</s> 9.90"],
    ["writes code", "<tt>a</tt><listing>b</listing>", "<code>a</code><pre>b</pre>"],
    ["explains", "<acronym title='x'>a</acronym><dfn>b</dfn>", '<abbr title="x">a</abbr><i>b</i>'],
    [
      "strikes out by a style",
      "<span style='color:red; text-decoration: line-through;'>1</span>",
      "<s>1</s>",
    ],
    ["underlines by a style", "<span style='TEXT-DECORATION: UNDERLINE'>1</span>", "<u>1</u>"],
    ["is bold by a style", "<span style='font-weight:700;font-style:normal'>1</span>", "<b>1</b>"],
    ["is slanted by a style", "<span style='font-style: italic !important'>1</span>", "<i>1</i>"],
    ["is high by a style", "m<span style='vertical-align: super'>2</span>", "m<sup>2</sup>"],
    [
      "is not bold by a style",
      "<b style='font-weight:normal'>1<i style='font-style:normal'>2</i></b>",
      "<span>1<span>2</span></span>",
    ],
    [
      "goes on counting",
      "<ol start=4 type=a><li>a<li value=7>b</ol>",
      '<ol start="4" type="a"><li>a</li><li value="7">b</li></ol>',
    ],
    ["counts down", "<ol reversed><li>a</ol>", '<ol reversed="reversed"><li>a</li></ol>'],
    ["reads from the right", "<p dir=RTL lang=he onclick=x>a</p>", '<p dir="rtl" lang="he">a</p>'],
    ["reads by its own letters", "<bdi>a</bdi>", '<span dir="auto">a</span>'],
    ["says how a word is read", "<ruby>漢<rt>kan</rt></ruby>", "<ruby>漢<rt>kan</rt></ruby>"],
    ["shows what is done", "<li><input type=checkbox checked disabled> a", "<li><span>☑ </span> a</li>"],
    ["shows what is not done", "<input type=checkbox>a<input value=x>", "<span>☐ </span>a"],
    [
      "has bullets of Quill",
      `<ol>${QUILL("bullet", "a")}${QUILL("bullet", "b")}</ol>`,
      "<ul><li><span></span>a</li><li><span></span>b</li></ul>",
    ],
    [
      "has lists of Quill in lists",
      `<ol>${QUILL("bullet", "a")}${QUILL("ordered", "b", ' class="ql-indent-1"')}${QUILL("ordered", "c")}</ol><ol><li>d</li></ol>`,
      "<ul><li><span></span>a<ol><li><span></span>b</li></ol></li></ul><ol><li><span></span>c</li></ol><ol><li>d</li></ol>",
    ],
    [
      "has lists of Quill 1.3.7 in lists",
      '<ul><li>a</li><li class="ql-indent-1">b</li></ul><ol><li class="ql-indent-2">c</li><li>d</li></ol><ul><li class="ql-direction-rtl ql-align-right ql-indent-1">e</li></ul><p>f</p><ul><li>g</li></ul>',
      '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul><ol><li>d<ul><li dir="rtl">e</li></ul></li></ol><p>f</p><ul><li>g</li></ul>',
    ],
    [
      "begins a list of Quill 1 where it does",
      '<ol><li>a</li></ol><ul><li class="ql-indent-1">b</li></ul><ol><li>c</li></ol>',
      "<ol><li>a<ul><li>b</li></ul></li></ol><ol><li>c</li></ol>",
    ],
    [
      "leaves lists in lists as they are",
      '<ol start="4"><li>a<ul><li class="ql-indent-1">b</li></ul></li></ol>',
      '<ol start="4"><li>a<ul><li>b</li></ul></li></ol>',
    ],
    [
      "leaves a hidden list beside one of Quill 1 hidden",
      '<ul hidden><li>a</li></ul><ul><li>b</li><li class="ql-indent-1">c</li></ul><ul style="display: none"><li class="ql-indent-1">d</li></ul>',
      "<ul><li>b<ul><li>c</li></ul></li></ul>",
    ],
    [
      "leaves a list that counts on beside tasks of Quill 1 as it is",
      '<ul data-checked="true"><li>a</li></ul><ol start="3" type="a"><li>b</li></ol>',
      '<ul><li>☑ a</li></ul><ol start="3" type="a"><li>b</li></ol>',
    ],
    [
      "leaves a hidden list of Quill 2 hidden, also where its kind changes",
      '<ol hidden><li data-list="bullet">a</li><li data-list="ordered">b</li></ol>c',
      "c",
    ],
    [
      "leaves a list in a list with items of Quill 2 as it is",
      '<ol><li data-list="bullet">a<ul hidden><li>b</li></ul></li></ol><ol><li data-list="bullet">c</li></ol>',
      "<ol><li>a</li></ol><ul><li>c</li></ul>",
    ],
    ["has tasks of Quill 1", '<ul data-checked="false"><li>a</li></ul>', "<ul><li>☐ a</li></ul>"],
    [
      "has lists of Quill whose attributes another program has put in order",
      '<ol class="x"> <li class="ql-direction-rtl" data-list="bullet">a</li> <li class="ql-indent-1" data-list="ordered">b</li></ol>',
      ' <ul><li dir="rtl">a <ol><li>b</li></ol></li></ul>',
    ],
    ["has tasks of Quill's own export", '<ul><li data-list="checked">a</li></ul>', "<ul><li>☑ a</li></ul>"],
    ["has tasks of Quill", `<ol>${QUILL("checked", "a")}</ol>`, "<ul><li>☑ <span></span>a</li></ul>"],
    [
      "reads from the right by Quill",
      '<p class="ql-align-right ql-direction-rtl">a</p>',
      '<p dir="rtl">a</p>',
    ],
    [
      "shows an image of any page",
      "<img src='//cdn.example/a.jpg'>",
      '<img src="https://cdn.example/a.jpg" />',
    ],
    [
      "links to a film",
      "<video title='How it works' src='//films.example/embed/1'>x</video>",
      '<a href="https://films.example/embed/1" rel="nofollow noopener">How it works</a>',
    ],
    [
      "links to a film by its address",
      "<figure><oembed url='https://films.example/1'></oembed></figure>",
      '<figure><a href="https://films.example/1" rel="nofollow noopener">https://films.example/1</a></figure>',
    ],
    [
      "links to the file of a film",
      "<video controls> <source src='/a.mp4'> </video>",
      '<a href="/a.mp4" rel="nofollow noopener">/a.mp4</a>',
    ],
    ["has no frame", "a<iframe src='https://films.example/1'>x</iframe>", "a"],
    [
      "links to a film of YouTube",
      '<iframe class="ql-video" src="https://www.youtube.com/embed/M7lc1UVf-VE?rel=0" title="YouTube video player">x <b>y</b></iframe>a',
      '<a href="https://www.youtube.com/watch?v=M7lc1UVf-VE" rel="nofollow noopener">https://www.youtube.com/watch?v=M7lc1UVf-VE</a>a',
    ],
    [
      "links to a list of films",
      "<iframe src='about:blank' data-src='//www.youtube-nocookie.com/embed/videoseries?list=PL12' title='How to'></iframe>",
      '<a href="https://www.youtube.com/playlist?list=PL12" rel="nofollow noopener">How to</a>',
    ],
    [
      "links to a film of Vimeo",
      "<iframe src='https://player.vimeo.com/video/12?dnt=1&amp;h=ab' title='vimeo-player'></iframe>",
      '<a href="https://vimeo.com/12/ab" rel="nofollow noopener">https://vimeo.com/12/ab</a>',
    ],
    [
      "has no link to another form of a picture",
      "<picture><source srcset='/a.webp' type='image/webp'><source data-srcset='/a.avif'><img src='/a.jpg'></picture>",
      '<img src="/a.jpg" />',
    ],
    [
      "links once to a film that loads late",
      "<iframe src='about:blank' data-lazy-src='https://player.vimeo.com/video/1'></iframe><noscript><iframe src='https://player.vimeo.com/video/1'></iframe></noscript>",
      '<a href="https://vimeo.com/1" rel="nofollow noopener">https://vimeo.com/1</a>',
    ],
    [
      "shows an image that loads late once",
      "<img class='lazy' src='data:image/gif;base64,AA' data-src='/a.jpg'><noscript><img src='/a.jpg'>b<img src='/c.jpg'></noscript><img src='/a.jpg'>",
      '<img src="/a.jpg" />b<img src="/c.jpg" /><img src="/a.jpg" />',
    ],
    ["hides what is hidden", "<p hidden>a</p><p style='color:red;display: none'>b<b>c</b></p>d", "d"],
    [
      "hides what nobody sees",
      "<span style='visibility:hidden'>a</span><template>b</template><title>c</title>d",
      "d",
    ],
    ["ends what follows a hidden part", "<p hidden>a</p><p>b<br>c</p>", "<p>b<br />c</p>"],
    ["ends what ends a hidden part", "<ul><li hidden>a<li><b>b</b></ul>c", "<ul><li><b>b</b></li></ul>c"],
    [
      "ends what follows a hidden row",
      "<table><tr hidden><td>a<tr><td>b",
      "<table><tr><td>b</td></tr></table>",
    ],
    ["shows what follows a hidden void element", "a<br hidden>b<input hidden>c<wbr hidden>d", "abcd"],
    ["hides the rest of a part that never ends", "a<div hidden>b<p>c</p><p>d", "a"],
    ["hides in spite of spaces", "<p style='display : none ! important'>a</p>b", "b"],
    [
      "has one link for the files of a film",
      "<video><source src='/a.webm'><source src='/a.mp4'><p>Get <a href='/a.mp4'>it</a></p></video>b",
      '<a href="/a.webm" rel="nofollow noopener">/a.webm</a>b',
    ],
    [
      "has no film in a film",
      "<video src='/a'><b>x</b><img src='/y'><audio src='/b'></audio></video>c",
      '<a href="/a" rel="nofollow noopener">/a</a>c',
    ],
    [
      "has no link in a link",
      "<a href='/a'>x <b><video src='/b'></video></b></a><oembed url='/c'></oembed>",
      '<a href="/a" rel="nofollow noopener">x <b><span>/b</span></b></a><a href="/c" rel="nofollow noopener">/c</a>',
    ],
    ["ends a paragraph as a browser does", "<p>a<center>b</center>c", "<p>a</p><div>b</div>c<p></p>"],
    [
      "ends a paragraph at an old list",
      "<b><p>a&#7;<menu><li>b</menu></b>",
      "<b><p>a</p><ul><li>b</li></ul><p></p></b>",
    ],
    [
      "hides a hidden film and picture",
      "<audio hidden src='/f'></audio><img src='/i' style='display:none'>d",
      "d",
    ],
  ];
  it.each(said)("%s", (_, dirty, html) => {
    expect(cleanHtml(dirty).html).toBe(html);
    expect(cleanHtml(html).html).toBe(html);
    expect(readPage(html).problems).toEqual([]);
  });

  const opened: readonly (readonly [string, string])[] = [
    ["a tab of Elementor", "<div id='elementor-tab-content-12' role='tabpanel' hidden='hidden'>a</div>"],
    ["an accordion of jQuery", "<div class='ui-accordion-content' style='display: none;'>a</div>"],
    ["the rest behind Read more", "<div class='read_div' id='read1' style='display:none'>a</div>"],
    ["a panel without a name", "<div role=tabpanel hidden>a</div>"],
    ["what a page's search opens", "<div hidden=until-found>a</div>"],
    ["what a tab labels", "<div aria-labelledby=tab1 hidden>a</div>"],
    ["what fades in", "<div class='wow fadeIn' style='visibility: hidden'>a</div>"],
    ["what only screen readers skip", "<div aria-hidden=true>a</div>"],
    ["what is folded", "<dialog>a</dialog>"],
  ];
  it.each(opened)("keeps what the shop's page shows after a click: %s", (_, dirty) => {
    expect(cleanHtml(dirty)).toEqual({ html: "<div>a</div>", text: "a" });
  });

  const closed: readonly (readonly [string, string])[] = [
    ["a sentence", "<p style='display:none'>Old offer</p>"],
    ["a sentence with empty names", "<p id='' class=' ' hidden>Old offer</p>"],
    ["text of Word", "<p class=MsoNormal style='display:none'>a</p>"],
    ["hidden text of Word", "<span class=x style='mso-hide:all;display:none'>a</span>"],
    ["a counter of visits", "<img class=pixel src='/p.gif' style='display:none'>"],
  ];
  it.each(closed)("leaves out what the shop's page never shows: %s", (_, dirty) => {
    const told: string[] = [];
    const ports = { isShown: () => true, onLeftOut: (name: string) => told.push(name) };
    expect(cleanHtml(dirty, ports)).toEqual({ html: "", text: "" });
    expect(told).toHaveLength(1);
  });

  it("tells of each frame that it leaves out", () => {
    const told: string[] = [];
    const map = "<iframe src='https://www.google.com/maps/embed?pb=1'><iframe>x</iframe>";
    const ports = { isShown: () => true, onLeftOut: (name: string) => told.push(name) };
    expect(cleanHtml(`a${map}<iframe style='display:none'></iframe><embed src='/a'>b`, ports).text).toBe(
      "ab",
    );
    expect(told).toEqual(["iframe", "iframe"]);
  });

  it("tells of no image that a script loads", () => {
    const told: string[] = [];
    const ports = { isShown: () => true, onLostImage: (address: string) => told.push(address) };
    cleanHtml("<img src='data:image/gif;base64,AA' data-src='/a.jpg'>", ports);
    expect(told).toEqual([]);
  });

  it("tells of an image that cannot be public, and of what it hides", () => {
    const told: string[] = [];
    cleanHtml("<img src='data:image/png;base64,AA'><img src=''><img src='/a'><div hidden>x</div>", {
      isShown: () => true,
      onLostImage: (address) => told.push(address),
      onLeftOut: (name) => told.push(name),
    });
    expect(told).toEqual(["data:image/png;base64,AA", "div"]);
  });

  const dropped = [
    ...["//", "/\\evil.example", "\\\\evil.example", "java\tscript:x", "data:text/html,x", "ftp://x"],
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
      "p b a ul ol li table tr td pre blockquote svg math style script title textarea option select form iframe noscript x " +
      "br hr img input video audio source oembed center menu listing template span bdi";
    const name = fc.constantFrom(...names.split(" "));
    const word = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(" ", "\n", "&lt;", "&#0;", "-->", "]]>", "'", "display:none", "/a", "checkbox"),
    );
    const attribute = fc
      .tuple(
        fc.constantFrom(
          "href",
          "src",
          "title",
          "onclick",
          "colspan",
          "style",
          "start",
          "dir",
          "lang",
          "data-list",
          "hidden",
          "url",
          "type",
        ),
        word,
      )
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
        expect(unbalanced(html)).toEqual([]);
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
