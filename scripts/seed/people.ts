/** Users of the forum, customers and where they live. */
import { privateId } from "./canary.ts";
import { displayName } from "./prose.ts";
import { DAY } from "./time.ts";
import type { World } from "./world.ts";

/** Has no name to show. */
export const NAMELESS_USER = 7;
/** Has an empty one. */
export const BLANK_USER = 8;

function roleOf(id: number): string {
  if (id === 1) return "admin";
  if (id <= 4) return "staff";
  return id <= 10 ? "author" : "member";
}

export function seedPeople(world: World): void {
  const random = world.random("people");
  for (let id = 1; id <= world.users; id++) {
    const name = id === NAMELESS_USER ? null : id === BLANK_USER ? "  " : displayName(random);
    world.writer.add("users", id, {
      id,
      display_name: name,
      avatar_url: random.chance(60) ? `/avatars/${id}.png` : null,
      role: roleOf(id),
      created_at: world.at(-random.between(100, 1500) * DAY),
    });
  }
  for (let number = 1; number <= world.customers; number++) {
    world.writer.add("customers", number, {
      user_id: number <= world.users ? number : null,
      status: random.chance(90) ? "active" : random.pick(["inactive", "blocked"]),
      marketing_opt_in: random.chance(40) ? 1 : 0,
    });
    if (number <= world.orders) {
      world.writer.add("customer_addresses", number, { customer_id: privateId(number), type: "billing" });
    }
  }
}
