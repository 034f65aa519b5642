/** Which tables are never proposed, and which columns say that a row is not public: by names as shops have them. */
import { describe, expect, it } from "vitest";
import { type Purpose, vetoOf, wordsOf } from "../../src/setup/names.ts";
import { type Column, kindOf, type Schema } from "../../src/setup/schema.ts";
import { meaningOf } from "../../src/setup/states.ts";
import { chooseTables } from "../../src/setup/tables.ts";

/** `name` or `name>table` of a foreign key; the first is the key. */
function columnsOf(list: string): Column[] {
  return list.split(/\s+/).map((each, at) => {
    const [name = "", ...references] = each.split(">");
    const type = at === 0 || /_?id$/i.test(name) ? "integer" : "text";
    return { name, type, kind: kindOf(type, "sqlite"), isKey: at === 0, references };
  });
}

const schemaOf = (tables: Readonly<Record<string, string>>): Schema =>
  new Map(Object.entries(tables).map(([name, list]) => [name, columnsOf(list)]));

it.each([
  ["oc_order_product", "oc order product"],
  ["OrderItems", "order item"],
  ["tblCustomerInvoices", "tbl customer invoice"],
  ["HTMLBody2", "html body"],
  ["categories", "category"],
  ["order-status", "order status"],
  ["addresses", "address"],
])("%s has the words %s", (name, words) => expect(wordsOf(name).join(" ")).toBe(words));

describe("a table", () => {
  /** Table, columns, what it looks like, and what is said against it. */
  const CASES: readonly (readonly [string, string, Purpose, string | null])[] = [
    // Names
    ["order_product", "order_product_id name price", "products", "its name speaks of orders"],
    ["oc_order_product", "id order_id name price engraving", "products", "its name speaks of orders"],
    ["OrderItems", "Id Name Price", "products", "its name speaks of orders"],
    ["cartItem", "id name price", "products", "its name speaks of carts"],
    ["shopping_basket_items", "id name price", "products", "its name speaks of baskets"],
    ["invoiceItems", "id name price", "products", "its name speaks of invoices"],
    ["QuoteProduct", "id name price", "products", "its name speaks of quotes"],
    ["customer_products", "id name price", "products", "its name speaks of customers"],
    ["user_items", "id name price", "products", "its name speaks of users"],
    ["session_items", "id name price", "products", "its name speaks of sessions"],
    ["payment_items", "id name price", "products", "its name speaks of payments"],
    ["message_articles", "id name price", "products", "its name speaks of messages"],
    ["ospos_sales_items", "id name price", "products", "its name speaks of sales"],
    ["wishlist_item", "id name price", "products", "its name speaks of wishlists"],
    ["customer_categories", "id name", "categories", "its name speaks of customers"],
    ["order_reviews", "id rating body", "reviews", "its name speaks of orders"],
    ["payment_reviews", "id rating body", "reviews", "its name speaks of payments"],
    ["staff_reviews", "id rating body", "reviews", "its name speaks of staffs"],
    // Columns
    ["items", "id order_id name price", "products", "its column order_id speaks of orders"],
    ["items", "id orderId name price", "products", "its column orderId speaks of orders"],
    ["items", "id orderid name price", "products", "its column orderid speaks of orders"],
    ["items", "id id_cart name price", "products", "its column id_cart speaks of carts"],
    ["items", "id invoice_no name price", "products", "its column invoice_no speaks of invoices"],
    ["items", "id name price customer_email", "products", "its column customer_email speaks of customers"],
    ["items", "id name price customer", "products", "its column customer speaks of customers"],
    ["items", "id name price user_id", "products", "its column user_id speaks of users"],
    ["items", "id name price session_token", "products", "its column session_token speaks of sessions"],
    ["items", "id name price payment_status", "products", "its column payment_status speaks of payments"],
    ["items", "id name price gift_message", "products", "its column gift_message speaks of messages"],
    ["items", "id name price quote_id", "products", "its column quote_id speaks of quotes"],
    ["items", "id name price email", "products", "its column email speaks of emails"],
    [
      "reviews",
      "id product_id rating body message_id",
      "reviews",
      "its column message_id speaks of messages",
    ],
    // Foreign keys
    ["items", "id name price parent>orders", "products", "its column parent refers to orders"],
    [
      "items",
      "id name price belongs>shop_customers",
      "products",
      "its column belongs refers to shop_customers",
    ],
    ["items", "id name price owner>users", "products", "its column owner refers to users"],
    ["items", "id name price created_by>customers", "products", "its column created_by refers to customers"],
    ["reviews", "id rating body parent>messages", "reviews", "its column parent refers to messages"],
    // What products, categories and reviews of any shop have
    ["products", "id name price sort_order display_order menu_order order", "products", null],
    ["products", "id name price min_order_qty max_order_quantity reorder_level backorders", "products", null],
    ["products", "id name price order_code preorder_price pre_order purchase_price", "products", null],
    ["products", "id name price user_manual max_users customer_rating users_limit", "products", null],
    [
      "products",
      "id name price cart_limit add_to_cart_text payment_terms out_of_stock_message",
      "products",
      null,
    ],
    ["products", "id name price created_by>users updated_by_user_id>users vendor_id>users", "products", null],
    ["products", "id name price seller_user_id quoted quote category_id>categories", "products", null],
    ["oc_product", "id name price tax_class_id manufacturer_id", "products", null],
    ["cartridge_products", "id name price", "products", null],
    ["categories", "id name sort_order parent_id>categories", "categories", null],
    ["reviews", "id product_id rating body customer_name customer_id>customers", "reviews", null],
    [
      "product_reviews",
      "id product_id rating body author_email user_id>users order_id>orders",
      "reviews",
      null,
    ],
    ["customer_reviews", "id product_id rating text verified_order_id quoted", "reviews", null],
    ["reviews", "id product_id rating message email", "reviews", null],
  ];

  it.each(CASES)("%s (%s) as %s: %s", (table, columns, purpose, veto) => {
    expect(vetoOf(table, columnsOf(columns), purpose)).toBe(veto);
  });

  it("of order lines is not taken for products, whatever else is there", () => {
    const lines = {
      oc_order_product: "order_product_id order_id product_id name model quantity price engraving",
    };
    const catalog = {
      oc_product: "product_id model price status",
      oc_product_description: "product_id language_id name description",
    };
    expect(() => chooseTables(schemaOf(lines))).toThrow(
      /never proposed are oc_order_product: its name speaks of orders/,
    );
    const { products } = chooseTables(schemaOf({ ...lines, ...catalog }));
    expect([products.table.name, products.texts?.name]).toEqual(["oc_product", "oc_product_description"]);
    expect(() => chooseTables(schemaOf(lines), new Map(), { products: "oc_order_product" })).toThrow(
      /never proposed: its name speaks of orders/,
    );
  });

  it("is chosen by what it is called, and not where two are called alike", () => {
    const like = (...names: string[]) =>
      schemaOf(Object.fromEntries(names.map((name) => [name, "id name price"])));
    expect(chooseTables(like("menu_items", "products", "items")).products.table.name).toBe("products");
    expect(chooseTables(like("shop_product", "order_product")).products.table.name).toBe("shop_product");
    expect(() => chooseTables(like("a_products", "b_products"))).toThrow(
      /a_products or b_products\? That can't be told/,
    );
    expect(() => chooseTables(schemaOf({ users: "id name email", items: "id name" }))).toThrow(
      /None of the store's 2 tables/,
    );
  });

  it("of reviews that nobody approves is not proposed, and that is said", () => {
    const { reviews, notes } = chooseTables(
      schemaOf({ products: "id name price", reviews: "id product_id rating body" }),
    );
    expect([reviews, notes]).toEqual([undefined, [expect.stringMatching(/^Reviews: reviews has no column/)]]);
  });
});

describe("a column", () => {
  it.each([
    ...[
      "status",
      "state",
      "visibility",
      "product_status",
      "status_id",
      "approval_status",
      "publish_status",
    ].map((name) => [name, "state"]),
    ...[
      "active",
      "is_active",
      "enabled",
      "is_listed",
      "online",
      "published",
      "visible",
      "visible_individually",
    ].map((name) => [name, "yes"]),
    ...["deleted", "isDeleted", "inactive", "members_only", "hidden", "is_draft", "archived"].map((name) => [
      name,
      "no",
    ]),
    ...["deleted_at", "removed_at", "date_archived", "DisabledOn"].map((name) => [name, "gone"]),
    ...["published_at", "date_available", "available_from", "embargo_until", "release_date"].map((name) => [
      name,
      "from",
    ]),
    ...["available_until", "expires_at", "expiry_date", "valid_to", "expires", "discontinue_on"].map(
      (name) => [name, "until"],
    ),
    ...["is_not_published", "online_only"].map((name) => [name, "state"]),
    ["password", "password"],
  ])("%s means: %s", (name, meaning) => expect(meaningOf(name)).toBe(meaning));

  it.each([
    "id",
    "name",
    "price",
    "created_at",
    "updated_at",
    "public_id",
    "public_url",
    "release_notes",
    "sort_order",
  ])("%s says nothing of a row's being public", (name) => expect(meaningOf(name)).toBeNull());

  it.each([
    ["tinyint(1) unsigned", "mysql", "number"],
    ["enum('a','b')", "mysql", "text"],
    ["bit(1)", "mysql", "number"],
    ["set('a','b')", "mysql", "any"],
    ["bit", "postgres", "any"],
    ["boolean", "postgres", "boolean"],
    ["boolean", "sqlite", "number"],
    ["character varying", "postgres", "text"],
    ["integer[]", "postgres", "any"],
    ["interval", "postgres", "any"],
    ["point", "postgres", "any"],
    ["timestamp without time zone", "postgres", "time"],
    ["unsigned big int", "sqlite", "number"],
    ["int unsigned", "mysql", "number"],
    ["", "sqlite", "any"],
  ] as const)("of the type %s in %s holds: %s", (type, dialect, kind) =>
    expect(kindOf(type, dialect)).toBe(kind),
  );
});
