/** Texts by and for people: users, releases, reviews, questions, blog, forum. */
import { privateId } from "./canary.ts";
import { between, chance, pick, version } from "./dice.ts";
import { type Edge, edgesById, edgesOf } from "./edges.ts";
import { paragraphs, releaseNotes, reviewText, slugify, words } from "./texts.ts";
import { DAY, formatTime } from "./time.ts";
import { ago, type ProductRef, past, type World } from "./world.ts";
import type { Row } from "./writer.ts";

/** The product whose releases, reviews and questions test particular rules. */
const FAVOURITE = 12;

export function seedPeople(world: World): void {
  const { writer, names, products } = world;
  const edges = edgesById("users");
  const users = Math.min(40 + Math.floor(products / 4), 5000);
  for (let id = 1; id <= users; id++) {
    const role = id === 1 ? "admin" : id <= 4 ? "staff" : id <= 10 ? "author" : "member";
    const avatar_url = chance(60) ? `/avatars/${id}.png` : null;
    const row = { role, display_name: pick(names), avatar_url, created_at: past(world, 100, 1500) };
    writer.add("users", { ...row, ...edges.get(id)?.row });
  }
  for (let number = 1; number <= products; number++) {
    const status = chance(90) ? "active" : pick(["inactive", "blocked"]);
    const user_id = number <= users ? number : null;
    writer.add("customers", { user_id, status, marketing_opt_in: chance(40) ? 1 : 0 });
  }
}

/** A moment in a product's life, as a time. */
const since = (world: World, { createdAt }: ProductRef): string =>
  past(world, 1, Math.floor((world.now - createdAt) / DAY));

function addRelease(world: World, ref: ProductRef, edge: Row, hidden: boolean): void {
  const name = String(edge["version"] ?? version());
  const row = {
    product_id: ref.id,
    version: name,
    channel: chance(90) ? "stable" : "beta",
    title: chance(50) ? `Version ${name}` : `${ref.topic} ${name}`,
    notes_html: releaseNotes(ref.topic),
    is_breaking: chance(10) ? 1 : 0,
    requires: chance(20) ? "Node 20" : null,
    published_at: since(world, ref),
    status: "listed",
  };
  const release_id = world.writer.add("releases", { ...row, ...edge }, hidden);
  world.writer.add("product_files", { product_id: ref.id, release_id });
}

/** About one per product. */
export function seedReleases(world: World): void {
  for (const ref of world.refs) {
    if (ref.id === FAVOURITE) {
      for (const { row, hidden } of edgesOf("releases")) addRelease(world, ref, row, hidden);
      continue;
    }
    const count = pick([0, 0, 0, 0, 1, 1, 1, 2, 3]);
    for (let index = 0; index < count; index++) {
      const status = chance(93) ? "listed" : pick(["draft", "unlisted", "yanked"]);
      addRelease(world, ref, { status }, ref.hidden || status !== "listed");
    }
  }
}

function addReview(world: World, ref: ProductRef, edge: Row, hidden: boolean): void {
  const { writer, names } = world;
  const rating = Number(edge["rating"] ?? pick([5, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 1]));
  const time = since(world, ref);
  const row = {
    product_id: ref.id,
    rating,
    ...reviewText(rating),
    helpful_count: between(0, 29),
    created_at: time,
    updated_at: time,
    display_name: chance(6) ? null : pick(names),
    avatar_url: chance(30) ? `/avatars/${between(1, writer.count("users"))}.png` : null,
    customer_id: privateId(between(1, writer.count("customers"))),
    order_id: chance(70) ? privateId(between(1, writer.count("orders"))) : null,
    status: "approved",
  };
  writer.add("reviews", { ...row, ...edge }, hidden);
}

/** About three per product. */
export function seedReviews(world: World): void {
  const edges = edgesOf("reviews");
  for (const ref of world.refs) {
    const isFavourite = ref.id === FAVOURITE;
    if (isFavourite) for (const { row, hidden } of edges) addReview(world, ref, row, hidden);
    for (let count = isFavourite ? 28 : pick([0, 0, 1, 2, 3, 3, 4, 5, 5, 7]); count > 0; count--) {
      const status = chance(88) ? "approved" : pick(["pending", "rejected", "spam", "deleted"]);
      addReview(world, ref, { status }, ref.hidden || status !== "approved");
    }
  }
}

/** General ones, and one for every second product. */
export function seedFaqs(world: World): void {
  const questions = words("faq").map((entry) => {
    const [category = "", question = "", answer = ""] = entry.split(" — ");
    return { category, question, answer_html: `<p>${answer}</p>` };
  });
  const add = (row: Row, hidden = false): void => {
    const defaults = { product_id: null, position: between(1, 5), updated_at: past(world, 1, 500) };
    const isOpen = { is_active: 1, audience: "public" };
    world.writer.add("faqs", { ...pick(questions), ...defaults, ...isOpen, ...row }, hidden);
  };
  for (const { row, hidden } of edgesOf("faqs")) add(row, hidden);
  for (const row of questions) add(row);
  for (const { id, hidden } of world.refs) {
    for (let count = pick([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]); count > 0; count--) {
      const isActive = chance(95);
      add({ product_id: id, is_active: isActive ? 1 : 0 }, hidden || !isActive);
    }
  }
}

export function seedBlog(world: World): void {
  const edges = edgesById("blog_posts");
  const titles = words("blogTitle");
  const count = Math.max(edges.size, Math.min(Math.floor(world.products / 4), 2000));
  for (let id = 1; id <= count; id++) {
    const edge = edges.get(id);
    const title = String(edge?.row["title"] ?? titles[id - 1 - edges.size] ?? pick(titles));
    // Chosen by number, so that no seed hides records that judged queries name.
    const isDraft = id % 40 === 9;
    const subject = title.split(":")[0] ?? title;
    const publishedAt = ago(world, 1, 1500);
    const row = {
      slug: `${slugify(title)}-${id}`,
      title,
      excerpt: `${subject}, seen from a small workshop: what works, what does not, and what we would do again.`,
      content_html: `<h2>Where to begin</h2>\n${paragraphs(subject, between(3, 6), pick(world.names))}`,
      cover_image: chance(80) ? `/media/blog/${id}.svg` : null,
      author_id: between(2, 10),
      category: pick(["workshop", "guides", "news"]),
      published_at: formatTime(publishedAt),
      updated_at: formatTime(Math.min(publishedAt + between(0, 20 * DAY), world.now - 1)),
      status: edge === undefined && isDraft ? "draft" : "published",
      password: null,
    };
    world.writer.add("blog_posts", { ...row, ...edge?.row }, edge?.hidden ?? isDraft);
  }
}

const OPEN_SUBFORUMS = 3;
/** The forum section of an edge thread that names none. */
const IN_THE_OPEN: Row = { subforum_id: 1, category_id: 1, type: "question" };

/** A thread with its posts, including closed ones. Its title comes from its number: no seed may repeat a judged one. */
function ordinaryThread({ names }: World, id: number): Edge {
  const [openings, subjects] = [words("threadTitle"), words("subject")];
  const topic = subjects[(id * 13) % subjects.length] ?? "";
  const title = `${openings[id % openings.length]} ${topic.toLowerCase()}`;
  const posts = Array.from({ length: between(1, 8) }, (_, index): Row => {
    const closed = index > 0 && chance(9);
    const state = closed ? pick([{ is_hidden: 1 }, { is_whisper: 1 }, { deleted_at: "now-1d" }]) : {};
    return { body_html: paragraphs(topic, between(1, 2), pick(names)), ...state };
  });
  const type = pick(["question", "question", "discussion", "idea", "bug"]);
  const solved = type === "question" && posts.length > 1 && chance(60) ? { solvedBy: posts.length } : {};
  const hidden = chance(10);
  const subforum_id = hidden ? between(OPEN_SUBFORUMS + 1, 7) : between(1, OPEN_SUBFORUMS);
  const flags = { is_pinned: chance(1) ? 1 : 0, is_locked: chance(4) ? 1 : 0 };
  const category_id = chance(80) ? between(1, 4) : null;
  const row = { slug: `${slugify(title)}-${id}`, title, type, subforum_id, category_id, ...flags };
  return { table: "threads", row, plan: { posts, ...solved }, hidden };
}

/** Posts of one thread follow each other by days; its own clock counts the hidden ones too. */
function addThread(world: World, { row, plan, hidden }: Edge): void {
  const { writer } = world;
  const { posts = [], solvedBy } = plan;
  const started = ago(world, 30, 900);
  const users = writer.count("users");
  const times = posts.map((_, index) => formatTime(started + index * 3 * DAY + between(0, 2 * DAY)));
  const opener = between(1, users);
  const solved_post_id = solvedBy === undefined ? null : writer.count("posts") + solvedBy;
  const clock = { created_at: times[0] ?? null, last_activity_at: times.at(-1) ?? null };
  const counts = { view_count: between(0, 4999), like_count: between(0, 59) };
  const state = { visibility: "public", moderation_state: "approved" };
  const thread = { author_id: opener, solved_post_id, ...clock, ...counts, ...state, ...row };
  const thread_id = writer.add("threads", thread, hidden);
  posts.forEach((post, index) => {
    const author_id = index === 0 ? opener : between(1, users);
    const place = { thread_id, post_number: index + 1, author_id, created_at: times[index] ?? null };
    const isClosed = "is_hidden" in post || "is_whisper" in post || "deleted_at" in post;
    writer.add("posts", { ...place, is_hidden: 0, is_whisper: 0, ...post }, hidden || isClosed);
  });
}

export function seedForum(world: World): void {
  const edges = edgesById("threads");
  const count = Math.min(Math.floor(world.products / 2), 5000);
  for (let id = 1; id <= count; id++) {
    const edge = edges.get(id);
    const { row, plan, hidden } = ordinaryThread(world, id);
    const thread = edge === undefined ? row : { ...row, ...IN_THE_OPEN, ...edge.row };
    const posts = { ...(edge?.plan.posts === undefined ? plan : {}), ...edge?.plan };
    addThread(world, { table: "threads", row: thread, plan: posts, hidden: edge?.hidden ?? hidden });
  }
}
