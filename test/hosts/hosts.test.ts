/** Static hosts: what is written for each, and what each then says to a request, by the code that the host itself obeys its files with. */
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllHeaders } from "@netlify/headers-parser";
import Database from "better-sqlite3";
import { Miniflare } from "miniflare";
import redirector from "netlify-redirector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { hostFilesOf } from "../../src/build/pages.ts";
import { planBuild } from "../../src/build/plan.ts";
import type { BuildReport } from "../../src/build/report.ts";
import { plainBody } from "../../src/catalog/envelope.ts";
import { describePlan } from "../../src/cli/plan-lines.ts";
import { guideFiles } from "../../src/hosts/guide.ts";
import { HOST_NAMES, type HostName, hostNamed, isHostFile } from "../../src/hosts/hosts.ts";
import { canonicalKey, queryOfKey, targetOf } from "../../src/key/key.ts";
import { checkPublic, readPublic } from "../../src/publish/served.ts";
import { withinFileLimit } from "../../src/render/plan.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { openManifest } from "../../src/snapshot/manifest.ts";
import { verifySnapshot } from "../../src/snapshot/verify.ts";
import { openInto } from "../support/open-files.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const site = join(out, "site");

function configFor(host: HostName): PublicConfig {
  return { ...SMALL_CONFIG, for: host };
}

function filesFor(host: HostName): Map<string, string> {
  return new Map(hostFilesOf(configFor(host)).map(({ name, text }) => [name, text]));
}

const CLOUDFLARE = demoInputs(seedDemo(folder), out, { config: configFor("cloudflare-pages") });
let built: BuildReport;

beforeAll(async () => {
  built = await buildQuietly(CLOUDFLARE);
});

/** Of each endpoint's files some, with the requests that they answer. */
function someFiles(): { key: string; target: string }[] {
  const keys = [...readTree(site).keys()].sort().filter((_, at) => at % 7 === 0);
  return keys.flatMap((key) => {
    const query = queryOfKey(key);
    return query === null ? [] : [{ key, target: targetOf(query) }];
  });
}

/** Requests without a file: what they ask for must not be answered by another list's. */
const NO_FILES = [
  "products?search=kit",
  "products?page=2&search=kit",
  "products?min_price=5",
  "products?category=scripts&type=script",
  "products?category=scripts&type=script&page=2&sort=oldest",
  "products?per_page=7",
  "products?page=2&per_page=7",
  "reviews?limit=3",
  "reviews?product_slug=invoice-kit&min_rating=2&page=1",
  "faqs?limit=2",
  "faqs?type=general&product_slug=invoice-kit",
  "forum?q=x&page=2",
  "search?q=kit",
  "search",
  "product",
].map((rest) => `/api/v1/${rest}`);

describe("a snapshot for a host", () => {
  it.each(HOST_NAMES)(
    "for %s has the files that its row names, and a guide that says what it cannot do",
    (host) => {
      const { files, cannot, live, title } = hostNamed(host);
      expect([...filesFor(host).keys()].sort()).toEqual([...files].sort());
      const guide = guideFiles(configFor(host)).get("README.md") ?? "";
      for (const text of [title, ...cannot, ...live]) expect(guide).toContain(text);
    },
  );

  it.each(HOST_NAMES)("for %s leads from its root to the explorer, else to the status", (host) => {
    const root = (pages: PublicConfig["pages"]) =>
      hostFilesOf({ ...configFor(host), pages }).find(({ name }) => name === "index.html")?.text;
    expect(root({})).toContain('content="0; url=explore/"');
    const to = /content="0; url=([^"]+)"/.exec(root(false) ?? "")?.[1] ?? "";
    expect(existsSync(join(site, to))).toBe(true);
  });

  it("has them in the manifest and in the plan, and the guide beside it", async () => {
    const plan = await planBuild(CLOUDFLARE, mkdtempSync(join(folder, "plan-")));
    expect([plan.files, plan.pages.files]).toEqual([built.files, 5]);
    const { lines } = describePlan(plan, CLOUDFLARE.config, false);
    for (const text of hostNamed("cloudflare-pages").cannot) expect(lines).toContain(`  ${text}`);
    expect(await verifySnapshot(layoutOf(out), () => {})).toMatchObject({ files: built.files, problems: [] });
    expect(existsSync(join(out, "host/README.md"))).toBe(true);
  });

  it("keeps below the ceilings and names what they leave out", async () => {
    const grid = { depth: 1, maxFiles: 250_000, maxBytes: 1_500_000 };
    const config: PublicConfig = { ...configFor("github-pages"), grid };
    const report = await buildQuietly({ ...CLOUDFLARE, config, out: join(folder, "bytes") });
    // What is cut is counted by the mean of its records.
    expect(report.sizeBytes).toBeLessThan(1_500_000 * 1.05);
    expect(report.sizeBytes).toBeGreaterThan(1_000_000);
    expect(report.leftToFallback.map(({ name }) => name)).toContain("product, by id");
  });

  it("has no file that is too large for the host, nor its links", () => {
    const [put, left]: [string[], string[]] = [[], []];
    const writer = {
      put: (key: string, _: unknown, aliases: readonly string[] = []) => put.push(key, ...aliases),
      open: openInto((key) => put.push(key)),
      remove: (key: string) => left.push(key),
      digestOf: () => null,
    };
    const fitting = withinFileLimit(writer, configFor("cloudflare-pages"));
    const most = 25 * 1024 * 1024;
    for (const size of [most, most + 1, 1]) {
      fitting.put(`${size}`, plainBody("x".repeat(size)), [`link to ${size}`]);
    }
    expect(put).toEqual([`${most}`, `link to ${most}`, "1", "link to 1"]);
    expect(left).toEqual([`${most + 1}`, `link to ${most + 1}`]);
    for (const more of [0, 1]) {
      using file = fitting.open(`pieces ${more}`);
      file.add(Buffer.alloc(most));
      file.add(Buffer.alloc(more));
      expect(file.put()).toBe(most + more);
    }
    expect([put.at(-1), left.at(-1)]).toEqual(["pieces 0", "pieces 1"]);
  });
});

describe("Cloudflare Pages", () => {
  let miniflare: Miniflare;
  let url: URL;

  beforeAll(async () => {
    const { include, exclude } = JSON.parse(readFileSync(join(site, "_routes.json"), "utf8"));
    miniflare = new Miniflare({
      modules: true,
      script: readFileSync(join(site, "_worker.js"), "utf8"),
      compatibilityDate: "2026-04-01",
      assets: {
        directory: site,
        binding: "ASSETS",
        assetConfig: { not_found_handling: "404-page" },
        routerConfig: {
          has_user_worker: true,
          static_routing: { user_worker: include, asset_worker: exclude },
        },
      },
      cf: false,
      host: "127.0.0.1",
      port: 0,
    });
    url = await miniflare.ready;
  });
  afterAll(() => miniflare.dispose());

  const ask = (target: string, init: RequestInit = {}) => fetch(new URL(target, url), init);

  it("serves every file that the manifest names to the request that it answers, with the contract's headers", async () => {
    const manifest = openManifest(layoutOf(out).manifest);
    const report = await checkPublic(readPublic(url.origin), manifest, { sample: 150, progress: () => {} });
    expect(report.problems).toEqual([]);
    expect(report.files).toBeGreaterThan(140);
    const response = await ask("/api/v1/products?category=SCRIPTS&page=01&utm_source=x");
    const key = "api/v1/products/category=scripts/page=1.json";
    expect(await response.text()).toBe(readFileSync(join(site, key), "utf8"));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: manifest.get(key)?.etag,
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=60, s-maxage=300, stale-if-error=86400",
      "access-control-allow-origin": "*",
    });
    manifest.close();
    const again = { headers: { "if-none-match": response.headers.get("etag") ?? "" } };
    expect((await ask("/api/v1/products?category=scripts", again)).status).toBe(304);
  });

  it("serves a file by its path, and says in the envelope where there is none", async () => {
    const page = await ask("/api/v1/products/page=2.json");
    expect(page.headers.get("access-control-allow-origin")).toBe("*");
    expect(await page.text()).toBe(readFileSync(join(site, "api/v1/products/page=2.json"), "utf8"));
    const codes = ["products/page=999.json", "products?page=999", "nothing", "products?colour=red"].map(
      async (rest) => {
        const response = await ask(`/api/v1/${rest}`);
        expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
        const { error } = (await response.json()) as { error: { code: string } };
        return [response.status, error.code];
      },
    );
    expect(await Promise.all(codes)).toEqual([
      [404, "not_found"],
      [404, "not_found"],
      [404, "unknown_endpoint"],
      [400, "invalid_parameter"],
    ]);
    expect((await ask("/api/v1/products?page=1", { method: "POST" })).status).toBe(405);
  });

  it.each(NO_FILES)("does not answer %s by another file", async (target) => {
    expect((await ask(target)).ok).toBe(false);
  });
});

/** What a host's rules make of a request: the file that they lead to, or null. */
type Lead = (path: string, query: string) => string | null;

function leads(lead: () => Lead): void {
  it("leads each canonical request to its file", () => {
    const wrong = someFiles().filter(({ key, target }) => {
      const [path = "", query = ""] = target.split("?");
      return lead()(path, query) !== key && path !== `/${key}`;
    });
    expect(wrong).toEqual([]);
  });

  it.each(NO_FILES)("leads %s to no other file", (target) => {
    const [path = "", query = ""] = target.split("?");
    const file = lead()(path, query);
    expect(file === null || file === canonicalKey(path, query) || !existsSync(join(site, file))).toBe(true);
  });

  it("leads nothing out of the API's folder", () => {
    for (const value of ["../../../x", "..%2f..%2fx", "%2e%2e%2fx", "a/b"])
      expect(lead()("/api/v1/product", `slug=${value}`) ?? "").not.toMatch(/\.\.\/|\/x\.json$|a\/b/);
  });
}

describe("Netlify", () => {
  let lead: Lead;

  beforeAll(async () => {
    const matcher = await redirector.parsePlain(filesFor("netlify").get("_redirects") ?? "", {});
    const request = { scheme: "https", host: "shop.test", headers: {}, cookieValues: {} };
    const asked = { getHeader: () => "", getCookie: () => "" };
    lead = (path, query) => {
      const match = matcher.match({ ...request, ...asked, path, query });
      return match?.status === 200 ? match.to.slice(1) : null;
    };
  });
  leads(() => lead);

  it("sends the contract's headers", async () => {
    const headersFile = join(folder, "_headers");
    writeFileSync(headersFile, filesFor("netlify").get("_headers") ?? "");
    const { headers, errors } = await parseAllHeaders({
      headersFiles: [headersFile],
      netlifyConfigPath: undefined,
      configHeaders: [],
      minimal: true,
    });
    expect(errors).toEqual([]);
    expect(headers).toMatchObject([{ for: "/*", values: { "Access-Control-Allow-Origin": "*" } }]);
  });
});

describe("after a change", () => {
  it("a build by delta leaves the host's files as they are, and is a build from nothing", async () => {
    const store = join(folder, "changed.sqlite");
    cpSync(CLOUDFLARE.store, store);
    const [changed, now] = [join(folder, "changed"), "2026-11-20 12:01:00"];
    await buildQuietly({ ...CLOUDFLARE, store, out: changed });
    const db = new Database(store);
    db.exec("UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE id = 5");
    db.close();
    expect(await buildQuietly({ ...CLOUDFLARE, store, now, out: changed })).toMatchObject({ work: "delta" });
    const report = await buildQuietly({ ...CLOUDFLARE, store, now, out: changed, full: true });
    expect([report.difference, report.written]).toEqual([null, 0]);
    const files = [...readTree(join(changed, "site")).keys()].filter(isHostFile);
    expect(files.sort()).toEqual([...hostNamed("cloudflare-pages").files].sort());
  });

  it("of the host, its files and its guide are those of the other", async () => {
    const changed = join(folder, "changed");
    const config: PublicConfig = { ...configFor("s3"), endpoints: ["store"] };
    await buildQuietly({ ...CLOUDFLARE, out: changed, config, allowShrink: 100_000 });
    expect([...readTree(join(changed, "site")).keys()].filter(isHostFile).sort()).toEqual(
      [...hostNamed("s3").files].sort(),
    );
    expect([...readTree(join(changed, "host")).keys()].sort()).toEqual(["README.md", "cors.json"]);
    const { for: _, ...none } = config;
    await buildQuietly({ ...CLOUDFLARE, out: changed, config: none, allowShrink: 2 });
    expect(existsSync(join(changed, "host"))).toBe(false);
  });
});
