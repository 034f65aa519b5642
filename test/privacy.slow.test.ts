import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../scripts/seed/canary.ts";
import { ENDPOINTS } from "../src/api/endpoints.ts";
import { type Catalog, openCatalog } from "../src/catalog/catalog.ts";
import { answerTarget } from "../src/serve/answer.ts";
import { sharedSnapshot } from "./support/shared-demo.ts";
import { CHINOOK, readTree, temporaryFolder } from "./support/shop.ts";

const folder = temporaryFolder();
const chinook = sharedSnapshot("chinook");
const out = sharedSnapshot("sizes");
let catalog: Catalog;

beforeAll(() => {
  catalog = openCatalog(join(out, "catalog.sqlite"));
  return () => catalog.close();
});

/** Every text in the private database that a customer or employee would not want to be read. */
function chinookSecrets(): string[] {
  const db = new Database(CHINOOK.store, { readonly: true });
  const columns = ["Email", "Phone", "Address", "Fax"];
  const values = columns.flatMap((column) =>
    ["Customer", "Employee"].flatMap((table) =>
      db.prepare<[], string | null>(`SELECT ${column} FROM ${table}`).pluck().all(),
    ),
  );
  db.close();
  return [...new Set(values.filter((value): value is string => value !== null && value.length > 5))];
}

/** Requests that reach into every list of the fallback, also by words that only private texts have. */
function fallbackTargets(): string[] {
  const words = ["cnry", "CNRY_reviews", "canary", "secret", "password", "a", "the"];
  const targets = ENDPOINTS.map((endpoint) => `/api/v1/${endpoint.path}`);
  for (const word of words) {
    for (const list of ["products?search=", "blog?q=", "forum?q=", "search?q="]) {
      for (let page = 1; page <= 3; page++) targets.push(`/api/v1/${list}${word}&per_page=100&page=${page}`);
    }
    targets.push(
      `/api/v1/products?${word}=1`,
      `/api/v1/product?slug=${word}`,
      `/api/v1/blog?slug=cnry-blog-posts-1`,
    );
  }
  for (let page = 1; page <= 12; page++) {
    for (const list of ["products", "reviews", "releases", "blog", "forum"]) {
      targets.push(`/api/v1/${list}?per_page=100&page=${page}`);
    }
    targets.push(`/api/v1/products?min_price=${page}&max_price=${page * 40}&per_page=100`);
  }
  for (let id = 1; id <= 260; id++) targets.push(`/api/v1/product?id=${id}`);
  return targets;
}

describe("private data", () => {
  it("is in no file of the output, not in the catalog or the manifest either", () => {
    for (const [path, bytes] of readTree(out)) {
      const text = bytes.toString("latin1");
      expect(CANARY_TEXT.exec(text)?.[0] ?? null, path).toBeNull();
      if (path.startsWith("site/")) expect(CANARY_NUMBER.exec(text)?.[0] ?? null, path).toBeNull();
    }
  });

  it("is in no answer of the fallback, not in errors either", () => {
    for (const target of fallbackTargets()) {
      const answer = answerTarget(catalog, target);
      expect([200, 400, 404]).toContain(answer.status);
      const text = answer.body.toString("utf8");
      // What a message quotes is what the client sent.
      const sent = /cnry/i.test(target) && answer.status === 400;
      if (!sent) expect(CANARY_TEXT.exec(text)?.[0] ?? null, target).toBeNull();
      expect(CANARY_NUMBER.exec(text)?.[0] ?? null, target).toBeNull();
    }
  });

  it("is not revealed by a hidden row: it answers like an unknown one", () => {
    const hidden = answerTarget(catalog, "/api/v1/product?slug=cnry-products-1");
    const absent = answerTarget(catalog, "/api/v1/product?slug=there-is-none");
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual(absent.body);
    expect(hidden.headers).toEqual(absent.headers);
  });

  it("of Chinook stays private: the e-mails, phones and addresses of its customers and employees", () => {
    const secrets = chinookSecrets();
    expect(secrets.length).toBeGreaterThan(150);
    const list = join(folder, "secrets.txt");
    writeFileSync(list, secrets.join("\n"));
    const found = spawnSync("grep", ["-raoFf", list, chinook], { encoding: "utf8" });
    expect(found.stdout).toBe("");
    expect(found.status).toBe(1); // grep's word for "nothing found"
  });
});
