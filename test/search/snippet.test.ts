import { describe, expect, it } from "vitest";
import { makeSnippet } from "../../src/search/snippet.ts";
import { readTerms } from "../../src/search/terms.ts";

const snippet = (excerpt: string, text: string, query: string) =>
  makeSnippet(excerpt, text, readTerms(query));
const WORDS = "lorem ipsum dolor sit amet consectetur ".repeat(40);

describe("a snippet", () => {
  it("is the excerpt if that has the words, otherwise the part of the text that has most of them", () => {
    expect(snippet("An invoice kit.", "Invoices.", "invoice").snippet).toBe("An invoice kit.");
    expect(snippet("An invoice kit.", "Nothing.", "other").snippet).toBe("An invoice kit.");
    const { snippet: cut } = snippet(
      "About.",
      `${WORDS}kit ${WORDS}the invoice and kit ${WORDS}`,
      "invoice kit",
    );
    expect(cut).toMatch(/^…(\w+ ){6}invoice and kit .*…$/);
    expect(cut.length).toBeLessThanOrEqual(182);
  });

  it("is the text if there is no excerpt", () => {
    expect(snippet("", "Only text.", "kit").snippet).toBe("Only text.");
    expect(snippet("", "", "kit")).toEqual({ snippet: "", highlight: "" });
  });

  it("is cut at words, and never within a character", () => {
    const { snippet: cut } = snippet(WORDS, "", "lorem");
    expect(WORDS).toContain(`${cut.slice(0, -1)} `);
    const long = snippet(`${"😀".repeat(300)}`, "", "kit").snippet;
    expect(() => encodeURIComponent(long)).not.toThrow();
    expect(snippet("a".repeat(1000), "", "a").snippet).toBe(`${"a".repeat(180)}…`);
  });

  it("has no control character, line break or direction mark", () => {
    const { snippet: cut } = snippet("one\r\n\ttwo\u0000\u001f\u0085\u2028\u202ethree\u2066 ", "", "two");
    expect(cut).toBe("one two three");
  });
});

describe("a highlight", () => {
  it("marks the words in their spelling, and words that begin with the last", () => {
    expect(snippet("Café-Menüs, and a café menu.", "", "cafe men").highlight).toBe(
      "<mark>Café</mark>-<mark>Menüs</mark>, and a <mark>café</mark> <mark>menu</mark>.",
    );
    expect(snippet("Kits for a kit", "", "kit for").highlight).toBe(
      "Kits <mark>for</mark> a <mark>kit</mark>",
    );
  });

  it("marks a run of a script without spaces as one", () => {
    expect(snippet("日本語の請求書、書", "", "請求書").highlight).toBe("日本語の<mark>請求書</mark>、書");
  });

  it("is safe to insert as HTML", () => {
    const hostile = `<script>alert("1")</script> & &amp; <b onclick='x'>mark</b> </mark>`;
    const { snippet: plain, highlight } = snippet(hostile, "", "script alert amp mark");
    expect(plain).toBe(hostile);
    expect(highlight.replace(/<\/?mark>/g, "")).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    expect(highlight).toContain("&lt;<mark>script</mark>&gt;");
    const opened = highlight.split("<mark>").length;
    expect(highlight.split("</mark>").length).toBe(opened);
  });

  it("has the same text as the snippet", () => {
    const { snippet: plain, highlight } = snippet(`${WORDS} "it's" <kit> & ${WORDS}`, "", "kit");
    const text = highlight
      .replace(/<\/?mark>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
    expect(text).toBe(plain);
  });
});
