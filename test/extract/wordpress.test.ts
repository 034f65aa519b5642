/** Which parts of a WordPress text are public, by the grammars in wp-includes/class-wp-block-parser.php and shortcodes.php. */
import { describe, expect, it } from "vitest";
import { cleanHtml } from "../../src/extract/html.ts";
import { readWordpressText } from "../../src/extract/wordpress.ts";

const HIDDEN = '{"metadata":{"blockVisibility":false}}';

/** The words that become public, and the names of what was left out. */
function read(text: string): readonly [words: string, leftOut: string] {
  const { html, leftOut } = readWordpressText(text);
  const names = leftOut.map(({ kind, name, count }) => `${count} ${kind} ${name}`);
  return [cleanHtml(html).text.replace(/\s+/g, " "), names.join(", ")];
}

/** A block with words that must not be public, between words that are. */
function around(name: string, attributes = ""): string {
  return `In. <!-- wp:${name} ${attributes}${attributes && " "}-->CNRY<!-- /wp:${name} --> Out.`;
}

describe("blocks of a WordPress text", () => {
  it.each([
    ["<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --> B <!-- wp:separator /-->", "A B", ""],
    ['<!-- wp:core/heading {"level":3,"lock":{"move":true}} --><h3>A</h3><!-- /wp:core/heading -->', "A", ""],
    ['<!-- wp:core-embed/youtube {"url":"x"} -->A<!-- /wp:core-embed/youtube -->', "A", ""],
    [around("group", HIDDEN), "In. Out.", "1 block core/group"],
    [around("group", '{"metadata":{"\\u0062lockVisibility":false}}'), "In. Out.", "1 block core/group"],
    [around("restrict-content-pro/restrict"), "In. Out.", "1 block restrict-content-pro/restrict"],
    [
      around("woocommerce-memberships/member-content", '{"a":"x --> y \\u002d\\u002d\\u003e"}'),
      "In. Out.",
      "1 block woocommerce-memberships/member-content",
    ],
    [`A<!-- wp:image ${HIDDEN} /-->B<!-- wp:x/y /-->C`, "ABC", "1 block core/image, 1 block x/y"],
    [
      `<!-- wp:columns --><!-- wp:column --><!-- wp:html ${HIDDEN} -->CNRY<!-- /wp:html -->A<!-- /wp:column -->B<!-- /wp:columns -->C`,
      "ABC",
      "1 block core/html",
    ],
    [
      `<!-- wp:group ${HIDDEN} --><!-- wp:group -->CNRY<!-- /wp:group -->CNRY<!-- wp:x/y -->CNRY<!-- /wp:x/y --><!-- /wp:group -->A`,
      "A",
      "1 block core/group",
    ],
    // Unclosed: it reaches to the end of its parent, or of the text.
    [`A<!-- wp:group --><!-- wp:x/y -->CNRY<!-- /wp:group -->B`, "AB", "1 block x/y"],
    [`A<!-- wp:x/y -->CNRY<!-- wp:paragraph -->CNRY<!-- /wp:paragraph -->CNRY`, "A", "1 block x/y"],
    // Closed by a block that is not its parent, or by something that is not a delimiter.
    [`A<!-- wp:x/y -->CNRY<!-- /wp:group -->CNRY<!-- /wp:x/y -->B`, "AB", "1 block x/y"],
    [`A<!-- wp:x/y -->CNRY<!--/wp:x/y-->CNRY<!-- /wp:X/Y -->CNRY<!-- /wp:x/y -->B`, "AB", "1 block x/y"],
    [`<!-- /wp:group --><!-- wp:x/y -->CNRY<!-- /wp:x/y -->A`, "A", "1 block x/y"],
    // Malformed: they open a block, as the author meant, or more.
    [`A<!--wp:group ${HIDDEN}-->CNRY<!-- /wp:group -->B`, "AB", "1 block core/group"],
    [`A<!-- wp:group {"a":} -->CNRY<!-- /wp:group -->B`, "AB", "1 block core/group"],
    [`A<!-- wp:group {"a":1 -->CNRY<!-- /wp:group -->B`, "AB", "1 block core/group"],
    [`A<!-- wp:group ${HIDDEN} CNRY`, "A", "1 block core/group"],
    ["A<!-- wp:paragraph-->B<!-- /wp:paragraph -->", "AB", ""],
    ["A<!-- CNRY --><!--more-->B<!-->C", "ABC", ""],
  ])("%#: %s", (text, words, leftOut) => {
    expect(read(text)).toEqual([words, leftOut]);
  });

  it.each([
    { metadata: { blockVisibility: { viewport: { mobile: false } } } },
    { blockVisibility: { controlSets: [{ enable: true }] } },
    { blockVisibility: { hideBlock: true } },
    { visibility: "members" },
    { contentVisible: false },
    { advancedVisibility: true },
    { otterConditions: [[{ type: "loggedInUser" }]] },
    { conditionalBlocks: [{ type: "user" }] },
    { advgbBlockControls: [{ control: "schedule", enabled: true }] },
    { contentControls: { enabled: true } },
    { um_is_restrict: true },
    { um_who_access: 1 },
    { membersOnly: true },
    { showToMembers: false },
    { userRoles: ["customer"] },
    { editorskit: { loggedin: true, loggedout: false } },
    { a: [{ b: { restricted: "yes" } }] },
  ])("with the rule %j are left out", (attributes) => {
    expect(read(around("group", JSON.stringify(attributes)))).toEqual(["In. Out.", "1 block core/group"]);
  });

  it.each([
    { metadata: { name: "Top", blockVisibility: true } },
    { visibility: "visible", restricted: false, userRoles: [], conditions: {}, access: null, members: "" },
    { editorskit: { loggedin: true, loggedout: true, acf_visibility: "" } },
    { className: "members-only", isStackedOnMobile: false },
  ])("with %j are for everybody", (attributes) => {
    expect(read(around("group", JSON.stringify(attributes)))).toEqual(["In. CNRY Out.", ""]);
  });
});

describe("shortcodes of a WordPress text", () => {
  it.each<readonly [text: string, words: string, leftOut: unknown]>([
    ["Open. [restrict paid=1]CNRY[/restrict] End.", "Open. End.", "1 shortcode restrict"],
    [
      "[vc_row]Tools[/vc_row] [restrict]CNRY[/restrict] Open.",
      "Open.",
      "1 shortcode vc_row, 1 shortcode restrict",
    ],
    ...["_s2If", "2mem", "メンバー", "a.b", "é", "x:y", "a!"].map(
      (name): readonly [string, string, string] => [
        `A [${name} x="1"]CNRY[/${name}] B`,
        "A B",
        `1 shortcode ${name}`,
      ],
    ),
    ["A [a/b]CNRY[/a/b] [my tag]CNRY[/my tag] B", "A B", "1 shortcode a/b, 1 shortcode my tag"],
    ["A [a=1]CNRY[/a] [b/x]CNRY[/b] [c.d]CNRY[/c] [e]CNRY[/e ] [ f ]CNRY[/ f] B", "A B", expect.any(String)],
    ["A [Members]CNRY[/members] B [m]CNRY[/M]CNRY[/m] C", "A B C", expect.any(String)],
    ['A [r a="x]y" b]CNRY[/r] B', "A B", "1 shortcode r"],
    ["[r]CNRY[r]CNRY[/r]CNRY[/r] A", "A", "1 shortcode r"],
    ["[r]CNRY[r]CNRY[/r] A", "A", "1 shortcode r"],
    ["[r]CNRY[/r] A [r]CNRY[/r] B", "A B", "2 shortcode r"],
    ["[a]CNRY[b]CNRY[/a]CNRY[/b] C", "C", "1 shortcode a, 1 shortcode b"],
    ["A [r /]CNRY[/r] B", "A B", "1 shortcode r"],
    // Unclosed: only the tag is removed.
    ["A [products limit=4] B [x /] C [/stray] D", "A B C D", "1 shortcode products, 1 shortcode x"],
    ["A [r] B", "A B", "1 shortcode r"],
    // Core shortcodes.
    ['A [caption id="a" width="1"]<img src="/a.jpg"> B[/caption] [gallery ids="1,2"] C', "A B C", ""],
    ['[caption caption="Old words"]B[/caption]', "Old wordsB", ""],
    ["[embed]https://a.example/[/embed] [video src=x][/video]", "https://a.example/", ""],
    ["[caption]A [r]CNRY[/r] B[/caption]", "A B", "1 shortcode r"],
    ["[r]CNRY[caption]CNRY[/caption][/r] A", "A", "1 shortcode r"],
    // Escaped.
    ["[[foo a=1]] A", "[foo a=1] A", ""],
    ["[[foo]bar[/foo]] A", "[foo]bar[/foo] A", ""],
    ["[[r]] CNRY [/r] A", "A", "1 shortcode r"],
    ["[[r]CNRY[/r] A] B", "A] B", "1 shortcode r"],
    // Brackets that are not shortcodes.
    [
      "[1] […] [ ] [&hellip;] [text](https://a.example) a[",
      "[1] […] [ ] […] [text](https://a.example) a[",
      "",
    ],
    ["[1]CNRY[/1] A", "A", "1 shortcode 1"],
    // In elements, comments and blocks, where they neither pair with others nor end them.
    ['[r]CNRY<a title="[/r]">CNRY</a>[/r] A', "A", "1 shortcode r"],
    ["[r]CNRY<!-- [/r] -->CNRY[/r] A", "A", "1 shortcode r"],
    ['<a href="/?f[color]=red" title="[r]CNRY[/r]">A</a>', "A", "1 shortcode r"],
    ['<a title="[r]">CNRY[/r]A', "A", "1 shortcode r"],
    ["5 < 6 [r]CNRY[/r] A > B", "5 < 6 A > B", "1 shortcode r"],
    ["<p>[r]</p>CNRY<!-- wp:x/y -->[/r]<!-- /wp:x/y --> A", "A", "1 shortcode r"],
    ["<!-- wp:x/y -->[r]<!-- /wp:x/y -->CNRY[/r] A", "A", expect.any(String)],
    [`[r]CNRY<!-- wp:html ${HIDDEN} -->[/r]<!-- /wp:html -->CNRY[/r] A`, "A", "1 shortcode r"],
    ["<!-- wp:x/y -->[r]CNRY[/r]<!-- /wp:x/y -->A [r]CNRY[/r] B", "A B", "1 block x/y, 1 shortcode r"],
    [
      "<!-- wp:shortcode -->[r]<!-- /wp:shortcode -->CNRY<!-- wp:shortcode -->[/r]<!-- /wp:shortcode -->A",
      "A",
      "1 shortcode r",
    ],
    ["[r]CNRY[/r\u0001]CNRY[/r] A", "A", "1 shortcode r"],
  ])("%#: %s", (text, words, leftOut) => {
    expect(read(text)).toEqual([words, leftOut]);
  });
});

describe("paragraphs of a WordPress text", () => {
  it("are separated by empty lines if there are no blocks, except in elements that keep their lines", () => {
    expect(readWordpressText("A\r\n\r\nB\nb\n \n\nC<pre>d\n\ne</pre>F\n\nG").html).toBe(
      "A<p>B\nb<p>C<pre>d\n\ne</pre>F<p>G",
    );
    const blocks = "<!-- wp:html -->A\n\nB<!-- /wp:html -->";
    expect(readWordpressText(blocks).html).toBe("A\n\nB");
  });
});

/**
 * Reading takes time that is linear in the text: at most half a second for these. No test asserts a time: with the square of the
 * length it would take seconds or minutes, and minutes fail by the time-out of every test.
 */
describe("a hostile WordPress text", () => {
  const n = 50_000;
  it.each([
    ["[".repeat(n)],
    ["[a ".repeat(n)],
    ["[a]".repeat(n) + "[/a]".repeat(n)],
    [`${"[/a".repeat(n)}]`],
    [`${"[a".repeat(n)}]`],
    ["[[a]]".repeat(n)],
    [`${"<".repeat(n)}[a]`],
    ["<[a ".repeat(n)],
    ["[a <b [/a] ".repeat(n)],
    ["<![CDATA[".repeat(n)],
    ["<!--".repeat(n)],
    [`<!--${" ".repeat(n)}/${" ".repeat(n)}`],
    [`<!-- wp:a${" ".repeat(n)}`.repeat(2)],
    ["<!-- wp:a {".repeat(n)],
    ["<!-- /wp:a".repeat(n)],
    [`<!-- wp:a {${"}".repeat(n)}`],
    [`<!-- wp:a ${'{"a":'.repeat(n)}1${"}".repeat(n)} -->`],
    [`<!-- wp:a {"a":${"[".repeat(n)}${"]".repeat(n)}} -->`],
    ["<!-- wp:group -->".repeat(n) + "<!-- /wp:group -->".repeat(n)],
    ["<!-- wp:x/y -->[a]<!-- /wp:x/y -->[/a]".repeat(n)],
    [Array.from({ length: n }, (_, at) => `[n${at}]x[/n${at}]`).join("")],
    [`${'[caption x caption="'.repeat(n)}]`],
    ["\n ".repeat(n)],
    ["<pre>".repeat(n)],
  ])("%#", (text) => {
    expect(readWordpressText(text).html.length).toBeLessThanOrEqual(text.length);
  });
});
