/** Shops for the explorer's contact sheets besides the demo: an empty one, one with another schema, one from right to left. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import Database from "better-sqlite3";
import mime from "mime-types";

const DEMO = "demo/store.sqlite";

const EMPTY = `
  PRAGMA foreign_keys = OFF;
  DELETE FROM products; DELETE FROM categories; DELETE FROM product_categories; DELETE FROM reviews; DELETE FROM faqs;
  DELETE FROM releases; DELETE FROM blog_posts; DELETE FROM threads; DELETE FROM posts;`;

const TITLES = [
  "طقم فواتير المتجر الإلكتروني (Pro 2.0)",
  "請求書キット・プロフェッショナル版",
  "ערכת חשבוניות לחנות",
  "电子商务发票套件与会计集成专业版本",
  "قالب مدونة",
];
const choose = (texts: readonly string[], by: string) =>
  `CASE ${by} % ${texts.length} ${texts.map((text, at) => `WHEN ${at} THEN '${text}'`).join(" ")} END`;

const RIGHT_TO_LEFT = `
  UPDATE products SET name = ${choose(TITLES, "id")},
    excerpt = ${choose(["أداة بسيطة لإصدار الفواتير من متجرك.", "ショップから請求書を発行するツールです。"], "id")};
  UPDATE categories SET name = ${choose(["النصوص البرمجية", "テンプレート", "ספרים", "字体与图标"], "id")} || ' ' || id;
  UPDATE store_settings SET name = 'متجر نور الرقمي', tagline = 'أدوات رقمية لأصحاب المتاجر الصغيرة';`;

export interface Shop {
  readonly name: "empty" | "chinook" | "right-to-left";
  readonly port: number;
}

/** Builds a shop in a folder; returns the arguments that `serve` needs. */
export function buildShop(command: string, folder: string, { name, port }: Shop): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const store = join(folder, "store.sqlite");
  const isDemo = name !== "chinook";
  copyFileSync(isDemo ? DEMO : "examples/chinook/chinook.sqlite", store);
  if (isDemo) {
    using db = { it: new Database(store), [Symbol.dispose]: () => db.it.close() };
    db.it.exec(name === "empty" ? EMPTY : RIGHT_TO_LEFT);
  }
  const origin = `http://127.0.0.1:${port}`;
  const queries = join(process.cwd(), isDemo ? "templates/queries" : "examples/chinook/queries");
  const config = { store, queries, baseUrl: `${origin}/api/v1`, siteUrl: origin, out: join(folder, "out") };
  const file = join(folder, "vitrine.config.json");
  writeFileSync(file, JSON.stringify(config));
  const { status, stderr } = spawnSync("node", [command, "build", "--config", file], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return [
    "serve",
    "--no-rate-limit",
    "--config",
    file,
    "--port",
    String(port),
    ...(isDemo ? ["--media", "demo/media"] : []),
  ];
}

/** A host that serves only files: it ignores queries. */
export function serveFiles(site: string): Server {
  return createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://host");
    const file = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      const bytes = readFileSync(file);
      response.writeHead(200, { "Content-Type": mime.contentType(extname(file)) || "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>404 Not Found</h1>");
    }
  });
}
