/** A thread of a publicly accessible subforum; its detail has the public replies. */
import { printableText } from "../../base/text.ts";
import { readTime } from "../../base/time.ts";
import {
  type Column,
  columnOf,
  computed,
  elementsOf,
  flag,
  html,
  id,
  kinds,
  name,
  personName,
  schemas,
  shownName,
  slug,
  TIME_FORM,
  textOfHtml,
  time,
  url,
} from "../field.ts";
import { operation, SEARCH } from "../operation.ts";
import { type DetailOf, desc, equals, record, type ShapeOf } from "../record.ts";
import type { Row } from "../row.ts";

const EXCERPT_LENGTH = 200;

/** Markers of list items and quotes: meaningless once the text is on one line. */
const LINE_MARKS = /^ *(?:[*>] +)+/gm;

/** The beginning of a text on one line, cut at a word. */
function beginningOf(text: string): string {
  const line = text.replace(LINE_MARKS, "").replace(/\s+/g, " ").trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const cut = line.slice(0, EXCERPT_LENGTH - 1).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > EXCERPT_LENGTH / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

const topic = (words: string) =>
  schemas.object({ slug: schemas.slug(), name: schemas.text("Its name for people.") }, words);

const reply = schemas.object({
  // No parameter, so it may have more than 15 digits.
  id: schemas.id(Number.MAX_SAFE_INTEGER),
  author_display_name: schemas.text("Display name of the author."),
  content_html: schemas.html("The reply."),
  is_solution: schemas.flag("True for the reply that solves the thread."),
  created_at: schemas.time("When the reply was written."),
});
const REPLIES: Column = {
  name: "replies",
  holds: "JSON array, oldest first",
  example: `'[{"id": 7, "author_display_name": "Ada", "content_html": "<p>Yes.</p>", "is_solution": true, "created_at": "2026-11-20 19:00:00"}]'`,
  ifMissing: "[]",
};
const REPLY = "elements {id, author_display_name, content_html, is_solution, created_at}";

/** `[{"id":7,"author_display_name":"Ada","content_html":"<p>…</p>","is_solution":true,"created_at":"…"}]` */
function readReplies(row: Row) {
  return elementsOf(row, "replies", (element) => {
    const { id, author_display_name, is_solution, created_at } = element;
    const content = row.markupOf(element, "content_html");
    if (Object.keys(element).length !== 5 || content === null) return REPLY;
    if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 1) return REPLY;
    if (typeof author_display_name !== "string" || typeof is_solution !== "boolean") return REPLY;
    const time = readTime(created_at);
    if (time === null) return `a created_at that is ${TIME_FORM}`;
    return {
      id,
      author_display_name: shownName(printableText(author_display_name)),
      content_html: content.html,
      is_solution,
      created_at: time,
    };
  });
}

function readCategory(row: Row) {
  const slug = row.slugOrNull("category_slug");
  return slug === null ? null : { slug, name: row.name("category_name") };
}

export const thread = record({
  name: "thread",
  file: "forum",
  endpoint: "forum",
  title: "Thread",
  fields: {
    id: id(),
    title: name("Title of the thread.", "'How do I update?'"),
    slug: slug(),
    excerpt: computed(
      schemas.text("Beginning of the first post, plain text."),
      [columnOf("content_html", kinds.html)],
      (row) => beginningOf(row.html("content_html").text),
      { empty: "" },
    ),
    type: slug("Kind of thread, for example question. Shops may add kinds."),
    subforum: computed(
      topic("Subforum of the thread."),
      [
        columnOf("subforum_slug", kinds.slug, { words: "Slug of its subforum.", example: "'help'" }),
        columnOf("subforum_name", kinds.name, { words: "Name of its subforum.", example: "'Help'" }),
      ],
      (row) => ({ slug: row.slug("subforum_slug"), name: row.name("subforum_name") }),
    ),
    category: computed(
      schemas.orNull(topic("Topic of the thread.")),
      [
        columnOf("category_slug", kinds.slug, { words: "Slug of its topic, or NULL.", ifMissing: null }),
        columnOf("category_name", kinds.name, {
          words: "Name of its topic, or NULL.",
          example: "'Updates'",
          ifMissing: null,
        }),
      ],
      readCategory,
      { empty: null },
    ),
    author_display_name: personName("Display name of the author."),
    pinned: flag("True if the thread is at the top of its list."),
    locked: flag("True if the thread is closed to new replies."),
    solved: flag("True if a reply solves the thread."),
    reply_count: computed(
      schemas.count("Number of public replies."),
      [REPLIES],
      (row) => row.once(readReplies).length,
      { empty: 0 },
    ),
    created_at: time("When the thread was opened."),
    last_activity_at: time("Time of the newest post in the thread."),
    url: url("Its page in the store."),
  },
  detail: {
    content_html: html("content_html", "The content."),
    content_text: textOfHtml("content_html", "The content, plain text."),
    replies: computed(
      schemas.listOf(reply, "Public replies, oldest first."),
      [REPLIES],
      (row) => row.once(readReplies),
      { empty: [] },
    ),
  },
  columns: {
    slug: ["TEXT", (thread) => thread.slug],
    subforum: ["TEXT", (thread) => thread.subforum.slug],
    category: ["TEXT", (thread) => thread.category?.slug ?? null],
    type: ["TEXT", (thread) => thread.type],
    solved: ["INTEGER", (thread) => Number(thread.solved)],
    pinned: ["INTEGER", (thread) => Number(thread.pinned)],
    last_activity_at: ["TIME", (thread) => thread.last_activity_at],
  },
  filters: {
    subforum: equals("subforum"),
    category: equals("category"),
    type: equals("type"),
    solved: equals("solved"),
  },
  sorts: { activity: [desc("pinned"), desc("last_activity_at")] },
  search: (thread) => ({ title: thread.title, excerpt: "", text: thread.content_text }),
});
export type Thread = ShapeOf<typeof thread>;
export type ThreadDetail = DetailOf<typeof thread>;

export const listThreads = operation("forum", {
  id: "listThreads",
  tag: "Community",
  summary: "List threads",
  purpose: "Threads of publicly accessible subforums. With slug: one thread and its replies.",
  answer: "A page of threads with the totals of the whole list, or the selected thread.",
  params: {
    slug: "Selects one thread, with its content and replies. The other parameters are then ignored.",
    subforum: "Only threads of the subforum with this slug.",
    category: "Only threads of the forum category with this slug.",
    type: "Only threads of this kind, for example question.",
    solved: "True: only solved threads. False: only unsolved threads.",
    q: `Only threads with these words. ${SEARCH}`,
  },
  list: thread.list,
  one: thread.detail,
});
