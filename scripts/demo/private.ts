/** What the demo's shop knows of people and must never tell: customers, orders, keys, mail. Invented by chance, seeded. */
import { faker } from "@faker-js/faker/locale/en";
import { between, chance, pick, publicNames, reseed } from "../seed/dice.ts";
import { formatTime, parseTime } from "../seed/time.ts";
import { type Insert, SHOP } from "./texts.ts";

const CUSTOMERS = 260;
const FIRST_ORDER = parseTime("2022-03-20 00:00:00");
const LAST_ORDER = parseTime("2026-11-24 00:00:00");
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

export interface Order {
  readonly id: number;
  readonly customer: number;
  readonly email: string;
}

/** Somebody's private address: of a domain that is reserved for examples. */
export function emailOf(name: string, id: number): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, ".")
    .toLowerCase();
  return `${plain.replace(/^\.|\.$/g, "") || "customer"}.${id}@mail.example`;
}

export const address = (): string => `198.51.100.${between(1, 254)}`;

/** Invented customers and what they bought. Reviews name their orders. */
export function addPeople(
  insert: Insert,
  products: readonly { readonly id: number; readonly price: number }[],
): Order[] {
  reseed("demo", "people");
  const names = publicNames().slice(0, CUSTOMERS);
  const orders: Order[] = [];
  for (const [at, code] of SHOP.hidden.coupons.entries())
    insert("coupons", {
      id: at + 1,
      code,
      amount_type: "percent",
      amount: 10 + 5 * at,
      use_count: between(3, 40),
    });
  for (const [at, name] of names.entries()) {
    const customer = at + 1;
    const email = emailOf(name, customer);
    insert("customers", {
      id: customer,
      email,
      name,
      phone: faker.phone.number({ style: "international" }),
      company: chance(40) ? faker.company.name() : null,
      status: "active",
      country: faker.location.countryCode(),
      notes: chance(8) ? "Asked for an invoice by post." : null,
      marketing_opt_in: Number(chance(30)),
      date_created: formatTime(between(FIRST_ORDER, LAST_ORDER)),
    });
    insert("customer_addresses", {
      id: customer,
      customer_id: customer,
      type: "billing",
      name,
      address: faker.location.streetAddress(),
      city: faker.location.city(),
      postal_code: faker.location.zipCode(),
    });
    for (let count = between(1, 3); count > 0; count--) {
      const id = orders.length + 1;
      const { id: product, price } = pick(products);
      const time = formatTime(between(FIRST_ORDER, LAST_ORDER));
      insert("orders", {
        id,
        order_number: `NL-${10_000 + id}`,
        status: chance(96) ? "complete" : "refunded",
        type: "sale",
        customer_id: customer,
        email,
        ip: address(),
        user_agent: BROWSER,
        gateway: "stripe",
        mode: "live",
        currency: "EUR",
        payment_key: faker.string.alphanumeric(24),
        subtotal: price,
        tax: Math.round(price / 4),
        total: price + Math.round(price / 4),
        date_created: time,
        date_completed: time,
      });
      insert("order_items", {
        id,
        order_id: id,
        product_id: product,
        quantity: 1,
        amount: price,
        total: price,
        status: "complete",
      });
      insert("license_keys", {
        id,
        license_key: faker.string.alphanumeric({ length: 20, casing: "upper" }),
        product_id: product,
        order_id: id,
        customer_id: customer,
        status: "active",
        activation_limit: 3,
        activation_count: between(0, 3),
      });
      orders.push({ id, customer, email });
    }
  }
  return orders;
}
