/** Sentences and paragraphs out of the vocabulary. Product texts, notes, posts; nothing here touches a table. */
import type { Random } from "./random.ts";
import { AUDIENCES, CHORES, FAMILY_NAMES, FEATURES, GIVEN_NAMES, QUALITIES, SCREEN_NAMES } from "./words.ts";

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** `Café Menu Builder` to `cafe-menu-builder`. */
export function slugify(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .replaceAll("ı", "i")
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 120);
}

function fullName(random: Random): string {
  return `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`;
}

/** What people call themselves in public: a first name and an initial, a screen name, now and then all of it. */
export function displayName(random: Random): string {
  const roll = random.below(10);
  if (roll < 6) return `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES).slice(0, 1)}.`;
  if (roll < 9) return random.pick(SCREEN_NAMES);
  return fullName(random);
}

export function shortDescription(random: Random, name: string): string {
  const quality = random.pick(QUALITIES);
  const audience = random.pick(AUDIENCES);
  const article = /^[aeiou]/.test(quality) ? "an" : "a";
  return random.pick([
    `${name} is ${article} ${quality} answer for ${audience} who are tired of ${random.pick(CHORES)}.`,
    `Everything ${audience} need to stop ${random.pick(CHORES)}: ${quality}, and ready in an afternoon.`,
    `${article === "a" ? "A" : "An"} ${quality} companion for ${audience}. Install it, set three options, and get on with your day.`,
  ]);
}

function openingParagraph(random: Random, name: string): string {
  const audience = random.pick(AUDIENCES);
  const bold = `<strong>${escapeHtml(name)}</strong>`;
  return random.pick([
    `<p>${bold} was built with ${audience}, over two years of real work. It is ${random.pick(QUALITIES)}, ` +
      `${random.pick(QUALITIES)} and easy to leave again: your data stays in plain files.</p>`,
    `<p>If your week begins with ${random.pick(CHORES)}, ${bold} gives you that time back. It does one thing, ` +
      "does it well, and tells you in clear words when something needs your attention.</p>",
    `<p>${bold} takes ${random.pick(CHORES)} off your hands. Made for ${audience}, it fits beside the tools ` +
      "you have and asks for no account, no server and no patience.</p>",
  ]);
}

function featureList(random: Random): string {
  const items = random
    .sample(FEATURES, random.between(4, 7))
    .map((feature) => `<li>${escapeHtml(feature)}</li>`);
  return `<p>What you get:</p><ul>${items.join("")}</ul>`;
}

function middleParagraph(random: Random): string {
  return random.pick([
    `<p>Setting it up takes <em>about ten minutes</em>. The guide walks you through each step with pictures, and a ` +
      `sample project shows how ${random.pick(AUDIENCES)} use it every day.</p>`,
    `<p>Updates are small and frequent. Each has notes that say <strong>what changed and why</strong>, and none ` +
      "has yet needed more than a click. Should one ever break something, the last version is a download away.</p>",
    `<p>We test in five browsers and two screen readers before each release. If you find a corner that is not ` +
      `${random.pick(QUALITIES)}, write to us: most fixes are out within a week.</p>`,
  ]);
}

function closingParagraph(random: Random): string {
  return random.pick([
    "<p>The regular licence covers one end product; the extended licence covers products that you sell.</p>",
    '<p>Questions before you buy? The <a href="/docs/">documentation</a> is open to everybody, and so is the forum.</p>',
    "<p>Thirty days to change your mind, no form to fill in.</p>",
  ]);
}

/** Two to five blocks, some 600 to 1,500 bytes. */
export function productDescription(random: Random, name: string): string {
  const parts = [openingParagraph(random, name), featureList(random), middleParagraph(random)];
  if (random.chance(30)) {
    parts.push(
      `<h3>Good to know</h3><ol><li>${escapeHtml(random.pick(FEATURES))}.</li><li>${escapeHtml(random.pick(FEATURES))}.</li></ol>`,
    );
  }
  if (random.chance(70)) parts.push(closingParagraph(random));
  return parts.join("\n");
}

export function releaseNotes(random: Random, topic: string): string {
  const changes = [
    `Fixed a rare error when ${topic.toLowerCase()} data had no title`,
    `${random.pick(FEATURES)}`,
    "Smaller download, by a third",
    `Clearer messages while ${random.pick(["importing", "exporting", "saving", "printing"])}`,
    "Dependencies updated",
    "Better contrast in the dark colour scheme",
    `Thanks to ${random.pick(GIVEN_NAMES)} for the report`,
  ];
  const items = random
    .sample(changes, random.between(2, 4))
    .map((change) => `<li>${escapeHtml(change)}</li>`);
  return `<ul>${items.join("")}</ul>`;
}

const PRAISE: readonly string[] = [
  "Saved me a week of work.",
  "Exactly what the description promises.",
  "The documentation answered all I had to ask.",
  "Support replied within the hour, on a Sunday.",
  "Très bon produit, l'équipe est à l'écoute.",
  "Genau das, was wir gesucht haben.",
  "とても使いやすいです。",
  "I have bought it for three clients now.",
];
const DOUBTS: readonly string[] = [
  "Setting it up took longer than I had hoped.",
  "The mobile view could use some love.",
  "I miss an import from older versions.",
  "Works, but the examples are out of date.",
  "It did not run on our server & the refund was quick.",
];
const USES: readonly string[] = [
  "We use it for a small shop with two hundred orders a month.",
  "Runs on our club's site since spring.",
  "I replaced two other plugins with it.",
  "My students understand it at once.",
  "It sits between our newsletter and the booking page, and never complains.",
];

export function reviewTitle(random: Random, rating: number): string {
  if (rating >= 4)
    return random.pick([
      "Does what it says",
      "Worth every cent",
      "Lovely work",
      "Solid",
      "Time saver",
      "Parfait",
    ]);
  if (rating === 3) return random.pick(["Good, with rough edges", "Fine for the price", "Almost there"]);
  return random.pick(["Not for us", "Expected more", "Needs another round", "Gave up"]);
}

export function reviewBody(random: Random, rating: number): string {
  const opinion = rating >= 4 ? random.pick(PRAISE) : random.pick(DOUBTS);
  const second = rating === 3 || random.chance(30) ? ` ${random.pick(rating >= 3 ? PRAISE : DOUBTS)}` : "";
  return `${opinion} ${random.pick(USES)}${second}`;
}

/** A post of a blog or forum: `count` paragraphs on a subject. */
export function paragraphs(random: Random, subject: string, count: number): string {
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const sentences = [
      `When we talk about ${escapeHtml(subject.toLowerCase())}, most ${random.pick(AUDIENCES)} think of ${random.pick(CHORES)} first.`,
      `A ${random.pick(QUALITIES)} setup helps more than a clever one.`,
      `<strong>${escapeHtml(random.pick(FEATURES))}</strong> made the difference for us.`,
      `${random.pick(USES)}`,
      `Ask ${random.pick(GIVEN_NAMES)}, who has done it twice.`,
    ];
    parts.push(`<p>${random.sample(sentences, random.between(2, 4)).join(" ")}</p>`);
  }
  return parts.join("\n");
}

/** Markup that a sanitiser must take the sting out of; its text stays readable. */
export const HOSTILE_HTML: string =
  "<p>Before the trouble.</p><script>alert('stored')</script>" +
  '<img src="/img/none.png" onerror="alert(1)" alt="broken">' +
  '<p><a href="javascript:alert(2)">a link</a> and <a href="JaVaScRiPt&colon;alert(3)">another</a></p>' +
  '<svg onload="alert(4)"><circle r="4"/></svg><iframe src="https://evil.example/"></iframe>' +
  '<p style="background:url(javascript:alert(5))" onclick="alert(6)">Behind the trouble.</p><p>An open <b>tag';
