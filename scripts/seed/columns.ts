/**
 * What each column of the demo store is, as data. A column named nowhere here is private and is filled with canaries:
 * a new private column needs no line, and cannot be forgotten.
 */

export interface TableColumns {
  /** May leave while the row is visible. */
  readonly public: readonly string[];
  /** The public ones that hold words: in a hidden row each of them carries a canary. */
  readonly words: readonly string[];
  /**
   * Private, but no place for a canary: closed words, flags and times that the rules of visibility read, and
   * ids of rows whose ids are public.
   */
  readonly bound: readonly string[];
}

/** `name` is public, `name*` public and words, `~name` bound. */
const COLUMNS: Readonly<Record<string, string>> = {
  store_settings: `id name tagline description url logo_url favicon_url currency locale timezone status support_url
    docs_url blog_url terms_url privacy_url refund_url public_email`,
  social_links: "id network* url* position ~is_enabled",
  settings: "",
  users: "id display_name avatar_url role created_at",
  customers: "~user_id ~status ~marketing_opt_in",
  customer_addresses: "~type",
  categories: "id parent_id slug* name* description* icon position ~is_visible",
  products: `id slug* sku* name* excerpt* short_description* description_html* type currency regular_price_minor
    featured created_at updated_at published_at release_at version requirements* demo_url* docs_url* seo_title*
    seo_description* ~status ~visibility ~deleted_at`,
  product_categories: "product_id category_id is_primary",
  product_tags: "product_id tag*",
  product_media: "id product_id kind url* alt* position ~is_private",
  product_relations: "product_id related_id kind",
  slug_history: "old_slug* entity entity_id",
  license_tiers: `id product_id slug name* price_minor activations duration_days updates_months commercial_use position
    ~is_active`,
  sale_windows: "id product_id tier_id sale_price_minor percent starts_at ends_at ~is_active",
  preorders: "id product_id price_minor opens_at closes_at release_at charge_policy ~state",
  releases: "id product_id version* channel title* notes_html* is_breaking requires* published_at ~status",
  product_files: "~product_id ~release_id",
  coupons: "~amount_type",
  orders: "~status ~type ~user_id ~mode ~currency",
  order_items: "~product_id ~tier_id ~quantity ~status",
  transactions: "~status",
  license_keys: "~product_id ~tier_id ~status",
  license_activations: "~is_local",
  download_logs: "~product_id",
  download_tokens: "",
  reviews: `id product_id rating title* body* helpful_count created_at updated_at display_name* avatar_url*
    ~status`,
  review_replies: "id review_id body* created_at ~is_draft",
  faqs: "id question* answer_html* category* product_id position updated_at ~is_active ~audience",
  blog_posts: `id slug* title* excerpt* content_html* cover_image* author_id category* published_at updated_at
    ~status`,
  subforums: "id slug* name* description* position ~access_level ~required_product_id ~is_hidden",
  forum_categories: "id slug* name* ~is_hidden",
  threads: `id slug* subforum_id category_id type title* is_pinned is_locked solved_post_id view_count like_count
    created_at last_activity_at author_id ~visibility ~deleted_at ~moderation_state`,
  posts:
    "id thread_id post_number author_id body_html* created_at edited_at ~is_hidden ~is_whisper ~deleted_at",
  private_messages: "~sender_id ~recipient_id",
  tickets: "~status",
  widgets: "id type title* config_public* ~is_enabled",
  api_keys: "",
  webhooks: "",
  sessions: "~user_id",
  audit_log: "",
};

function readColumns(text: string): TableColumns {
  const names = text.split(/\s+/).filter((name) => name !== "");
  const open = names.filter((name) => !name.startsWith("~"));
  return {
    public: open.map((name) => name.replace("*", "")),
    words: open.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1)),
    bound: names.filter((name) => name.startsWith("~")).map((name) => name.slice(1)),
  };
}

export const TABLES: Readonly<Record<string, TableColumns>> = Object.fromEntries(
  Object.entries(COLUMNS).map(([table, text]) => [table, readColumns(text)]),
);
