/** Makes the demo's store: an SQLite file of the schema in templates/store. The same texts give the same bytes. */
import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { between, pick, reseed } from "../seed/dice.ts";
import { readSchema } from "../seed/seed.ts";
import { addPeople, address, emailOf } from "./private.ts";
import {
  BLOG,
  FORUM,
  faqsOf,
  html,
  type Insert,
  PRODUCTS,
  type ProductText,
  picturesOf,
  REVIEWS,
  releasesOf,
  SHOP,
} from "./texts.ts";

/** A moment in the office hours of a day. */
function officeTime(day: string): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${day} ${two(between(7, 15))}:${two(between(0, 59))}:00`;
}

const minor = (price: number): number => Math.round(price * 100);

const NO_PRIVATE_PART = { visibility: "visible", status: "published" };
/** Ids by the order of a list, from 1. */
const idsOf = (names: readonly string[]) => new Map(names.map((name, at) => [name, at + 1]));
const PRODUCT_IDS = idsOf(PRODUCTS.map(({ slug }) => slug));
const CATEGORY_IDS = idsOf(Object.keys(SHOP.categories));

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`Nothing is named ${name}`);
  return id;
}

function addShop(insert: Insert): void {
  insert("store_settings", {
    id: 1,
    ...SHOP.store,
    url: "/",
    logo_url: "/media/logo.webp",
    favicon_url: "/media/favicon.webp",
    currency: "EUR",
    locale: "en",
    timezone: "Europe/Oslo",
    status: "open",
    support_url: "/support",
    docs_url: "https://docs.northlight.example",
    blog_url: "/blog",
    public_email: "hello@northlight.example",
    owner_email: "ingrid.private@northlight.example",
    smtp_password: "correct-horse-and-a-boat",
    stripe_secret_key: "key-of-the-demo-not-a-real-one",
    webhook_secret: "secret-of-the-demo-not-a-real-one",
    tax_id: "NO 999 888 777 MVA",
    bank_iban: "NO93 8601 1117 947",
  });
  for (const [at, [network, url]] of Object.entries(SHOP.social).entries())
    insert("social_links", { id: at + 1, network, url, position: at, is_enabled: 1 });
  for (const [slug, [name, description]] of Object.entries(SHOP.categories)) {
    const id = idOf(CATEGORY_IDS, slug);
    insert("categories", { id, slug, name, description, position: id, is_visible: 1 });
  }
}

function addProduct(insert: Insert, product: ProductText): void {
  const { slug, name, category, preorder } = product;
  const id = idOf(PRODUCT_IDS, slug);
  const releases = releasesOf(product);
  const latest = releases.at(-1);
  const created = officeTime(product.created);
  const releaseDay = preorder?.release ?? product.release_at;
  insert("products", {
    id,
    slug,
    sku: `NL-${String(id).padStart(3, "0")}`,
    name,
    excerpt: product.excerpt,
    short_description: product.short,
    description_html: html(product.text),
    type: product.type,
    currency: "EUR",
    regular_price_minor: minor(product.price),
    featured: Number(product.featured === true),
    created_at: created,
    updated_at: latest === undefined ? created : officeTime(latest.day),
    published_at: created,
    release_at: releaseDay === undefined ? null : `${releaseDay} 09:00:00`,
    version: latest?.version ?? null,
    requirements: product.requires ?? null,
    demo_url: product.demo === true ? `https://demo.northlight.example/${slug}` : null,
    docs_url: product.docs === true ? `https://docs.northlight.example/${slug}` : null,
    ...NO_PRIVATE_PART,
    cost_price_minor: Math.round(product.price * 31),
    sales_count: between(20, 900),
    internal_notes: "Margin is fine. Look at the price again in spring.",
  });
  for (const each of [category, ...(product.also ?? [])])
    insert("product_categories", {
      product_id: id,
      category_id: idOf(CATEGORY_IDS, each),
      is_primary: Number(each === category),
    });
  for (const [tier, price] of Object.entries({ regular: product.price, extended: product.extended }))
    if (price !== undefined)
      insert("license_tiers", {
        product_id: id,
        slug: tier,
        name: tier === "regular" ? "Regular" : "Extended",
        price_minor: minor(price),
        commercial_use: 1,
        position: tier === "regular" ? 1 : 2,
        is_active: 1,
      });
  for (const [position, picture] of picturesOf(product).entries())
    insert("product_media", {
      product_id: id,
      kind: "image",
      url: `/media/${picture}`,
      alt: name,
      position,
      is_private: 0,
    });
  for (const part of product.contains ?? [])
    insert("product_relations", { product_id: id, related_id: idOf(PRODUCT_IDS, part), kind: "bundle" });
  if (preorder !== undefined)
    insert("preorders", {
      product_id: id,
      price_minor: minor(preorder.price),
      opens_at: `${preorder.opens} 00:00:00`,
      closes_at: `${preorder.closes} 00:00:00`,
      release_at: `${preorder.release} 09:00:00`,
      charge_policy: "at_release",
      state: "open",
    });
  for (const { version, day, title, notes } of releases)
    insert("releases", {
      product_id: id,
      version,
      channel: "stable",
      title,
      notes_html: html(notes),
      is_breaking: Number(/^\d+\.0\.0$/.test(version)),
      published_at: officeTime(day),
      status: "listed",
      internal_changelog: "See the board.",
    });
  addFaqs(insert, product.faqs, id);
}

function addFaqs(insert: Insert, text: string | undefined, product: number | null): void {
  for (const [position, { type, question, answer }] of faqsOf(text).entries())
    insert("faqs", {
      question,
      answer_html: html(answer),
      category: type,
      product_id: product,
      position,
      updated_at: "2026-10-01 08:00:00",
      is_active: 1,
      audience: "public",
    });
}

function addReviews(insert: Insert): void {
  const orders = addPeople(
    insert,
    PRODUCTS.map(({ slug, price }) => ({ id: idOf(PRODUCT_IDS, slug), price: minor(price) })),
  );
  reseed("demo", "reviews");
  for (const { slug, rating, day, name, isVerified, title, body } of REVIEWS) {
    const { id, customer, email } = pick(orders);
    const time = officeTime(day);
    insert("reviews", {
      product_id: idOf(PRODUCT_IDS, slug),
      rating,
      title,
      body,
      helpful_count: between(0, 12),
      created_at: time,
      updated_at: time,
      display_name: name,
      customer_id: customer,
      order_id: isVerified ? id : null,
      email,
      ip: address(),
      status: "approved",
    });
  }
}

function addBlog(insert: Insert): void {
  const staff = Object.keys(SHOP.staff);
  for (const { slug, title, date, author, category, excerpt, text } of BLOG)
    insert("blog_posts", {
      slug,
      title,
      excerpt,
      content_html: html(text),
      cover_image: `/media/blog/${slug}.webp`,
      author_id: staff.indexOf(author) + 1,
      category,
      published_at: date,
      updated_at: date,
      status: "published",
    });
}

/** People of the forum are users; those of the studio are the first of them. */
function addForum(insert: Insert): void {
  const staff = Object.entries(SHOP.staff);
  const firstNames = staff.map(([name]) => `${name.split(" ")[0]} (Northlight)`);
  const others = new Set(FORUM.flatMap(({ posts }) => posts.map(([author]) => author)));
  const names = [...new Set([...firstNames, ...others])];
  for (const [at, name] of names.entries())
    insert("users", {
      id: at + 1,
      display_name: name,
      role: at < staff.length ? "staff" : "member",
      created_at: "2022-01-10 08:00:00",
      email: staff[at]?.[1] ?? emailOf(name, at + 1),
      real_name: staff[at]?.[0] ?? null,
      ip_last: address(),
    });
  const userIds = idsOf(names);
  const subforums = idsOf(Object.keys(SHOP.subforums));
  for (const [slug, [name, description]] of Object.entries(SHOP.subforums)) {
    const id = idOf(subforums, slug);
    insert("subforums", { id, slug, name, description, position: id, access_level: "public", is_hidden: 0 });
  }
  const topics = idsOf(Object.keys(SHOP.topics));
  for (const [slug, name] of Object.entries(SHOP.topics))
    insert("forum_categories", { id: idOf(topics, slug), slug, name, is_hidden: 0 });
  let posts = 0;
  for (const [at, thread] of FORUM.entries()) {
    const [first] = thread.posts;
    const solution = thread.posts.findIndex(([, , , mark]) => mark === "solution");
    insert("threads", {
      id: at + 1,
      slug: thread.slug,
      subforum_id: idOf(subforums, thread.subforum),
      category_id: thread.category === null ? null : idOf(topics, thread.category),
      type: thread.type,
      title: thread.title,
      is_pinned: Number(thread.pinned === true),
      is_locked: Number(thread.locked === true),
      solved_post_id: solution < 0 ? null : posts + solution + 1,
      view_count: between(40, 900),
      like_count: between(0, 12),
      created_at: first?.[1] ?? "",
      last_activity_at: thread.posts.at(-1)?.[1] ?? "",
      author_id: idOf(userIds, first?.[0] ?? ""),
      visibility: "public",
      moderation_state: "approved",
    });
    for (const [number, [author, time, text]] of thread.posts.entries())
      insert("posts", {
        id: ++posts,
        thread_id: at + 1,
        post_number: number + 1,
        author_id: idOf(userIds, author),
        body_html: html(text),
        created_at: time,
        is_hidden: 0,
        is_whisper: 0,
        ip: address(),
      });
  }
}

/** Rows that the allow-list leaves out: drafts, spam, a room of the staff. */
function addHidden(insert: Insert): void {
  const { products, reviews, posts, threads } = SHOP.hidden;
  for (const { slug, name, excerpt, price } of products)
    insert("products", {
      slug,
      sku: "NL-NEXT",
      name,
      excerpt,
      type: "digital",
      currency: "EUR",
      regular_price_minor: minor(price),
      featured: 0,
      created_at: "2026-11-10 10:00:00",
      updated_at: "2026-11-10 10:00:00",
      status: "draft",
      visibility: "hidden",
    });
  for (const [slug, rating, title, body] of reviews)
    insert("reviews", {
      product_id: idOf(PRODUCT_IDS, slug),
      rating,
      title,
      body,
      helpful_count: 0,
      created_at: "2026-11-22 10:00:00",
      updated_at: "2026-11-22 10:00:00",
      status: "pending",
    });
  for (const { slug, title, text } of posts)
    insert("blog_posts", {
      slug,
      title,
      content_html: html(text),
      category: "business",
      updated_at: "2026-11-20 10:00:00",
      status: "draft",
    });
  const room = Object.keys(SHOP.subforums).length + 1;
  insert("subforums", {
    id: room,
    slug: "staff",
    name: "Staff",
    description: "Only for us.",
    position: room,
    access_level: "staff",
    is_hidden: 0,
  });
  for (const [at, { slug, title, text }] of threads.entries()) {
    const thread = FORUM.length + at + 1;
    insert("threads", {
      id: thread,
      slug,
      subforum_id: room,
      type: "discussion",
      title,
      is_pinned: 0,
      is_locked: 0,
      view_count: 4,
      like_count: 0,
      created_at: "2026-11-07 09:00:00",
      last_activity_at: "2026-11-07 09:00:00",
      author_id: 1,
      visibility: "public",
      moderation_state: "approved",
    });
    insert("posts", {
      thread_id: thread,
      post_number: 1,
      author_id: 1,
      body_html: html(text),
      created_at: "2026-11-07 09:00:00",
      is_hidden: 0,
      is_whisper: 0,
    });
  }
}

export function makeStore(file: string): void {
  const { tables, indexes } = readSchema();
  rmSync(file, { force: true });
  const db = new Database(file);
  const insert: Insert = (table, row) => {
    const names = Object.keys(row);
    const marks = names.map(() => "?").join(", ");
    db.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`).run(Object.values(row));
  };
  try {
    db.exec(tables);
    db.transaction(() => {
      // A bundle names products that come after it, a thread its posts.
      db.pragma("defer_foreign_keys = ON");
      reseed("demo", "store");
      addShop(insert);
      for (const product of PRODUCTS) addProduct(insert, product);
      for (const [slug, price, starts] of SHOP.sales)
        insert("sale_windows", {
          product_id: idOf(PRODUCT_IDS, slug),
          sale_price_minor: minor(price),
          starts_at: starts,
          ends_at: null,
          is_active: 1,
          campaign_code: "WINTER",
        });
      addFaqs(insert, SHOP.faqs, null);
      addForum(insert);
      addBlog(insert);
      addReviews(insert);
      addHidden(insert);
    })();
    db.exec(indexes);
    db.exec("VACUUM");
  } finally {
    db.close();
  }
}
