/** Sentences from words.txt: prose that reads like a shop's. Touches no table. */
import { readFileSync } from "node:fs";
import { between, chance, pick, sample } from "./dice.ts";

/** Sections of a file: a name, a colon and what follows, on the same line and on indented ones. */
export function readSections(file: string): [name: string, text: string][] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return [...text.matchAll(/^(\w+):(.*(?:\n .*)*)/gm)].map(([, name = "", body = ""]) => [name, body]);
}

const WORDS = new Map(
  readSections("words.txt").map(([kind, text]) => [
    kind,
    text.split("|").map((entry) => entry.trim().replace(/\s+/g, " ")),
  ]),
);

export function words(kind: string): readonly string[] {
  const list = WORDS.get(kind);
  if (list === undefined) throw new Error(`scripts/seed/words.txt has no ${kind}`);
  return list;
}

function escapeHtml(text: string): string {
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return plain.replaceAll('"', "&quot;");
}

/** `Café Menu Builder` to `cafe-menu-builder`. */
export function slugify(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 120);
}

/** A text with its `{words}` filled in: the caller's, or any of that kind. */
export function say(text: string, own: Readonly<Record<string, string>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, word: string) => own[word] ?? say(pick(words(word)), own));
}

/**
 * Every number has a unique name, and neighbours do not look alike: the walk visits all combinations, because its step shares no
 * factor with their number. It is the same for every seed, because judged queries name products.
 */
export function productTitle(number: number): { name: string; topic: string; form: string } {
  const [subjects, forms, editions] = [words("subject"), words("form"), words("edition")];
  const combinations = subjects.length * forms.length * editions.length;
  const place = (46_153 + number * 31_807) % combinations;
  const topic = subjects[place % subjects.length] ?? "";
  const form = forms[Math.floor(place / subjects.length) % forms.length] ?? "";
  const edition = editions[Math.floor(place / (subjects.length * forms.length))] ?? "";
  const round = number < combinations ? "" : String(Math.floor(number / combinations) + 1);
  return { name: [topic, form, edition, round].filter((word) => word !== "").join(" "), topic, form };
}

/** Two to five blocks, some 600 to 1,500 bytes. */
export function productDescription(title: string): string {
  const features = sample(words("feature"), between(4, 7)).map((feature) => `<li>${feature}</li>`);
  const parts = ["<p>{opening}</p>", `<p>What you get:</p><ul>${features.join("")}</ul>`, "<p>{middle}</p>"];
  if (chance(30)) parts.push("<h3>Good to know</h3><ol><li>{feature}.</li><li>{feature}.</li></ol>");
  if (chance(70)) parts.push("<p>{closing}</p>");
  return say(parts.join("\n"), { name: escapeHtml(title) });
}

export function releaseNotes(about: string): string {
  const changes = sample(words("change"), between(2, 4)).map((change) => `<li>${change}</li>`);
  return say(`<ul>${changes.join("")}</ul>`, { topic: escapeHtml(about.toLowerCase()) });
}

export function reviewText(rating: number): { title: string; body: string } {
  const mood = rating >= 4 ? "praise" : "doubt";
  const more = rating === 3 ? " {praise}" : chance(30) ? ` {${mood}}` : "";
  return {
    title: say(rating === 3 ? "{mixedTitle}" : `{${mood}Title}`),
    body: say(`{${mood}} {use}${more}`),
  };
}

/** A post of a blog or forum: `count` paragraphs on a subject. */
export function paragraphs(subject: string, count: number, person: string): string {
  const paragraph = (): string => `<p>${sample(words("remark"), between(2, 4)).join(" ")}</p>`;
  const text = Array.from({ length: count }, paragraph).join("\n");
  return say(text, { topic: escapeHtml(subject.toLowerCase()), person: escapeHtml(person) });
}
