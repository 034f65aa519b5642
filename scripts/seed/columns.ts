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

function table(publicNames: string, wordNames: string, boundNames: string): TableColumns {
  const split = (names: string): string[] => names.split(" ").filter((name) => name !== "");
  return { public: split(publicNames), words: split(wordNames), bound: split(boundNames) };
}

export const TABLES: Readonly<Record<string, TableColumns>> = {
  store_settings: table(
    "id name tagline description url logo_url favicon_url currency locale timezone status support_url docs_url " +
      "blog_url terms_url privacy_url refund_url public_email",
    "",
    "",
  ),
  social_links: table("id network url position", "network url", "is_enabled"),
  settings: table("", "", ""),
  users: table("id display_name avatar_url role created_at", "", ""),
  customers: table("", "", "user_id status marketing_opt_in"),
  customer_addresses: table("", "", "type"),
  categories: table(
    "id parent_id slug name description icon position",
    "slug name description",
    "is_visible",
  ),
  products: table(
    "id slug sku name excerpt short_description description_html type currency regular_price_minor featured " +
      "created_at updated_at published_at release_at version requirements demo_url docs_url seo_title " +
      "seo_description",
    "slug sku name excerpt short_description description_html requirements demo_url docs_url seo_title " +
      "seo_description",
    "status visibility deleted_at",
  ),
  product_categories: table("product_id category_id is_primary", "", ""),
  product_tags: table("product_id tag", "tag", ""),
  product_media: table("id product_id kind url alt position", "url alt", "is_private"),
  product_relations: table("product_id related_id kind", "", ""),
  slug_history: table("old_slug entity entity_id", "old_slug", ""),
  license_tiers: table(
    "id product_id slug name price_minor activations duration_days updates_months commercial_use position",
    "name",
    "is_active",
  ),
  sale_windows: table("id product_id tier_id sale_price_minor percent starts_at ends_at", "", "is_active"),
  preorders: table("id product_id price_minor opens_at closes_at release_at charge_policy", "", "state"),
  releases: table(
    "id product_id version channel title notes_html is_breaking requires published_at",
    "version title notes_html requires",
    "status",
  ),
  product_files: table("", "", "product_id release_id"),
  coupons: table("", "", "amount_type"),
  orders: table("", "", "status type user_id mode currency"),
  order_items: table("", "", "product_id tier_id quantity status"),
  transactions: table("", "", "status"),
  license_keys: table("", "", "product_id tier_id status"),
  license_activations: table("", "", "is_local"),
  download_logs: table("", "", "product_id"),
  download_tokens: table("", "", ""),
  reviews: table(
    "id product_id rating title body helpful_count created_at updated_at display_name avatar_url",
    "title body display_name avatar_url",
    "status",
  ),
  review_replies: table("id review_id body created_at", "body", "is_draft"),
  faqs: table(
    "id question answer_html category product_id position updated_at",
    "question answer_html category",
    "is_active audience",
  ),
  blog_posts: table(
    "id slug title excerpt content_html cover_image author_id category published_at updated_at",
    "slug title excerpt content_html cover_image category",
    "status",
  ),
  subforums: table(
    "id slug name description position",
    "slug name description",
    "access_level required_product_id is_hidden",
  ),
  forum_categories: table("id slug name", "slug name", "is_hidden"),
  threads: table(
    "id slug subforum_id category_id type title is_pinned is_locked solved_post_id view_count like_count " +
      "created_at last_activity_at author_id",
    "slug title",
    "visibility deleted_at moderation_state",
  ),
  posts: table(
    "id thread_id post_number author_id body_html created_at edited_at",
    "body_html",
    "is_hidden is_whisper deleted_at",
  ),
  private_messages: table("", "", "sender_id recipient_id"),
  tickets: table("", "", "status"),
  widgets: table("id type title config_public", "title config_public", "is_enabled"),
  api_keys: table("", "", ""),
  webhooks: table("", "", ""),
  sessions: table("", "", "user_id"),
  audit_log: table("", "", ""),
};
