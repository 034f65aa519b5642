/** A published post of the store's blog. */
import { html, id, name, slug, text, textOfHtml, time, url } from "../field.ts";
import { operation, SEARCH } from "../operation.ts";
import { type DetailOf, desc, record, type ShapeOf } from "../record.ts";

export const post = record({
  name: "post",
  file: "blog",
  endpoint: "blog",
  title: "BlogPost",
  fields: {
    id: id(),
    title: name("Headline.", "'Version 2 is here'"),
    slug: slug(),
    excerpt: text("Summary of the post in one or two sentences."),
    image: url("Cover image."),
    url: url("Its page in the store."),
    published_at: time("When the post was published."),
    updated_at: time("When the post last changed."),
  },
  detail: {
    content_html: html("content_html", "The content."),
    content_text: textOfHtml("content_html", "The content, plain text."),
  },
  columns: {
    slug: ["TEXT", (post) => post.slug],
    published_at: ["TIME", (post) => post.published_at],
  },
  filters: {},
  sorts: { newest: [desc("published_at")] },
  search: (post) => ({ title: post.title, excerpt: post.excerpt, text: post.content_text }),
});
export type BlogPost = ShapeOf<typeof post>;
export type BlogPostDetail = DetailOf<typeof post>;

export const listPosts = operation("blog", {
  id: "listBlogPosts",
  tag: "Community",
  summary: "List posts",
  purpose: "Published posts of the blog, the newest first. With slug: one post and its content.",
  answer: "A page of posts with the totals of the whole list, or the selected post.",
  params: {
    q: `Only posts with these words. ${SEARCH}`,
    slug: "Selects one post, with its content. The other parameters are then ignored.",
  },
  list: post.list,
  one: post.detail,
});
