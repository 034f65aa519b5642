/** Threads that stand for a rule: closed rooms, whispers, solutions that were taken back, nameless authors. */
import { BLANK_USER, NAMELESS_USER } from "./people.ts";
import { HOSTILE_HTML } from "./prose.ts";
import { DAY, START_FAR } from "./time.ts";
import type { World } from "./world.ts";
import type { Row } from "./writer.ts";

export interface PostPlan {
  readonly body: string;
  /** Must never be seen: its words carry canaries. */
  readonly hidden: boolean;
  readonly author?: number | null;
  readonly row?: Row;
}

export interface ThreadPlan {
  readonly slug: string;
  readonly title: string;
  readonly subforum: number;
  readonly category: number | null;
  readonly type: string;
  readonly hidden: boolean;
  /** The opening post first. */
  readonly posts: readonly PostPlan[];
  /** Number of the post, from 1, that is marked as the solution. */
  readonly solvedBy?: number;
  readonly row?: Row;
}

function open(body: string, author?: number | null): PostPlan {
  return { body: `<p>${body}</p>`, hidden: false, ...(author === undefined ? {} : { author }) };
}

function shut(body: string, row: Row): PostPlan {
  return { body: `<p>${body}</p>`, hidden: true, row };
}

const QUESTION: PostPlan = open("How do I number invoices by year?");
const ANSWER: PostPlan = open("Set <code>numbering</code> to <code>yearly</code>.");

function thread(
  slug: string,
  title: string,
  posts: readonly PostPlan[],
  more: Partial<ThreadPlan> = {},
): ThreadPlan {
  return { slug, title, subforum: 1, category: 1, type: "question", hidden: false, posts, ...more };
}

function openThreads(world: World): ThreadPlan[] {
  const deletedAt = world.at(-DAY);
  const late = { created_at: START_FAR };
  return [
    thread("solved", "Numbering invoices by year", [QUESTION, ANSWER, open("Thank you!")], { solvedBy: 2 }),
    thread(
      "solution-deleted",
      "A solution that was deleted",
      [QUESTION, shut("Gone.", { deleted_at: deletedAt })],
      { solvedBy: 2 },
    ),
    thread(
      "solution-hidden",
      "A solution that was hidden",
      [QUESTION, shut("Hidden.", { is_hidden: 1 }), open("Anyone?")],
      {
        solvedBy: 2,
      },
    ),
    thread("whispers", "A thread with whispers", [
      QUESTION,
      shut("Between us.", { is_whisper: 1, ...late }),
      ANSWER,
    ]),
    thread("late-deleted", "The last word was deleted", [
      QUESTION,
      ANSWER,
      shut("Last.", { deleted_at: deletedAt, ...late }),
    ]),
    thread("pinned", "Read this first", [open("Search before you ask.", 2)], {
      type: "announcement",
      category: null,
      row: { is_pinned: 1, is_locked: 1 },
    }),
    thread("hidden-category", "In a category of our own", [open("Filed under something internal.")], {
      category: 4,
    }),
    thread("nameless", "Who wrote this?", [
      open("Somebody.", NAMELESS_USER),
      open("Nobody.", BLANK_USER),
      open("No account.", null),
    ]),
    thread(
      "awkward",
      `Ampersands & <angles> "quoted" é 日本 🎈`,
      [{ body: HOSTILE_HTML, hidden: false }, open("Seen it.")],
      {
        subforum: 3,
        type: "discussion",
      },
    ),
  ];
}

function shutThreads(world: World): ThreadPlan[] {
  const shutThread = (slug: string, more: Partial<ThreadPlan>): ThreadPlan =>
    thread(slug, `Behind a door: ${slug}`, [QUESTION, ANSWER], { ...more, hidden: true });
  return [
    shutThread("in-customers", { subforum: 4 }),
    shutThread("in-owners", { subforum: 5 }),
    shutThread("in-staff", { subforum: 6 }),
    shutThread("in-attic", { subforum: 7 }),
    shutThread("is-deleted", { row: { deleted_at: world.at(-DAY) } }),
    shutThread("is-pending", { row: { moderation_state: "pending" } }),
    shutThread("is-rejected", { row: { moderation_state: "rejected" } }),
    shutThread("for-members", { row: { visibility: "members" } }),
    shutThread("is-hidden", { row: { visibility: "hidden" } }),
    thread("opening-hidden", "The opening was hidden", [shut("Rude.", { is_hidden: 1 }), open("Why?")], {
      hidden: true,
    }),
  ];
}

export function edgeThreads(world: World): ThreadPlan[] {
  return [...openThreads(world), ...shutThreads(world)];
}
