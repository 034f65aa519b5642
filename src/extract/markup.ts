/** The forms in which a store keeps a text with structure → HTML, which is then cleaned like any other. */
import MarkdownIt from "markdown-it";
import { printableText } from "../base/text.ts";

/** HTML in Markdown is let through, as everywhere: what must not stay is cleaned away after this. */
const markdown = new MarkdownIt({ html: true });

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** An empty line ends a paragraph, a line ends where it does in the text. */
function htmlOfText(text: string): string {
  const escaped = printableText(text).replace(/[&<>]/g, (character) => ESCAPED[character] ?? "");
  const paragraphs = escaped.split(/\n[^\S\n]*\n\s*/).map((paragraph) => paragraph.trim());
  return paragraphs
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
}

/** @param form the name of the column that holds the text: its end says what the text is */
export function htmlOf(text: string, form: string): string {
  if (form.endsWith("_markdown")) return markdown.render(text);
  return form.endsWith("_text") ? htmlOfText(text) : text;
}
