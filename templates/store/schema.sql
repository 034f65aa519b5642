-- The private database of a shop for digital products: what Vitrine's own demo store and its allow-list are written for.
-- Times are TEXT `YYYY-MM-DD HH:MM:SS` in UTC, money is integer minor units, flags are 0 or 1.
-- "private" marks what must never leave. Everything else may, but only while its row is visible.

-- The shop itself -----------------------------------------------------------------------------------------------

CREATE TABLE store_settings (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  tagline TEXT NOT NULL,
  description TEXT NOT NULL,
  url TEXT NOT NULL,
  logo_url TEXT NOT NULL,
  favicon_url TEXT NOT NULL,
  currency TEXT NOT NULL,
  locale TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL,
  support_url TEXT,
  docs_url TEXT,
  blog_url TEXT,
  terms_url TEXT,
  privacy_url TEXT,
  refund_url TEXT,
  public_email TEXT,
  owner_email TEXT,       -- private from here on
  smtp_password TEXT,
  stripe_secret_key TEXT,
  webhook_secret TEXT,
  tax_id TEXT,
  bank_iban TEXT,
  admin_note TEXT
);

CREATE TABLE social_links (
  id INTEGER PRIMARY KEY,
  network TEXT NOT NULL,
  url TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_enabled INTEGER NOT NULL -- private
);

CREATE TABLE settings (
  key TEXT PRIMARY KEY, -- private table
  value TEXT
);

-- People --------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  display_name TEXT,
  avatar_url TEXT,
  role TEXT NOT NULL CHECK (role IN ('admin', 'staff', 'author', 'member')),
  created_at TEXT NOT NULL,
  email TEXT,             -- private from here on
  password_hash TEXT,
  real_name TEXT,
  ip_last TEXT,
  last_login_at TEXT,
  totp_secret TEXT,
  trust_level INTEGER,
  banned_at TEXT,
  ban_reason TEXT
);

CREATE TABLE customers (
  id INTEGER PRIMARY KEY, -- private table
  user_id INTEGER REFERENCES users (id),
  email TEXT NOT NULL,
  name TEXT,
  phone TEXT,
  company TEXT,
  vat_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'blocked')),
  purchase_value INTEGER,
  purchase_count INTEGER,
  country TEXT,
  notes TEXT,
  marketing_opt_in INTEGER NOT NULL,
  date_created TEXT
);

CREATE TABLE customer_addresses (
  id INTEGER PRIMARY KEY, -- private table
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  type TEXT NOT NULL CHECK (type IN ('billing', 'shipping')),
  name TEXT,
  address TEXT,
  city TEXT,
  region TEXT,
  postal_code TEXT,
  country TEXT
);

-- What is sold --------------------------------------------------------------------------------------------------

CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES categories (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  icon TEXT,
  position INTEGER NOT NULL,
  is_visible INTEGER NOT NULL, -- private from here on
  internal_code TEXT
);

CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  sku TEXT NOT NULL,
  name TEXT NOT NULL,
  excerpt TEXT,
  short_description TEXT,
  description_html TEXT,
  type TEXT NOT NULL CHECK (type IN ('digital', 'script', 'license', 'bundle', 'service')),
  currency TEXT NOT NULL,
  regular_price_minor INTEGER, -- NULL while no price is set, as on some that are coming soon
  featured INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  published_at TEXT,
  release_at TEXT,             -- in the future: announced, not yet to be had
  version TEXT,
  requirements TEXT,
  demo_url TEXT,
  docs_url TEXT,
  seo_title TEXT,
  seo_description TEXT,
  status TEXT NOT NULL         -- private from here on
    CHECK (status IN ('draft', 'pending', 'scheduled', 'published', 'unlisted', 'archived')),
  visibility TEXT NOT NULL CHECK (visibility IN ('visible', 'search', 'catalog', 'hidden')),
  password TEXT,
  cost_price_minor INTEGER,
  supplier_id INTEGER,
  stock_qty INTEGER,
  max_purchase_count INTEGER,
  preorder_threshold INTEGER,
  sales_count INTEGER,
  revenue_minor INTEGER,
  purchase_disabled_at TEXT,
  deleted_at TEXT,
  risk_score INTEGER,
  custom_receipt TEXT,
  internal_notes TEXT,
  download_limit INTEGER,
  download_expiry_days INTEGER
);

CREATE TABLE product_categories (
  product_id INTEGER NOT NULL REFERENCES products (id),
  category_id INTEGER NOT NULL REFERENCES categories (id),
  is_primary INTEGER NOT NULL,
  PRIMARY KEY (product_id, category_id)
) WITHOUT ROWID;

CREATE TABLE product_tags (
  product_id INTEGER NOT NULL REFERENCES products (id),
  tag TEXT NOT NULL,
  PRIMARY KEY (product_id, tag)
) WITHOUT ROWID;

CREATE TABLE product_media (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  kind TEXT NOT NULL CHECK (kind IN ('image', 'video')),
  url TEXT NOT NULL,
  alt TEXT,
  position INTEGER NOT NULL,
  is_private INTEGER NOT NULL -- private
);

CREATE TABLE product_relations (
  product_id INTEGER NOT NULL REFERENCES products (id),
  related_id INTEGER NOT NULL REFERENCES products (id),
  kind TEXT NOT NULL CHECK (kind IN ('bundle', 'upsell', 'cross_sell')),
  PRIMARY KEY (product_id, related_id, kind)
) WITHOUT ROWID;

CREATE TABLE slug_history (
  old_slug TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('product', 'post', 'thread')),
  entity_id INTEGER NOT NULL,
  PRIMARY KEY (entity, old_slug)
) WITHOUT ROWID;

CREATE TABLE license_tiers (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  slug TEXT NOT NULL,          -- regular, extended, …; unique within a product
  name TEXT NOT NULL,
  price_minor INTEGER NOT NULL,
  activations INTEGER,
  duration_days INTEGER,
  updates_months INTEGER,
  commercial_use INTEGER NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,  -- private from here on
  min_margin_minor INTEGER
);

-- A window is for a product, or for one of its tiers. A window in the future is nobody's business until it starts.
CREATE TABLE sale_windows (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  tier_id INTEGER REFERENCES license_tiers (id),
  sale_price_minor INTEGER,    -- either this
  percent INTEGER,             -- or so many per cent off
  starts_at TEXT NOT NULL,     -- the first moment of the sale
  ends_at TEXT,                -- the first moment after it; NULL: until further notice
  is_active INTEGER NOT NULL,  -- private from here on
  campaign_code TEXT,
  created_by TEXT,
  target_segment TEXT          -- set: only for these customers, so never public
);

CREATE TABLE preorders (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  price_minor INTEGER,         -- NULL: the regular price
  opens_at TEXT NOT NULL,
  closes_at TEXT NOT NULL,
  release_at TEXT NOT NULL,
  charge_policy TEXT NOT NULL CHECK (charge_policy IN ('at_release', 'upfront')),
  state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'cancelled')), -- private from here on
  cap INTEGER,
  reserved_count INTEGER
);

CREATE TABLE releases (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  version TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('stable', 'beta')),
  title TEXT NOT NULL,
  notes_html TEXT NOT NULL,
  is_breaking INTEGER NOT NULL,
  requires TEXT,
  published_at TEXT,
  status TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'listed', 'unlisted', 'yanked')), -- private from here on
  yank_reason TEXT,
  internal_changelog TEXT,
  build_url TEXT
);

CREATE TABLE product_files (
  id INTEGER PRIMARY KEY, -- private table
  product_id INTEGER NOT NULL REFERENCES products (id),
  release_id INTEGER REFERENCES releases (id),
  filename TEXT,
  storage_key TEXT,
  sha256 TEXT,
  size INTEGER,
  signed_url_secret TEXT
);

-- What is bought ------------------------------------------------------------------------------------------------

CREATE TABLE coupons (
  id INTEGER PRIMARY KEY, -- private table
  code TEXT NOT NULL,
  amount_type TEXT NOT NULL CHECK (amount_type IN ('percent', 'fixed')),
  amount INTEGER,
  max_uses INTEGER,
  use_count INTEGER,
  start_date TEXT,
  end_date TEXT,
  scope TEXT,
  min_charge INTEGER
);

CREATE TABLE orders (
  id INTEGER PRIMARY KEY, -- private table
  order_number TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'complete', 'refunded', 'failed', 'abandoned')),
  type TEXT NOT NULL CHECK (type IN ('sale', 'refund')),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  user_id INTEGER REFERENCES users (id),
  email TEXT,
  ip TEXT,
  user_agent TEXT,
  gateway TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  currency TEXT NOT NULL,
  payment_key TEXT,
  subtotal INTEGER,
  discount INTEGER,
  tax INTEGER,
  total INTEGER,
  coupon_id INTEGER REFERENCES coupons (id),
  date_created TEXT,
  date_completed TEXT,
  date_refundable TEXT
);

CREATE TABLE order_items (
  id INTEGER PRIMARY KEY, -- private table
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  tier_id INTEGER REFERENCES license_tiers (id),
  quantity INTEGER NOT NULL,
  amount INTEGER,
  discount INTEGER,
  tax INTEGER,
  total INTEGER,
  status TEXT NOT NULL CHECK (status IN ('complete', 'refunded'))
);

CREATE TABLE transactions (
  id INTEGER PRIMARY KEY, -- private table
  order_id INTEGER NOT NULL REFERENCES orders (id),
  transaction_id TEXT,
  gateway TEXT,
  status TEXT NOT NULL CHECK (status IN ('complete', 'failed')),
  total INTEGER,
  card_last4 TEXT,
  card_fingerprint TEXT,
  risk INTEGER
);

CREATE TABLE license_keys (
  id INTEGER PRIMARY KEY, -- private table
  license_key TEXT NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  tier_id INTEGER REFERENCES license_tiers (id),
  order_id INTEGER NOT NULL REFERENCES orders (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'expired', 'disabled', 'revoked')),
  activation_limit INTEGER,
  activation_count INTEGER,
  expires_at TEXT,
  disabled_at TEXT
);

CREATE TABLE license_activations (
  id INTEGER PRIMARY KEY, -- private table
  license_id INTEGER NOT NULL REFERENCES license_keys (id),
  site_name TEXT,
  machine_id TEXT,
  ip TEXT,
  activated_at TEXT,
  is_local INTEGER NOT NULL
);

CREATE TABLE download_logs (
  id INTEGER PRIMARY KEY, -- private table
  product_id INTEGER NOT NULL REFERENCES products (id),
  file_id INTEGER NOT NULL REFERENCES product_files (id),
  order_id INTEGER NOT NULL REFERENCES orders (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  ip TEXT,
  user_agent TEXT,
  date_created TEXT
);

CREATE TABLE download_tokens (
  token TEXT PRIMARY KEY, -- private table
  order_item_id INTEGER NOT NULL REFERENCES order_items (id),
  uses INTEGER,
  expires_at TEXT
) WITHOUT ROWID;

-- What is said about it -----------------------------------------------------------------------------------------

CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  title TEXT,
  body TEXT,
  helpful_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  display_name TEXT,      -- what the customer wants to be called; NULL: nothing, and then no avatar either
  avatar_url TEXT,
  customer_id INTEGER,    -- private from here on
  order_id INTEGER,       -- set when the reviewer had bought it
  email TEXT,
  ip TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'spam', 'deleted')),
  moderator_note TEXT,
  spam_score INTEGER,
  reported_count INTEGER
);

CREATE TABLE review_replies (
  id INTEGER PRIMARY KEY,
  review_id INTEGER NOT NULL REFERENCES reviews (id),
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  staff_user_id INTEGER,     -- private from here on; a number of the staff directory, not of users
  is_draft INTEGER NOT NULL
);

CREATE TABLE faqs (
  id INTEGER PRIMARY KEY,
  question TEXT NOT NULL,
  answer_html TEXT NOT NULL,
  category TEXT NOT NULL,    -- a slug, for example licensing
  product_id INTEGER REFERENCES products (id),
  position INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  is_active INTEGER NOT NULL, -- private from here on
  audience TEXT NOT NULL CHECK (audience IN ('public', 'customers', 'staff')),
  internal_note TEXT
);

CREATE TABLE blog_posts (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  excerpt TEXT,
  content_html TEXT NOT NULL,
  cover_image TEXT,
  author_id INTEGER REFERENCES users (id),
  category TEXT NOT NULL,
  published_at TEXT,
  updated_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'published', 'private')), -- private from here on
  password TEXT,
  preview_token TEXT,
  editor_notes TEXT
);

CREATE TABLE subforums (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  position INTEGER NOT NULL,
  access_level TEXT NOT NULL  -- private from here on
    CHECK (access_level IN ('public', 'customers', 'product_owners', 'staff')),
  required_product_id INTEGER REFERENCES products (id),
  is_hidden INTEGER NOT NULL
);

CREATE TABLE forum_categories (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  is_hidden INTEGER NOT NULL -- private
);

CREATE TABLE threads (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  subforum_id INTEGER NOT NULL REFERENCES subforums (id),
  category_id INTEGER REFERENCES forum_categories (id),
  type TEXT NOT NULL CHECK (type IN ('question', 'discussion', 'announcement', 'idea', 'bug')),
  title TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  is_locked INTEGER NOT NULL,
  solved_post_id INTEGER REFERENCES posts (id),
  view_count INTEGER NOT NULL,
  like_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  last_activity_at TEXT NOT NULL, -- counts hidden posts too, so it is not what the public may see
  author_id INTEGER REFERENCES users (id),
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'members', 'hidden')), -- private from here on
  deleted_at TEXT,
  moderation_state TEXT NOT NULL CHECK (moderation_state IN ('approved', 'pending', 'rejected')),
  ip TEXT,
  staff_note TEXT
);

CREATE TABLE posts (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES threads (id),
  post_number INTEGER NOT NULL,  -- 1 is the opening post, whatever becomes of it
  author_id INTEGER REFERENCES users (id),
  body_html TEXT NOT NULL,
  created_at TEXT NOT NULL,
  edited_at TEXT,
  is_hidden INTEGER NOT NULL,    -- private from here on
  is_whisper INTEGER NOT NULL,
  deleted_at TEXT,
  ip TEXT,
  flag_count INTEGER
);

CREATE TABLE private_messages (
  id INTEGER PRIMARY KEY, -- private table
  sender_id INTEGER NOT NULL REFERENCES users (id),
  recipient_id INTEGER NOT NULL REFERENCES users (id),
  subject TEXT,
  body TEXT,
  sent_at TEXT
);

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY, -- private table
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL CHECK (status IN ('open', 'waiting', 'closed')),
  subject TEXT,
  body TEXT,
  created_at TEXT
);

-- Running it ----------------------------------------------------------------------------------------------------

CREATE TABLE widgets (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  config_public TEXT NOT NULL,
  is_enabled INTEGER NOT NULL, -- private from here on
  allowed_origins TEXT,
  config_private TEXT
);

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY, -- private table
  name TEXT,
  key_hash TEXT,
  scopes TEXT
);

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY, -- private table
  url TEXT,
  secret TEXT,
  events TEXT
);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY, -- private table
  user_id INTEGER REFERENCES users (id),
  ip TEXT,
  user_agent TEXT,
  expires_at TEXT
);

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY, -- private table
  actor TEXT,
  action TEXT,
  detail TEXT,
  ip TEXT,
  created_at TEXT
);

-- Indexes: made after a bulk load; everything above is only tables ------------------------------------------------

-- Gallery of a product in its order, without a look at the table.
CREATE INDEX product_media_by_product ON product_media (product_id, kind, is_private, position, id, url);
-- Price of a product's tier by the tier's name.
CREATE INDEX license_tiers_by_product ON license_tiers (product_id, slug, is_active, price_minor);
-- Lowest running price of a product.
CREATE INDEX sale_windows_by_product ON sale_windows (product_id, starts_at);
CREATE INDEX preorders_by_product ON preorders (product_id);
-- The shop's own pages: a category's products, a product's reviews, releases and questions.
CREATE INDEX product_categories_by_category ON product_categories (category_id, product_id);
CREATE INDEX reviews_by_product ON reviews (product_id, status, created_at);
CREATE INDEX releases_by_product ON releases (product_id, status, published_at);
CREATE INDEX faqs_by_product ON faqs (product_id, position);
-- A thread's posts in reading order; two posts never claim the same place.
CREATE UNIQUE INDEX posts_by_thread ON posts (thread_id, post_number);
CREATE INDEX threads_by_subforum ON threads (subforum_id, last_activity_at);
-- The counter and support: an order's lines, a customer's orders and keys.
CREATE INDEX order_items_by_order ON order_items (order_id);
CREATE INDEX orders_by_customer ON orders (customer_id);
CREATE INDEX license_keys_by_key ON license_keys (license_key);
CREATE INDEX license_activations_by_license ON license_activations (license_id);
