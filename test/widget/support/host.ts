/** A shop's page of another origin that embeds the widget, and the site that the widget is of. */
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Page } from "playwright-core";
import { rateLimitedResponse, standardError } from "../../../src/api/responses.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { answerAtEdge } from "../../../src/serve/edge.ts";
import { createHttpServer, listen } from "../../../src/serve/http.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import { SCRIPTS } from "../../extract/support/hostile-texts.ts";
import { freePort } from "../../support/free-port.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo } from "../../support/shop.ts";

const HOSTILE = "(SELECT id FROM products WHERE slug = 'invoice-kit')";
const REVIEWS = 200;

/** A product of three reviews, each of four stars. */
export const ALL_FOUR = "cafe-menu-builder";

/** Leaves 200 reviews of invoice-kit, each of which says what somebody hostile would write, and adds those of another product. */
function makeHostile(store: string): void {
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  db.exec("DELETE FROM reviews");
  const add = db.prepare(
    `INSERT INTO reviews (id, product_id, rating, title, body, helpful_count, created_at, updated_at, display_name,
       order_id, status)
     VALUES (?, ${HOSTILE}, ?, ?, ?, 0, ?, '2026-02-01 00:00:00', ?, ?, 'approved')`,
  );
  db.transaction(() => {
    for (let id = 1; id <= REVIEWS; id++) {
      const text = SCRIPTS[id % SCRIPTS.length] ?? "";
      const day = `2026-01-0${1 + (id % 9)} 23:30:00`;
      add.run(
        id,
        3 + (id % 3 === 0 ? 2 : 0),
        text,
        `\u202E${text}`,
        day,
        `${text}x`,
        id % 2 === 0 ? id : null,
      );
    }
  })();
  db.exec(
    `INSERT INTO reviews (id, product_id, rating, title, body, helpful_count, created_at, updated_at, display_name, status)
     SELECT 1000 + value, (SELECT id FROM products WHERE slug = '${ALL_FOUR}'), 4, 'Good', 'As described', 0,
       '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'Kim', 'approved' FROM json_each('[1, 2, 3]')`,
  );
  db.close();
}

export interface Site {
  readonly url: string;
  /** Path and query of each question to the API since the last call, and what answered it. */
  asked(): string[];
  /** Answers the next requests to the API otherwise. */
  next(...kinds: readonly ("limited" | "broken")[]): void;
  close(): void;
}

/** A built shop behind a server that says what it was asked. */
export async function startSite(folder: string): Promise<Site> {
  const store = seedDemo(folder);
  makeHostile(store);
  const port = await freePort();
  // The script names its base address, so the port must be known before the build.
  const url = `http://127.0.0.1:${port}`;
  const config = {
    ...DEMO_CONFIG,
    baseUrl: `${url}/api/v1`,
    siteUrl: url,
    grid: { ...DEMO_CONFIG.grid, depth: 2 },
  };
  const out = join(folder, "out");
  await buildQuietly(demoInputs(store, out, { config }));
  const layout = layoutOf(out);
  const catalog = openCatalog(layout.catalog);
  let asked: string[] = [];
  const otherwise: string[] = [];
  const limited = rateLimitedResponse("120", "1");
  const server = createHttpServer({
    answer: (target) => {
      if (!target.startsWith("/api")) return answerAtEdge(catalog, layout.site, target);
      const kind = otherwise.shift();
      const bad = kind === "limited" ? limited : standardError("internal_error", "no-store");
      const answer =
        kind === undefined
          ? answerAtEdge(catalog, layout.site, target)
          : { ...bad, body: Buffer.from(bad.body), key: null, source: "none" as const };
      asked.push(`${answer.status} ${answer.source} ${target}`);
      return answer;
    },
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => {},
    failed: () => {},
  });
  await listen(server, "127.0.0.1", port);
  return {
    url,
    asked: () => {
      const all = asked;
      asked = [];
      return all;
    },
    next: (...kinds) => otherwise.push(...kinds),
    close: () => server.close(),
  };
}

export interface HostPage {
  readonly url: string;
  /** What it is from now on, with a Content-Security-Policy; `head`: what its head has. */
  set(html: string, policy?: string, head?: string): void;
  /** Whole pages and scripts by path, instead. */
  put(files: Readonly<Record<string, string>>): void;
  close(): void;
}

export async function startHostPage(): Promise<HostPage> {
  let page = { html: "", policy: "default-src *" };
  let files: Readonly<Record<string, string>> = {};
  const server: Server = createServer(({ url = "" }, response) => {
    const type = url.endsWith(".js") ? "text/javascript" : "text/html";
    const headers = { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": page.policy };
    response.writeHead(200, headers).end(files[url] ?? page.html);
  });
  const url = await listen(server, "127.0.0.1", 0);
  return {
    url,
    set: (html, policy = "default-src * data:", head = "") => {
      files = {};
      page = { html: `<!doctype html><meta charset="utf-8">${head}<body>${html}`, policy };
    },
    put: (given) => {
      page = { html: "", policy: "default-src * 'unsafe-inline' data:" };
      files = given;
    },
    close: () => server.close(),
  };
}

export interface Noise {
  /** Warnings and errors of the console. */
  readonly said: string[];
  /** Dialogs, uncaught errors and violations of the page's policy: what must not happen. */
  readonly bad: string[];
}

/** Records a page's console, dialogs, errors and violations of its policy. */
export async function hear(tab: Page): Promise<Noise> {
  const noise: Noise = { said: [], bad: [] };
  tab.on("console", (message) => noise.said.push(message.text()));
  tab.on("pageerror", (error) => noise.bad.push(error.message));
  tab.on("dialog", (dialog) => {
    noise.bad.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await tab.exposeFunction("violated", (directive: string) => noise.bad.push(directive));
  await tab.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => violated(event.violatedDirective))",
  );
  return noise;
}
