/** A store whose tables are the records themselves, so that any value of a record can be made wrong. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

const AT = "2026-03-01 10:00:00";

/** The columns of each table with the value that row `n` begins with, as SQL. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  categories: {
    id: "n",
    name: "'Shelf ' || n",
    slug: "'shelf-' || n",
    description: "''",
    url: "'/c/' || n",
  },
  products: {
    id: "n",
    title: "'Thing ' || n",
    slug: "'thing-' || n",
    excerpt: "'Short'",
    description_short: "''",
    description_html: "'<p>Long</p>'",
    category_id: "1 + n % 4",
    type: "'script'",
    status: "'published'",
    price_minor: "1000 + n",
    sale_price_minor: "NULL",
    preorder_price_minor: "NULL",
    extended_price_minor: "NULL",
    currency: "'EUR'",
    image: "'/i/' || n || '.png'",
    gallery: `'["/a","/b"]'`,
    featured: "0",
    public_url: "'/p/' || n",
    demo_url: "''",
    docs_url: "''",
    created_at: `'${AT}'`,
    updated_at: `'${AT}'`,
  },
  reviews: {
    id: "n",
    product_id: "1 + n % 12",
    rating: "1 + n % 5",
    title: "'Well'",
    body: "'It works'",
    customer_display_name: "'Ada'",
    customer_avatar: "'https://a.example/' || n",
    verified_purchase: "1",
    created_at: `'${AT}'`,
  },
  faqs: {
    id: "n",
    product_id: "NULLIF(n % 5, 0)",
    type: "'general'",
    question: "'Why ' || n || '?'",
    answer_html: "'<p>So</p>'",
    position: "n",
  },
  releases: {
    id: "n",
    product_id: "n",
    version: "'1.' || n",
    title: "''",
    notes_html: "''",
    release_date: `'${AT}'`,
    public_url: "''",
  },
  blog: {
    id: "n",
    title: "'Post ' || n",
    slug: "'post-' || n",
    excerpt: "''",
    image: "''",
    url: "'/b/' || n",
    published_at: `'${AT}'`,
    updated_at: `'${AT}'`,
    content_html: "'<p>News</p>'",
  },
  forum: {
    id: "n",
    title: "'Thread ' || n",
    slug: "'thread-' || n",
    type: "'question'",
    subforum_slug: "'help'",
    subforum_name: "'Help'",
    category_slug: "'setup'",
    category_name: "'Setup'",
    author_display_name: "'Bo'",
    pinned: "0",
    locked: "0",
    solved: "0",
    created_at: `'${AT}'`,
    last_activity_at: `'${AT}'`,
    url: "''",
    content_html: "'<p>How?</p>'",
    replies: `json_array(json_object('id', n, 'author_display_name', 'Cy', 'content_html', 'So', 'is_solution', json('false'), 'created_at', '${AT}'))`,
  },
};

const STORE = `SELECT 'Shop' AS store_name, '' AS tagline, '' AS description, logo_url, '' AS favicon_url, 'EUR' AS currency,
  'https://shop.example' AS public_url, '' AS support_url, '' AS docs_url, '' AS blog_url, social_links FROM shop`;

export const PLAIN_TABLES = Object.keys(TABLES);

export function columnsOfTable(table: string): string[] {
  return Object.keys(TABLES[table] ?? {});
}

/** Makes a store and its allow-list in a folder. */
export function makePlainStore(folder: string, rows = 20): { store: string; queries: string } {
  const [store, queries] = [join(folder, "plain.sqlite"), join(folder, "queries")];
  mkdirSync(queries, { recursive: true });
  const db = new Database(store);
  db.exec("CREATE TABLE shop AS SELECT '' AS logo_url, '[]' AS social_links");
  writeFileSync(join(queries, "store.sql"), STORE);
  for (const [table, columns] of Object.entries(TABLES)) {
    const count = table === "categories" ? 4 : rows;
    db.exec(`CREATE TABLE ${table} (${Object.keys(columns).join(", ")})`);
    db.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
      INSERT INTO ${table} SELECT ${Object.values(columns).join(", ")} FROM number`);
    writeFileSync(join(queries, `${table}.sql`), `SELECT ${Object.keys(columns).join(", ")} FROM ${table}`);
  }
  db.close();
  return { store, queries };
}
