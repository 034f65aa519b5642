/** The forum: subforums with their doors, threads, posts. The special threads are in forum-edges.ts. */
import { edgeThreads, type PostPlan, type ThreadPlan } from "./forum-edges.ts";
import { paragraphs, slugify } from "./prose.ts";
import type { Random } from "./random.ts";
import { DAY, formatTime, MINUTE } from "./time.ts";
import { THREAD_OPENINGS } from "./words.ts";
import type { World } from "./world.ts";

/** slug, name, access level, hidden flag; ids from 1. */
const SUBFORUMS: readonly (readonly [slug: string, name: string, access: string, isHidden: 0 | 1])[] = [
  ["help", "Help & How-To", "public", 0],
  ["ideas", "Ideas", "public", 0],
  ["showcase", "Showcase", "public", 0],
  ["customers", "Customers' Corner", "customers", 0],
  ["owners", "Invoice Kit Owners", "product_owners", 0],
  ["staff", "Staff Room", "staff", 0],
  ["attic", "Attic", "public", 1],
];
const OPEN_SUBFORUMS = 3;
const CATEGORIES: readonly (readonly [slug: string, name: string, isHidden: 0 | 1])[] = [
  ["setup", "Setup", 0],
  ["styling", "Styling", 0],
  ["data", "Data & Import", 0],
  ["internal", "Internal", 1],
];

function seedRooms(world: World): void {
  SUBFORUMS.forEach(([slug, name, access, isHidden], index) => {
    const hidden = access !== "public" || isHidden === 1;
    const row = {
      id: index + 1,
      slug,
      name,
      description: `${name}: be kind, be specific.`,
      position: index + 1,
      access_level: access,
      required_product_id: access === "product_owners" ? 12 : null,
      is_hidden: isHidden,
    };
    world.writer.add("subforums", index + 1, row, hidden);
  });
  CATEGORIES.forEach(([slug, name, isHidden], index) => {
    world.writer.add(
      "forum_categories",
      index + 1,
      { id: index + 1, slug, name, is_hidden: isHidden },
      isHidden === 1,
    );
  });
}

function ordinaryThread(world: World, random: Random, id: number): ThreadPlan {
  const topic = random.pick(world.refs).topic;
  const title = `${random.pick(THREAD_OPENINGS)} ${topic.toLowerCase()}`;
  const subforum = random.chance(90)
    ? random.between(1, OPEN_SUBFORUMS)
    : random.between(OPEN_SUBFORUMS + 1, SUBFORUMS.length);
  const type = random.pick(["question", "question", "discussion", "idea", "bug"]);
  const posts: PostPlan[] = [];
  const count = random.between(1, 8);
  for (let index = 0; index < count; index++) {
    const roll = index === 0 ? 99 : random.below(100);
    const row =
      roll < 3
        ? { is_hidden: 1 }
        : roll < 6
          ? { is_whisper: 1 }
          : roll < 9
            ? { deleted_at: world.at(-DAY) }
            : {};
    posts.push({ body: paragraphs(random, topic, random.between(1, 2)), hidden: roll < 9, row });
  }
  return {
    slug: `${slugify(title)}-${id}`,
    title,
    subforum,
    category: random.chance(80) ? random.between(1, CATEGORIES.length) : null,
    type,
    hidden: subforum > OPEN_SUBFORUMS,
    posts,
    ...(type === "question" && count > 2 && random.chance(60) ? { solvedBy: random.between(2, count) } : {}),
    row: { is_pinned: random.chance(1) ? 1 : 0, is_locked: random.chance(4) ? 1 : 0 },
  };
}

/** Posts of one thread follow each other by minutes to days; the thread's own clock counts the hidden ones too. */
function seedThread(world: World, random: Random, plan: ThreadPlan, id: number, firstPost: number): void {
  let time = world.options.now - random.between(30, 900) * DAY - random.below(DAY);
  const createdAt = formatTime(time);
  const authors = { id: random.between(1, world.users) };
  const rows = plan.posts.map((post, index) => {
    if (index > 0) time = Math.min(time + random.between(5, 4000) * MINUTE, world.options.now - 60 + index);
    return {
      id: firstPost + index,
      thread_id: id,
      post_number: index + 1,
      author_id:
        post.author === undefined ? (index === 0 ? authors.id : random.between(1, world.users)) : post.author,
      body_html: post.body,
      created_at: formatTime(time),
      edited_at: null,
      is_hidden: 0,
      is_whisper: 0,
      deleted_at: null,
      ...post.row,
    };
  });
  world.writer.add(
    "threads",
    id,
    {
      id,
      slug: plan.slug,
      subforum_id: plan.subforum,
      category_id: plan.category,
      type: plan.type,
      title: plan.title,
      is_pinned: 0,
      is_locked: 0,
      solved_post_id: plan.solvedBy === undefined ? null : firstPost + plan.solvedBy - 1,
      view_count: random.below(5000),
      like_count: random.below(60),
      created_at: createdAt,
      last_activity_at: formatTime(time),
      author_id: authors.id,
      visibility: "public",
      deleted_at: null,
      moderation_state: "approved",
      ...plan.row,
    },
    plan.hidden,
  );
  rows.forEach((row, index) => {
    world.writer.add("posts", row.id, row, plan.hidden || plan.posts[index]?.hidden === true);
  });
}

export function seedForum(world: World): void {
  const random = world.random("forum");
  seedRooms(world);
  const edges = edgeThreads(world);
  const count = Math.max(edges.length, Math.min(Math.floor(world.options.products / 2), 5000));
  let nextPost = 1;
  for (let id = 1; id <= count; id++) {
    const plan = edges[id - 1] ?? ordinaryThread(world, random, id);
    seedThread(world, random, plan, id, nextPost);
    nextPost += plan.posts.length;
  }
}
