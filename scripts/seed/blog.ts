/** Blog posts: drafts, scheduled, private, behind a password, and those that everybody reads. */
import { HOSTILE_HTML, paragraphs, slugify } from "./prose.ts";
import type { Random } from "./random.ts";
import { DAY, formatTime, START_FAR } from "./time.ts";
import { BLOG_ANGLES, BLOG_SUBJECTS } from "./words.ts";
import type { World } from "./world.ts";
import type { Row } from "./writer.ts";

interface PostEdge {
  readonly title: string;
  readonly row: Row;
  readonly hidden: boolean;
}

function edgePosts(world: World): PostEdge[] {
  const yesterday = world.at(-DAY);
  return [
    { title: "A draft on pricing", row: { status: "draft", published_at: null }, hidden: true },
    { title: "A draft with a date", row: { status: "draft", published_at: yesterday }, hidden: true },
    { title: "A draft with a date ahead", row: { status: "draft", published_at: world.at(4) }, hidden: true },
    { title: "For ourselves", row: { status: "private", published_at: yesterday }, hidden: true },
    {
      title: "With a password",
      row: { password: "CNRY_blog_posts_password", published_at: yesterday },
      hidden: true,
    },
    { title: "For the next century", row: { status: "scheduled", published_at: START_FAR }, hidden: true },
    { title: "Published too early", row: { published_at: START_FAR }, hidden: true },
    {
      title: "Scheduled for tomorrow",
      row: { status: "scheduled", published_at: world.at(DAY) },
      hidden: false,
    },
    { title: "Scheduled and due", row: { status: "scheduled", published_at: yesterday }, hidden: false },
    { title: "Hostile markup", row: { content_html: HOSTILE_HTML, published_at: yesterday }, hidden: false },
    {
      title: `Ampersands & <angles>, "quotes", café, 日本語 and 🎈`,
      row: { excerpt: null, cover_image: null, published_at: yesterday },
      hidden: false,
    },
    { title: "An empty password", row: { password: "", published_at: yesterday }, hidden: false },
  ];
}

function postRow(world: World, random: Random, id: number, title: string): Row {
  const publishedAt = world.options.now - random.between(1, 1500) * DAY - random.below(DAY);
  const subject = title.split(":")[0] ?? title;
  return {
    id,
    slug: `${slugify(title)}-${id}`,
    title,
    excerpt: `${subject}, seen from a small workshop: what works, what does not, and what we would do again.`,
    content_html: `<h2>${id % 3 === 0 ? "The short version" : "Where to begin"}</h2>\n${paragraphs(random, subject, random.between(3, 6))}`,
    cover_image: random.chance(80) ? `/media/blog/${id}.webp` : null,
    author_id: random.between(2, 10),
    category: random.pick(["workshop", "guides", "news"]),
    published_at: formatTime(publishedAt),
    updated_at: formatTime(Math.min(publishedAt + random.below(20 * DAY), world.options.now - 1)),
    status: "published",
    password: null,
  };
}

export function seedBlog(world: World): void {
  const random = world.random("blog");
  const edges = edgePosts(world);
  const count = Math.max(edges.length, Math.min(Math.floor(world.options.products / 4), 2000));
  for (let id = 1; id <= count; id++) {
    const edge = edges[id - 1];
    if (edge !== undefined) {
      const row = { ...postRow(world, random, id, edge.title), slug: slugify(edge.title), ...edge.row };
      world.writer.add("blog_posts", id, row, edge.hidden);
      continue;
    }
    const title = `${random.pick(BLOG_SUBJECTS)}: ${random.pick(BLOG_ANGLES)}`;
    const isDraft = random.chance(8);
    const row = postRow(world, random, id, title);
    world.writer.add("blog_posts", id, isDraft ? { ...row, status: "draft" } : row, isDraft);
  }
}
