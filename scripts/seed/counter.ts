/** What was bought: coupons, orders with their lines and payments, keys, downloads. Private from end to end. */
import { privateId } from "./canary.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

function seedOrder(world: World, random: Random, number: number): number {
  const id = privateId(number);
  const customer = privateId(random.between(1, world.customers));
  const productId = random.between(1, world.refs.length);
  const status = random.chance(88) ? "complete" : random.pick(["pending", "refunded", "failed", "abandoned"]);
  world.writer.add("orders", number, {
    id,
    status,
    type: status === "refunded" ? "refund" : "sale",
    customer_id: customer,
    mode: "live",
    currency: "EUR",
    coupon_id: random.chance(10) ? privateId(random.between(1, 20)) : null,
  });
  const line = {
    id,
    order_id: id,
    product_id: productId,
    quantity: 1,
    status: status === "refunded" ? "refunded" : "complete",
  };
  world.writer.add("order_items", number, line);
  world.writer.add("transactions", number, {
    id,
    order_id: id,
    status: status === "failed" ? "failed" : "complete",
  });
  if (number % 2 === 0) {
    const keyStatus = random.pick(["active", "active", "inactive", "expired", "disabled", "revoked"]);
    const key = { id, product_id: productId, order_id: id, customer_id: customer, status: keyStatus };
    world.writer.add("license_keys", number, key);
  }
  if (number % 4 === 0) world.writer.add("license_activations", number, { license_id: id, is_local: 0 });
  return productId;
}

export function seedCounter(world: World): void {
  const random = world.random("counter");
  for (let number = 1; number <= 20; number++) {
    world.writer.add("coupons", number, { amount_type: number % 2 === 0 ? "percent" : "fixed" });
  }
  for (let number = 1; number <= world.orders; number++) {
    const productId = seedOrder(world, random, number);
    // A release's file has the release's number: see releases.ts.
    world.writer.add("download_logs", number, {
      product_id: productId,
      file_id: privateId(1 + (number % Math.floor(world.refs.length / 2))),
      order_id: privateId(number),
      customer_id: privateId(random.between(1, world.customers)),
    });
    if (number % 5 === 0) world.writer.add("download_tokens", number, { order_item_id: privateId(number) });
  }
}
