/** Words and records are found in files of every format, however the format escapes them. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createSearch } from "../../src/pipeline/search-files.ts";

const WORDS = 'Größe "A" & <b>';
const look = createSearch({ text: WORDS }, []);

const FILES: Readonly<Record<string, string>> = {
  "plain.txt": `A text with ${WORDS} in it`,
  "folded.txt": 'GROSSE  "a"\n& <B>',
  "answer.json": JSON.stringify({ data: [{ title: WORDS }] }),
  "safe.json": JSON.stringify({ data: WORDS }).replaceAll("<", "\\u003c").replaceAll("ö", "\\u00f6"),
  "html.json": JSON.stringify({ body: '<p>Gr<i>öße</i> "A" &amp; &lt;b&gt;</p>' }),
  "name.json": JSON.stringify({ [WORDS]: 1 }),
  "broken.json": JSON.stringify({ data: WORDS }).slice(0, -1),
  "product.jsonld": JSON.stringify({ "@type": "Product", name: WORDS }),
  "lines.ndjson": `{"id":1}\n${JSON.stringify({ id: 2, title: WORDS })}\n`,
  "feed.xml": "<title>Größe &quot;A&quot; &amp; &lt;b&gt;</title>",
  "numbers.xml": "<title>Gr&#246;&#xdf;e &#34;A&#34; &#38; &#60;b&#62;</title>",
  "html.atom":
    "<content type='html'>&lt;p&gt;Gr&lt;i&gt;öße&lt;/i&gt; &quot;A&quot; &amp;amp; &amp;lt;b&amp;gt;&lt;/p&gt;</content>",
  "page.html": "<h1>Größe <i>&quot;A&quot;</i> &amp; &lt;b&gt;</h1>",
  "script.html": `<script type="application/ld+json">${JSON.stringify({ name: WORDS }).replaceAll("<", "\\u003c")}</script>`,
  "google.tsv": `1\t"${WORDS.replaceAll('"', '""')}"\t2.00 EUR\n`,
  "export.csv": `1,"${WORDS.replaceAll('"', '""')}",2\n`,
  "llms.txt": 'Größe "A" & \\<b\\>',
  "link.xml": `<loc>https://shop.example/${encodeURIComponent(WORDS)}</loc>`,
  "link.html": `<a href="/?q=${encodeURIComponent(WORDS)}&amp;page=1">more</a>`,
};

describe("words that formats escape", () => {
  for (const [name, text] of Object.entries(FILES)) {
    it(`are found in ${name}, compressed or not, and other words are not`, () => {
      expect(look(name, Buffer.from(text))).toBe("found");
      expect(look(`${name}.gz`, gzipSync(text))).toBe("found");
      const other = createSearch({ text: 'Größe "B" & <b>' }, []);
      expect(other(name, Buffer.from(text))).toBe("clean");
    });
  }

  it("are found anywhere in a large file", () => {
    const bytes = Buffer.alloc(3 << 20, "x");
    const words = Buffer.from("Größe &quot;A&quot; &amp; &lt;b&gt;");
    expect(look("large.xml", bytes)).toBe("clean");
    for (const at of [0, (2 << 20) - 20, bytes.length - words.length]) {
      const file = Buffer.from(bytes);
      words.copy(file, at);
      expect(look("large.xml", file), String(at)).toBe("found");
    }
  });

  it("are found at any depth", () => {
    const depth = 100_000;
    const text = `${"[".repeat(depth)}${JSON.stringify(WORDS)}${"]".repeat(depth)}`;
    expect(look("deep.json", Buffer.from(text))).toBe("found");
  });

  it("are reported as unread, not as clean, in files that cannot be decompressed", () => {
    expect(look("a.xml.gz", gzipSync(WORDS).subarray(0, -9))).toBe("unread");
  });
});

describe("a record", () => {
  const sought = { record: "review", id: 123 } as const;
  const answer = (id: number) => Buffer.from(JSON.stringify({ data: [{ id }] }));

  it("is found by its id in answers and bulk files of its kind", () => {
    const byId = createSearch(sought, []);
    const list = "api/v1/reviews/page=1.json";
    expect([byId(list, answer(123)), byId(list, answer(12))]).toEqual(["found", "clean"]);
    expect(byId("api/v1/products/page=1.json", answer(123))).toBe("clean");
    const lines = (id: number) => gzipSync(`{"id":1}\n{"id":${id},"title":"x"}\n`);
    expect(byId("bulk/review/3.ndjson.gz", lines(123))).toBe("found");
    expect(byId("bulk/review/3.ndjson.gz", lines(1234))).toBe("clean");
    expect(byId("bulk/product/3.ndjson.gz", lines(123))).toBe("clean");
    expect(byId("feeds/google.tsv", Buffer.from("123\t"))).toBe("clean");
  });

  it("is found by its texts in other files", () => {
    const byTexts = createSearch(sought, ["the second text", "of it & more"]);
    expect(byTexts("feeds/google.xml", Buffer.from("<title>All Of It &amp; more</title>"))).toBe("found");
    expect(byTexts("feeds/google.xml", Buffer.from("<title>None of it</title>"))).toBe("clean");
  });
});
