/** What shops do to their databases, at random but repeatable: every kind of change that can be seen from outside. */
import type Database from "better-sqlite3";

export type Random = (below: number) => number;

/** Mulberry32: small, and the same everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Shop {
  readonly db: Database.Database;
  readonly random: Random;
}

function anyId({ db, random }: Shop, table: string, condition = "1"): number {
  const ids = db.prepare<[], number>(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id`).pluck().all();
  return ids[random(Math.max(1, ids.length))] ?? 0;
}

/** A copy of a row with a new id, and some columns changed. */
function copyRow({ db }: Shop, table: string, id: number, change: Readonly<Record<string, unknown>>): void {
  const row = db.prepare<[number], Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = ?`).get(id);
  if (row === undefined) return;
  const next = { ...row, ...change };
  const columns = Object.keys(next);
  db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`).run(
    ...Object.values(next),
  );
}

function nextId({ db }: Shop, table: string): number {
  return (db.prepare<[], number>(`SELECT MAX(id) FROM ${table}`).pluck().get() ?? 0) + 1;
}

type Edit = (shop: Shop) => void;

const run =
  (sql: (shop: Shop) => string): Edit =>
  (shop) =>
    shop.db.exec(sql(shop));

const VISIBLE = "status = 'published' AND visibility = 'visible'";

function addProduct(shop: Shop): void {
  const of = anyId(shop, "products", VISIBLE);
  const id = nextId(shop, "products");
  copyRow(shop, "products", of, {
    id,
    slug: `new-product-${id}`,
    sku: `NEW-${id}`,
    name: `New product ${id}`,
  });
  shop.db.exec(`INSERT INTO product_categories SELECT ${id}, category_id, is_primary FROM product_categories
    WHERE product_id = ${of}`);
}

function swapSlugs(shop: Shop): void {
  const [a, b] = [anyId(shop, "products", VISIBLE), anyId(shop, "products", VISIBLE)];
  if (a === b) return;
  const slugOf = (id: number) =>
    shop.db.prepare<[number], string>("SELECT slug FROM products WHERE id = ?").pluck().get(id) ?? "";
  const [ofA, ofB] = [slugOf(a), slugOf(b)];
  const set = shop.db.prepare("UPDATE products SET slug = ? WHERE id = ?");
  set.run("waiting", a);
  set.run(ofA, b);
  set.run(ofB, a);
}

const EDITS: Readonly<Record<string, Edit>> = {
  price: run((shop) => {
    const id = anyId(shop, "products");
    return `UPDATE products SET regular_price_minor = ${100 + shop.random(20_000)} WHERE id = ${id}`;
  }),
  title: run((shop) => {
    const id = anyId(shop, "products");
    return `UPDATE products SET name = 'Renamed ${shop.random(99)} <b>kit</b>' WHERE id = ${id}`;
  }),
  description: run((shop) => {
    const id = anyId(shop, "products");
    return `UPDATE products SET description_html = '<p>Words ${shop.random(9)} of <script>x</script> ${id}</p>' WHERE id = ${id}`;
  }),
  slug: run((shop) => {
    const id = anyId(shop, "products");
    return `UPDATE products SET slug = 'renamed-${id}-${shop.random(1000)}' WHERE id = ${id}`;
  }),
  swapSlugs,
  hide: run(
    (shop) => `UPDATE products SET visibility = 'hidden' WHERE id = ${anyId(shop, "products", VISIBLE)}`,
  ),
  show: run((shop) => `UPDATE products SET visibility = 'visible' WHERE id = ${anyId(shop, "products")}`),
  addProduct,
  removeProduct: run((shop) => {
    const id = anyId(shop, "products", VISIBLE);
    return `DELETE FROM product_categories WHERE product_id = ${id}`;
  }),
  moveCategory: run((shop) => {
    const category = anyId(shop, "categories", "is_visible = 1");
    const id = anyId(shop, "products", VISIBLE);
    return `DELETE FROM product_categories WHERE product_id = ${id};
      INSERT INTO product_categories VALUES (${id}, ${category}, 1)`;
  }),
  renameCategory: run((shop) => {
    const id = anyId(shop, "categories");
    return `UPDATE categories SET name = 'Shelf ${shop.random(50)}' WHERE id = ${id}`;
  }),
  slugOfCategory: run((shop) => {
    const id = anyId(shop, "categories");
    return `UPDATE categories SET slug = 'shelf-${id}-${shop.random(50)}' WHERE id = ${id}`;
  }),
  hideCategory: run(
    (shop) =>
      `UPDATE categories SET is_visible = 0 WHERE id = ${anyId(shop, "categories", "parent_id IS NOT NULL")}`,
  ),
  showCategories: run(() => "UPDATE categories SET is_visible = 1"),
  featured: run(
    (shop) => `UPDATE products SET featured = 1 - featured WHERE id = ${anyId(shop, "products")}`,
  ),
  approveReview: run((shop) => `UPDATE reviews SET status = 'approved' WHERE id = ${anyId(shop, "reviews")}`),
  withdrawReview: run(
    (shop) =>
      `UPDATE reviews SET status = 'rejected' WHERE id = ${anyId(shop, "reviews", "status = 'approved'")}`,
  ),
  rerate: run(
    (shop) =>
      `UPDATE reviews SET rating = ${1 + shop.random(5)} WHERE id = ${anyId(shop, "reviews", "status = 'approved'")}`,
  ),
  moveReview: run(
    (shop) => `UPDATE reviews SET product_id = ${anyId(shop, "products", VISIBLE)}
      WHERE id = ${anyId(shop, "reviews", "status = 'approved'")}`,
  ),
  flood: run(() => "UPDATE reviews SET rating = 6 - rating WHERE id % 2 = 0"),
  addReview: (shop) => {
    const id = nextId(shop, "reviews");
    copyRow(shop, "reviews", anyId(shop, "reviews", "status = 'approved'"), { id, title: `Review ${id}` });
  },
  faq: run(
    (shop) => `UPDATE faqs SET question = 'Why ${shop.random(99)}?' WHERE id = ${anyId(shop, "faqs")}`,
  ),
  removeFaq: run((shop) => `DELETE FROM faqs WHERE id = ${anyId(shop, "faqs")}`),
  release: run(
    (shop) =>
      `UPDATE releases SET version = '9.${shop.random(99)}' WHERE id = ${anyId(shop, "releases", "status = 'listed'")}`,
  ),
  addRelease: (shop) => {
    const id = nextId(shop, "releases");
    const of = anyId(shop, "releases", "status = 'listed'");
    copyRow(shop, "releases", of, { id, version: `10.${id}`, published_at: "2026-11-19 10:00:00" });
  },
  yank: run((shop) => `UPDATE releases SET status = 'yanked' WHERE id = ${anyId(shop, "releases")}`),
  post: run(
    (shop) =>
      `UPDATE blog_posts SET title = 'Post ${shop.random(99)}' WHERE id = ${anyId(shop, "blog_posts")}`,
  ),
  thread: run(
    (shop) => `UPDATE threads SET title = 'Thread ${shop.random(99)}' WHERE id = ${anyId(shop, "threads")}`,
  ),
  removePost: run((shop) => `DELETE FROM posts WHERE id = ${anyId(shop, "posts", "post_number > 1")}`),
  store: run((shop) => `UPDATE store_settings SET tagline = 'Tag ${shop.random(99)}'`),
  sale: run(
    (shop) => `UPDATE sale_windows SET is_active = 1 - is_active WHERE id = ${anyId(shop, "sale_windows")}`,
  ),
  preorder: run((shop) => {
    const state = ["open", "paused", "cancelled"][shop.random(3)];
    return `UPDATE preorders SET state = '${state}' WHERE id = ${anyId(shop, "preorders")}`;
  }),
  extendedPrice: run(
    (shop) =>
      `UPDATE license_tiers SET price_minor = price_minor + 100 WHERE id = ${anyId(shop, "license_tiers", "slug = 'extended'")}`,
  ),
  image: run(
    (shop) =>
      `UPDATE product_media SET url = '/media/${shop.random(99)}.png' WHERE id = ${anyId(shop, "product_media")}`,
  ),
  removeImages: run(
    (shop) => `DELETE FROM product_media WHERE product_id = ${anyId(shop, "products", VISIBLE)}`,
  ),
  nameOfReviewer: run(
    (shop) => `UPDATE users SET display_name = 'User ${shop.random(99)}' WHERE id = ${anyId(shop, "users")}`,
  ),
  removeReview: run(
    (shop) => `DELETE FROM reviews WHERE id = ${anyId(shop, "reviews", "status = 'approved'")}`,
  ),
  hidePost: run(
    (shop) =>
      `UPDATE posts SET is_hidden = 1 - is_hidden WHERE id = ${anyId(shop, "posts", "post_number = 1")}`,
  ),
  subforum: run(
    (shop) => `UPDATE subforums SET name = 'Room ${shop.random(99)}' WHERE id = ${anyId(shop, "subforums")}`,
  ),
  hideSubforum: run(
    (shop) => `UPDATE subforums SET is_hidden = 1 - is_hidden WHERE id = ${anyId(shop, "subforums")}`,
  ),
  socialLink: run(
    (shop) => `UPDATE social_links SET is_enabled = 1 - is_enabled WHERE id = ${anyId(shop, "social_links")}`,
  ),
  // Wrong rows: the first two are left out, the others lose a value.
  wrongSlug: run(
    (shop) => `UPDATE products SET slug = 'No Slug! ' || id WHERE id = ${anyId(shop, "products", VISIBLE)}`,
  ),
  wrongRating: run(
    (shop) => `UPDATE reviews SET rating = 9 WHERE id = ${anyId(shop, "reviews", "status = 'approved'")}`,
  ),
  wrongImage: run(
    (shop) =>
      `UPDATE product_media SET url = 'javascript:alert(1)' WHERE id = ${anyId(shop, "product_media")}`,
  ),
  wrongAddress: run(
    (shop) =>
      `UPDATE products SET demo_url = 'http://127.0.0.1/x' WHERE id = ${anyId(shop, "products", VISIBLE)}`,
  ),
  order: run((shop) => `UPDATE orders SET total = total + 1 WHERE id = ${anyId(shop, "orders")}`),
  nothing: () => undefined,
};

/** Does one edit, and says which. */
export function editAtRandom(db: Database.Database, random: Random): string {
  const names = Object.keys(EDITS);
  const name = names[random(names.length)] ?? "nothing";
  db.transaction(() => EDITS[name]?.({ db, random }))();
  return name;
}
