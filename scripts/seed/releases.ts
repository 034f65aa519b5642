/** Releases in every state, each with a file that only buyers may fetch. About one to a product. */
import { HOSTILE_HTML, releaseNotes } from "./prose.ts";
import type { Random } from "./random.ts";
import { DAY, formatTime, START_FAR } from "./time.ts";
import type { ProductRef, World } from "./world.ts";
import type { Row } from "./writer.ts";

/** Product 12 has one of each: status, moment, and whether it must never show. */
function edgeReleases(world: World): { readonly row: Row; readonly hidden: boolean }[] {
  const release = (
    version: string,
    status: string,
    publishedAt: string | null,
    hidden: boolean,
    more: Row = {},
  ) => ({
    row: { version, title: `Invoice Kit ${version}`, status, published_at: publishedAt, ...more },
    hidden,
  });
  return [
    release("3.2.1", "listed", world.at(-3 * DAY), false),
    release("3.2.0", "yanked", world.at(-5 * DAY), true),
    release("3.1.0", "listed", world.at(-40 * DAY), false, { notes_html: HOSTILE_HTML }),
    release("3.0.0-beta.1+build.5", "listed", world.at(-90 * DAY), false, {
      channel: "beta",
      title: "3.0 & <beta>",
    }),
    release("2.9.0", "unlisted", world.at(-120 * DAY), true),
    release("4.0.0", "draft", null, true),
    release("4.0.1", "draft", world.at(4), true),
    release("4.1.0", "scheduled", START_FAR, true),
    release("3.2.2", "scheduled", world.at(3 * DAY), false, {
      title: "Invoice Kit 3.2.2, out in three days",
    }),
    release("3.2.1.1", "scheduled", world.at(-DAY), false, {
      title: "Invoice Kit 3.2.1.1, scheduled and due",
    }),
    release("4.2.0", "listed", START_FAR, true),
  ];
}

function releaseRow(world: World, random: Random, id: number, ref: ProductRef): Row {
  const version = `${random.between(1, 6)}.${random.below(10)}.${random.below(20)}`;
  const age = random.between(1, Math.max(2, Math.floor((world.options.now - ref.createdAt) / DAY)));
  return {
    id,
    product_id: ref.id,
    version,
    channel: random.chance(90) ? "stable" : "beta",
    title: random.chance(50) ? `Version ${version}` : `${ref.topic} ${version}`,
    notes_html: releaseNotes(random, ref.topic),
    is_breaking: random.chance(10) ? 1 : 0,
    requires: random.chance(20) ? "Node 20" : null,
    published_at: formatTime(world.options.now - age * DAY + random.below(DAY)),
    status: "listed",
  };
}

function countFor(random: Random): number {
  const roll = random.below(100);
  if (roll < 45) return 0;
  return roll < 80 ? 1 : random.between(2, 4);
}

function addRelease(world: World, row: Row, id: number, productId: number, hidden: boolean): void {
  world.writer.add("releases", id, row, hidden);
  world.writer.add("product_files", id, { product_id: productId, release_id: id });
}

export function seedReleases(world: World): void {
  const random = world.random("releases");
  const edges = edgeReleases(world);
  let id = 0;
  for (const ref of world.refs) {
    if (ref.id === 12) {
      for (const edge of edges) {
        id++;
        addRelease(world, { ...releaseRow(world, random, id, ref), ...edge.row }, id, ref.id, edge.hidden);
      }
      continue;
    }
    const count = countFor(random);
    for (let index = 0; index < count; index++) {
      id++;
      const status = random.chance(93) ? "listed" : random.pick(["draft", "unlisted", "yanked"]);
      const row = { ...releaseRow(world, random, id, ref), status };
      addRelease(world, row, id, ref.id, ref.hidden || status !== "listed");
    }
  }
}
