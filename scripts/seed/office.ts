/** What only the shop's people see: coupons, orders with all that hangs on them, tickets, messages, keys, logs. */
import { privateId } from "./canary.ts";
import { between, chance, pick } from "./dice.ts";
import type { World } from "./world.ts";

/** The private id of any row of a table. */
export const anyOf = ({ writer }: World, table: string): number => privateId(between(1, writer.count(table)));

export function seedOrders(world: World): void {
  const { writer, refs } = world;
  for (let number = 1; number <= 20; number++) {
    writer.add("coupons", { amount_type: number % 2 === 0 ? "percent" : "fixed" });
  }
  for (let number = 1; number <= Math.min(refs.length, 50_000); number++) {
    const status = chance(88) ? "complete" : pick(["pending", "refunded", "failed", "abandoned"]);
    const refunded = status === "refunded";
    const bought = {
      order_id: privateId(number),
      customer_id: anyOf(world, "customers"),
      product_id: between(1, refs.length),
    };
    const { order_id, customer_id, product_id } = bought;
    const coupon_id = chance(10) ? anyOf(world, "coupons") : null;
    const type = refunded ? "refund" : "sale";
    writer.add("orders", { status, type, customer_id, mode: "live", currency: "EUR", coupon_id });
    const itemStatus = refunded ? "refunded" : "complete";
    writer.add("order_items", { order_id, product_id, quantity: 1, status: itemStatus });
    writer.add("transactions", { order_id, status: status === "failed" ? "failed" : "complete" });
    writer.add("download_logs", { ...bought, file_id: anyOf(world, "product_files") });
    if (number % 2 === 0) {
      const keyStatus = pick(["active", "active", "inactive", "expired", "disabled", "revoked"]);
      const key = writer.add("license_keys", { ...bought, status: keyStatus });
      if (number % 4 === 0) writer.add("license_activations", { license_id: privateId(key), is_local: 0 });
    }
    if (number % 5 === 0) writer.add("download_tokens", { order_item_id: order_id });
  }
}

export function seedOffice(world: World): void {
  const { writer, refs } = world;
  for (let number = 1; number <= Math.min(refs.length, 2000); number++) {
    const sender = between(1, writer.count("users"));
    writer.add("tickets", { customer_id: privateId(number), status: pick(["open", "waiting", "closed"]) });
    writer.add("private_messages", {
      sender_id: sender,
      recipient_id: between(1, writer.count("users")),
    });
    writer.add("sessions", { user_id: sender });
    writer.add("audit_log", {});
  }
  for (let number = 1; number <= 12; number++) {
    for (const table of ["settings", "api_keys", "webhooks"]) writer.add(table, {});
  }
}
