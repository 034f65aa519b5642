/** Blog posts and forum threads. */

import { BlogPost, BlogPostDetail, Thread, ThreadDetail } from "../../api/records.ts";
import { printableText } from "../../base/text.ts";
import { isSqlTime } from "../../base/time.ts";
import { addRecord, type Context, forEachRow, SlugGuard } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";
import { cleanHtml } from "../html.ts";
import { type RowReader, show, TIME_FORM } from "../row-reader.ts";

export function extractPosts(context: Context): void {
  const lists = new FragmentMaker<BlogPost>(BlogPost);
  const details = new FragmentMaker<BlogPostDetail>(BlogPostDetail);
  const slugs = new SlugGuard();
  forEachRow(context, "blog", (reader) => {
    const post: BlogPost = {
      id: reader.id(),
      title: reader.name("title"),
      slug: reader.slug("slug"),
      excerpt: reader.text("excerpt"),
      image: reader.url("image"),
      url: reader.url("url"),
      published_at: reader.time("published_at"),
      updated_at: reader.time("updated_at"),
    };
    const content = cleanHtml(reader.text("content_html"));
    const addition = { content_html: content.html, content_text: content.text };
    slugs.check(reader, post.slug, post.id);
    const list = lists.make(post, reader);
    addRecord(context, "post", reader, {
      id: post.id,
      columns: [post.slug, post.published_at],
      list,
      detail: details.extend(list, { ...post, ...addition }, addition, reader),
      document: { title: post.title, excerpt: post.excerpt, text: content.text },
    });
  });
}

const EXCERPT_LENGTH = 200;

/** The beginning of a text on one line, cut at a word. */
function beginningOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const cut = line.slice(0, EXCERPT_LENGTH - 1).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > EXCERPT_LENGTH / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

type Reply = ThreadDetail["replies"][number];

/** `[{"id":7,"author_display_name":"Ada","content_html":"<p>…</p>","is_solution":true,"created_at":"…"}]` */
function readReplies(reader: RowReader): Reply[] {
  return reader.array("replies").map((element) => {
    const reply = (typeof element === "object" && element !== null ? element : {}) as Record<string, unknown>;
    const {
      id,
      author_display_name: author,
      content_html: html,
      is_solution: solution,
      created_at: at,
    } = reply;
    const known = Object.keys(reply).length === 5;
    if (
      !known ||
      !Number.isSafeInteger(id) ||
      typeof author !== "string" ||
      typeof html !== "string" ||
      typeof solution !== "boolean" ||
      typeof at !== "string"
    ) {
      reader.fail(
        "replies",
        "must have elements {id, author_display_name, content_html, is_solution, created_at}",
        show(element),
      );
      return { id: 1, author_display_name: "", content_html: "", is_solution: false, created_at: "" };
    }
    if (!isSqlTime(at)) reader.fail("replies", `must have a created_at that is ${TIME_FORM}`, show(at));
    return {
      id: id as number,
      author_display_name: printableText(author),
      content_html: cleanHtml(html).html,
      is_solution: solution,
      created_at: at,
    };
  });
}

function readCategory(reader: RowReader): Thread["category"] {
  const slug = reader.slugOrNull("category_slug");
  return slug === null ? null : { slug, name: reader.name("category_name") };
}

export function extractThreads(context: Context): void {
  const lists = new FragmentMaker<Thread>(Thread);
  const details = new FragmentMaker<ThreadDetail>(ThreadDetail);
  const slugs = new SlugGuard();
  forEachRow(context, "forum", (reader) => {
    const content = cleanHtml(reader.text("content_html"));
    const replies = readReplies(reader);
    const thread: Thread = {
      id: reader.id(),
      title: reader.name("title"),
      slug: reader.slug("slug"),
      excerpt: beginningOf(content.text),
      type: reader.slug("type"),
      subforum: { slug: reader.slug("subforum_slug"), name: reader.name("subforum_name") },
      category: readCategory(reader),
      author_display_name: reader.text("author_display_name"),
      pinned: reader.flag("pinned"),
      locked: reader.flag("locked"),
      solved: reader.flag("solved"),
      reply_count: replies.length,
      created_at: reader.time("created_at"),
      last_activity_at: reader.time("last_activity_at"),
      url: reader.url("url"),
    };
    const addition = { content_html: content.html, content_text: content.text, replies };
    slugs.check(reader, thread.slug, thread.id);
    const list = lists.make(thread, reader);
    addRecord(context, "thread", reader, {
      id: thread.id,
      columns: [
        thread.slug,
        thread.subforum.slug,
        thread.category?.slug ?? null,
        thread.type,
        thread.solved ? 1 : 0,
        thread.pinned ? 1 : 0,
        thread.last_activity_at,
      ],
      list,
      detail: details.extend(list, { ...thread, ...addition }, addition, reader),
      document: { title: thread.title, excerpt: "", text: content.text },
    });
  });
}
