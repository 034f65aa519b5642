/** What runs the shop: tickets, messages, widgets, keys, sessions, logs, secrets. All private but the widgets. */
import { privateId } from "./canary.ts";
import type { World } from "./world.ts";

const SETTINGS_ROWS = 12;

export function seedOffice(world: World): void {
  const random = world.random("office");
  const count = Math.min(world.options.products, 2000);
  for (let number = 1; number <= count; number++) {
    const status = random.pick(["open", "waiting", "closed"]);
    world.writer.add("tickets", number, { customer_id: privateId(number), status });
    const sender = random.between(1, world.users);
    world.writer.add("private_messages", number, {
      sender_id: sender,
      recipient_id: 1 + (sender % world.users),
    });
    world.writer.add("sessions", number, { user_id: sender });
    world.writer.add("audit_log", number, {});
  }
  for (let number = 1; number <= SETTINGS_ROWS; number++) {
    for (const table of ["settings", "api_keys", "webhooks"]) world.writer.add(table, number, {});
  }
  const widgets = ["reviews", "product_card", "rating_badge"];
  widgets.forEach((type, index) => {
    const isEnabled = index < 2;
    const row = {
      id: index + 1,
      type,
      title: `Widget ${type}`,
      config_public: '{"theme":"light"}',
      is_enabled: isEnabled ? 1 : 0,
    };
    world.writer.add("widgets", index + 1, row, !isEnabled);
  });
}
