/**
 * What a shop would write without Vitrine: Fastify over the store's own tables, prepared statements, a JSON answer made
 * for each request. Only the plain list of products, only for the benchmark: `fastify-server.ts STORE PORT`
 */
import Database from "better-sqlite3";
import { fastify } from "fastify";

interface ProductRow {
  readonly id: number;
  readonly regular_price_minor: number | null;
  readonly currency: string;
  readonly category: string;
  readonly gallery: string | null;
  readonly rating: number | null;
  readonly review_count: number;
  readonly [column: string]: string | number | null;
}

const PER_PAGE = 20;
const PUBLIC = "p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL";

const [store = "", port = "0"] = process.argv.slice(2);
const db = new Database(store, { readonly: true });
const list = db.prepare<[number, number], ProductRow>(`
  SELECT p.id, p.name AS title, p.slug, p.excerpt, p.short_description AS description_short, p.type, p.currency,
    p.regular_price_minor, p.featured, p.demo_url, p.docs_url, p.created_at, p.updated_at,
    (SELECT json_object('id', c.id, 'name', c.name, 'slug', c.slug)
     FROM product_categories AS pc JOIN categories AS c ON c.id = pc.category_id
     WHERE pc.product_id = p.id ORDER BY pc.is_primary DESC LIMIT 1) AS category,
    (SELECT json_group_array(m.url) FROM product_media AS m
     WHERE m.product_id = p.id AND m.kind = 'image' AND m.is_private = 0) AS gallery,
    (SELECT AVG(r.rating) FROM reviews AS r WHERE r.product_id = p.id AND r.status = 'approved') AS rating,
    (SELECT COUNT(*) FROM reviews AS r WHERE r.product_id = p.id AND r.status = 'approved') AS review_count
  FROM products AS p WHERE ${PUBLIC}
  ORDER BY p.published_at DESC, p.id DESC LIMIT ? OFFSET ?`);
const count = db.prepare<[], number>(`SELECT COUNT(*) FROM products AS p WHERE ${PUBLIC}`).pluck();

function toProduct({
  category,
  gallery,
  rating,
  review_count,
  regular_price_minor,
  ...row
}: ProductRow): object {
  const price = (regular_price_minor ?? 0) / 100;
  const images = JSON.parse(gallery ?? "[]") as string[];
  return {
    ...row,
    category: JSON.parse(category ?? "null") as object,
    price,
    image: images[0] ?? "",
    gallery: images,
    rating_summary: { average: rating, best: 5, worst: 1, count: review_count },
    review_count,
    pricing: { regular: price, sale: null, preorder: null, current: price, currency: row.currency },
  };
}

const server = fastify();
server.get<{ Querystring: { page?: string } }>("/api/v1/products", (request, reply) => {
  const page = Number(request.query.page ?? "1");
  const total = count.get() ?? 0;
  const data = list.all(PER_PAGE, (page - 1) * PER_PAGE).map(toProduct);
  reply.header("Access-Control-Allow-Origin", "*").header("Cache-Control", "public, max-age=60");
  return {
    success: true,
    data,
    pagination: { page, per_page: PER_PAGE, total, total_pages: Math.ceil(total / PER_PAGE) },
    meta: { api_version: "1.0", generated_at: new Date().toISOString() },
  };
});
await server.listen({ host: "127.0.0.1", port: Number(port) });
