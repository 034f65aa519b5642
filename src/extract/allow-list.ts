/** The SQL files that say what may become public: which there are, and the columns each must give, no more, no less. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { messageOf, VitrineError } from "../base/error.ts";

/** By file name without `.sql`. Columns are what the file's SELECT must name; `docs/allow-list.md` tells each. */
export const QUERY_COLUMNS = {
  store: [
    "store_name",
    "tagline",
    "description",
    "logo_url",
    "favicon_url",
    "currency",
    "public_url",
    "support_url",
    "docs_url",
    "blog_url",
    "social_links",
  ],
  categories: ["id", "name", "slug", "description", "url"],
  products: [
    "id",
    "title",
    "slug",
    "excerpt",
    "description_short",
    "description_html",
    "category_id",
    "type",
    "status",
    "price_minor",
    "sale_price_minor",
    "preorder_price_minor",
    "extended_price_minor",
    "currency",
    "image",
    "gallery",
    "featured",
    "public_url",
    "demo_url",
    "docs_url",
    "created_at",
    "updated_at",
  ],
  reviews: [
    "id",
    "product_id",
    "rating",
    "title",
    "body",
    "customer_display_name",
    "customer_avatar",
    "verified_purchase",
    "created_at",
  ],
  faqs: ["id", "product_id", "type", "question", "answer_html", "position"],
  releases: ["id", "product_id", "version", "title", "notes_html", "release_date", "public_url"],
  blog: ["id", "title", "slug", "excerpt", "image", "url", "published_at", "updated_at", "content_html"],
  forum: [
    "id",
    "title",
    "slug",
    "type",
    "subforum_slug",
    "subforum_name",
    "category_slug",
    "category_name",
    "author_display_name",
    "pinned",
    "locked",
    "solved",
    "created_at",
    "last_activity_at",
    "url",
    "content_html",
    "replies",
  ],
  next_change: ["next_change_at"],
} as const satisfies Record<string, readonly string[]>;

export type QueryName = keyof typeof QUERY_COLUMNS;

/** Without these there is no catalog; a resource whose file is missing is empty. */
const REQUIRED: readonly QueryName[] = ["store", "categories", "products"];

export interface AllowListQuery {
  readonly name: QueryName;
  /** File name for messages, `products.sql`. */
  readonly file: string;
  /** One SELECT, without a semicolon at its end. */
  readonly sql: string;
}

export type AllowList = Readonly<Partial<Record<QueryName, AllowListQuery>>>;

function isQueryName(name: string): name is QueryName {
  return Object.hasOwn(QUERY_COLUMNS, name);
}

function suggestion(name: string): string {
  const nearest = closest(name, Object.keys(QUERY_COLUMNS));
  return distance(name, nearest) <= 3 ? ` Did you mean ${nearest}.sql?` : "";
}

/** Reads a folder of SQL files. @throws VitrineError allow_list_invalid */
export function readAllowList(folder: string): AllowList {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  } catch (error) {
    throw new VitrineError(
      "allow_list_invalid",
      `Cannot read the allow-list folder ${folder}: ${messageOf(error)}. Name another with --queries.`,
      { cause: error },
    );
  }
  const list: Partial<Record<QueryName, AllowListQuery>> = {};
  for (const file of files.sort()) {
    const name = file.slice(0, -".sql".length);
    if (!isQueryName(name)) {
      const known = Object.keys(QUERY_COLUMNS).map((other) => `${other}.sql`);
      throw new VitrineError(
        "allow_list_invalid",
        `${join(folder, file)} is no file of the allow-list (${known.join(", ")}).${suggestion(name)}`,
      );
    }
    const sql = readFileSync(join(folder, file), "utf8").trim().replace(/;$/, "");
    list[name] = { name, file, sql };
  }
  const missing = REQUIRED.filter((name) => list[name] === undefined);
  if (missing.length === 0) return list;
  throw new VitrineError(
    "allow_list_invalid",
    `The allow-list folder ${folder} lacks ${missing.map((name) => `${name}.sql`).join(" and ")}.`,
  );
}
