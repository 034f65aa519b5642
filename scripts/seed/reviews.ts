/** Reviews in every state, and what staff answered. About three to a product. */
import { privateId } from "./canary.ts";
import { displayName, reviewBody, reviewTitle } from "./prose.ts";
import type { Random } from "./random.ts";
import { DAY, formatTime } from "./time.ts";
import type { ProductRef, World } from "./world.ts";
import type { Row } from "./writer.ts";

const STATES: readonly string[] = ["pending", "rejected", "spam", "deleted"];
const RATINGS: readonly number[] = [5, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 1];

/** Reviews of product 12 that stand for a rule; all approved. */
const EDGES: readonly Row[] = [
  { title: "By nobody in particular", display_name: null, avatar_url: "/avatars/must-not-show.png" },
  { title: "By a blank", display_name: "   ", avatar_url: "/avatars/must-not-show.png" },
  { title: null, body: null, rating: 4 },
  {
    title: `<b>Bold</b> & "quoted"`,
    body: "<script>alert('review')</script> <img src=x onerror=alert(1)> 5 > 4 & 3 < 4",
    rating: 5,
  },
  {
    title: "日本語のレビュー 🎉",
    body: "とても使いやすいです。\n二行目。",
    display_name: "さくら",
    rating: 5,
  },
  { title: "ממליץ בחום", body: "כלי מצוין לעסק קטן.", display_name: "נועה", rating: 5 },
  { title: "Bought it", body: "And would again.", order_id: privateId(1), rating: 5 },
  { title: "Did not buy it", body: "Tried it at a friend's.", order_id: null, rating: 2 },
];

function reviewRow(world: World, random: Random, id: number, ref: ProductRef, status: string): Row {
  const rating = random.pick(RATINGS);
  const age = random.between(1, Math.max(2, Math.floor((world.options.now - ref.createdAt) / DAY) - 1));
  const createdAt = world.options.now - age * DAY + random.below(DAY);
  const isAnonymous = random.chance(6);
  return {
    id,
    product_id: ref.id,
    rating,
    title: reviewTitle(random, rating),
    body: reviewBody(random, rating),
    helpful_count: random.below(30),
    created_at: formatTime(createdAt),
    updated_at: formatTime(createdAt),
    display_name: isAnonymous ? null : displayName(random),
    avatar_url: random.chance(30) ? `/avatars/${random.between(1, world.users)}.png` : null,
    customer_id: privateId(random.between(1, world.customers)),
    order_id: random.chance(70) ? privateId(random.between(1, world.orders)) : null,
    status,
  };
}

/** Most products have a few, some none, some many: 0 to 9, three on average. Product 12 is a favourite. */
function countFor(random: Random, ref: ProductRef): number {
  if (ref.id === 12) return 40;
  const roll = random.below(100);
  if (roll < 20) return 0;
  return roll < 85 ? random.between(1, 5) : random.between(5, 9);
}

function seedReply(world: World, random: Random, replies: number, reviewId: number, hidden: boolean): void {
  const isDraft = replies % 5 === 0;
  const row = {
    id: replies,
    review_id: reviewId,
    body: "Thank you for writing this down. We read each one on Monday mornings.",
    created_at: world.at(-random.between(1, 20) * DAY),
    is_draft: isDraft ? 1 : 0,
  };
  world.writer.add("review_replies", replies, row, hidden || isDraft);
}

export function seedReviews(world: World): void {
  const random = world.random("reviews");
  let id = 0;
  let replies = 0;
  for (const ref of world.refs) {
    const count = countFor(random, ref);
    for (let index = 0; index < count; index++) {
      id++;
      // Product 12 has each state at least once, whatever the dice say.
      const forced = ref.id === 12 ? STATES[index] : undefined;
      const status = forced ?? (random.chance(88) ? "approved" : random.pick(STATES));
      const edge = ref.id === 12 ? EDGES[index - STATES.length] : undefined;
      const hidden = ref.hidden || (status !== "approved" && edge === undefined);
      const row = reviewRow(world, random, id, ref, status);
      world.writer.add(
        "reviews",
        id,
        edge === undefined ? row : { ...row, ...edge, status: "approved" },
        hidden,
      );
      if (random.chance(8)) seedReply(world, random, ++replies, id, hidden);
    }
  }
}
