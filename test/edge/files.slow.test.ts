/** The files of `vitrine edge`. The other tests of this folder show that they work. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Command } from "commander";
import { describe, expect, it, vi } from "vitest";
import { createCatalog } from "../../src/catalog/catalog-file.ts";
import { addEdge } from "../../src/cli/commands/edge.ts";
import { EDGE_NAMES, type Edge, planEdge } from "../../src/edge/edges.ts";
import { fillTemplate } from "../../src/edge/template.ts";
import { checkObject } from "../../src/setup/doctor.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { DEMO_CONFIG, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const SETTINGS = {
  config: { ...DEMO_CONFIG, baseUrl: "https://api.shop.example/api/v1", siteUrl: "https://shop.example" },
  site: "/srv/vitrine/site",
  fallbacks: ["fallback.shop.example"],
  listen: ["8080", "[::]:8080"],
  listenTls: [],
  trusted: ["10.0.0.0/8"],
  exempt: [],
  brotli: false,
};
const readTemplate = (name: string) => readFileSync(join("templates/edge", name), "utf8");

function textOf(edge: Edge, name: string): string {
  return planEdge(edge, SETTINGS, readTemplate).find((file) => file.name === name)?.text ?? "";
}

/** JSON with lines that are comments. */
function parseCommented(text: string): unknown {
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ""));
}

/** Wrangler uploads the Worker byte for byte, and it needs nothing that Cloudflare's runtime lacks. */
function expectSentAsItIs(folder: string): void {
  expect(parseCommented(readFileSync(join(folder, "wrangler.jsonc"), "utf8"))).toMatchObject({
    main: "worker.js",
    no_bundle: true,
    find_additional_modules: false,
  });
  const worker = readFileSync(join(folder, "worker.js"), "utf8");
  const imported = [...worker.matchAll(/\bimport\s*(?:[\w{}*,\s$]*?\bfrom\s*)?\(?["']([^"']+)["']/g)];
  expect(imported.filter(([, name = ""]) => !name.startsWith("node:"))).toEqual([]);
}

describe("vitrine edge", () => {
  it.each(EDGE_NAMES)("%s: writes its files and says where the steps are", async (edge) => {
    const out = mkdtempSync(join(folder, "out-"));
    const config = join(out, "shop.json");
    writeFileSync(
      config,
      JSON.stringify({ baseUrl: SETTINGS.config.baseUrl, siteUrl: SETTINGS.config.siteUrl }),
    );
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const program = new Command("vitrine").exitOverride();
    addEdge(program);
    const args = ["edge", edge, "--into", out, "--config", config];
    if (edge === "cloudflare") args.push("--fallback", ...SETTINGS.fallbacks);
    await program.parseAsync(args, { from: "user" });
    const spoken = said.mock.calls.join("");
    said.mockRestore();
    expect(spoken).toContain("Follow the steps in README.md there");
    expect(spoken).not.toContain("local address");
    for (const { name } of planEdge(edge, SETTINGS, readTemplate)) {
      expect(readFileSync(join(out, name), "utf8")).not.toMatch(/\{\{[A-Z_]+\}\}/);
    }
    if (edge === "cloudflare") expectSentAsItIs(out);
  });

  it.each(EDGE_NAMES)("%s: says that a local address is no public one, but for nginx", async (edge) => {
    const out = mkdtempSync(join(folder, "local-"));
    const config = join(out, "shop.json");
    writeFileSync(
      config,
      JSON.stringify({ baseUrl: "http://127.0.0.1:8080/api/v1", siteUrl: "http://localhost" }),
    );
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const program = new Command("vitrine").exitOverride();
    addEdge(program);
    await program.parseAsync(
      ["edge", edge, "--into", out, "--config", config, "--fallback", "f.shop.example"],
      {
        from: "user",
      },
    );
    const spoken = said.mock.calls.join("");
    said.mockRestore();
    expect(spoken.includes("baseUrl http://127.0.0.1:8080/api/v1 is a local address")).toBe(edge !== "nginx");
  });

  it.each([
    ["the README of a project", "README.md", "# Our shop\n"],
    ["the configuration of an nginx", "nginx.conf", "user www-data;\n"],
  ])("leaves %s as it is, and writes its own files again", async (_what, name, theirs) => {
    const out = mkdtempSync(join(folder, "theirs-"));
    writeFileSync(join(out, name), theirs);
    const config = join(out, "shop.json");
    const { baseUrl, siteUrl } = SETTINGS.config;
    writeFileSync(config, JSON.stringify({ baseUrl, siteUrl }));
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const run = (into: string, edge: string) => {
      const program = new Command("vitrine").exitOverride();
      addEdge(program);
      const args = ["edge", edge, "--into", into, "--config", config, "--fallback", "f.shop.example"];
      return program.parseAsync(args, { from: "user" });
    };
    try {
      await expect(run(out, "nginx")).rejects.toMatchObject({
        code: "guard_refused",
        message: expect.stringContaining(`${out} has ${name}, which vitrine edge did not write.`),
      });
      expect(readdirSync(out).toSorted()).toEqual([name, "shop.json"].toSorted());
      expect(readFileSync(join(out, name), "utf8")).toBe(theirs);
      for (const edge of ["nginx", "nginx", ...EDGE_NAMES]) await run(join(out, "edge"), edge);
    } finally {
      said.mockRestore();
    }
  });

  it("writes a Worker that is the fallback, too, if none is named for Cloudflare", async () => {
    const out = mkdtempSync(join(folder, "object-"));
    const config = join(out, "shop.json");
    const { baseUrl, siteUrl } = SETTINGS.config;
    writeFileSync(config, JSON.stringify({ baseUrl, siteUrl }));
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const run = (...more: readonly string[]) => {
      const program = new Command("vitrine").exitOverride();
      addEdge(program);
      const args = ["edge", "cloudflare", "--into", out, "--config", config, ...more];
      return program.parseAsync(args, { from: "user" });
    };
    try {
      await run();
      const wrangler = readFileSync(join(out, "wrangler.jsonc"), "utf8");
      expect(wrangler).toContain('"new_sqlite_classes": ["CatalogObject"]');
      expect(wrangler).toContain('"REGIONS": "false"');
      expect(wrangler).not.toMatch(/\{\{|FALLBACK_URL/);
      const worker = readFileSync(join(out, "worker.js"), "utf8");
      expect(worker).toMatch(/export\s*\{[^}]*CatalogObject/);
      expect(worker.length).toBeLessThan(1_000_000);
      expect(gzipSync(worker).length).toBeLessThan(300_000);
      expectSentAsItIs(out);
      expect(readFileSync(join(out, "README.md"), "utf8")).toContain("/_vitrine/published");
      await run("--regions");
      expect(readFileSync(join(out, "wrangler.jsonc"), "utf8")).toContain('"REGIONS": "true"');
      await expect(run("--regions", "--fallback", "fallback.shop.example")).rejects.toThrow(
        /--regions is for/,
      );
      const catalog = createCatalog(join(out, "catalog.sqlite"));
      catalog.finish({ config: JSON.stringify(SETTINGS.config), store: "{}" }, "2026-11-28T00:00:00+00:00");
      const rows = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 400000)";
      catalog.db.exec(`${rows} INSERT INTO review (id) SELECT id FROM n`);
      catalog.commit();
      await expect(run("--out", out)).rejects.toThrow(/too large for a Durable Object/);
      expect(checkObject(join(out, "catalog.sqlite"))).toMatchObject([
        {
          level: "ok",
          what: expect.stringMatching(/4102 partitions .* at most 2500 fit\. Run vitrine fallback/),
        },
      ]);
      expect(checkObject(join(sharedSnapshot("small"), "catalog.sqlite"))).toEqual([]);
    } finally {
      said.mockRestore();
    }
  });

  it("lets nginx serve the folder that is published to, unless --site names another", async () => {
    const out = mkdtempSync(join(folder, "published-"));
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const program = new Command("vitrine").exitOverride();
    addEdge(program);
    await program.parseAsync(["edge", "nginx", "--into", out], { from: "user" });
    said.mockRestore();
    expect(readFileSync(join(out, "vitrine.conf"), "utf8")).toContain('root "/srv/www/shop-api";');
    const readme = readFileSync(join(out, "README.md"), "utf8");
    expect(readme).toContain("vitrine publish --to file:///srv/www/shop-api");
    expect(readme).toContain("vitrine fallback --to file:///srv/www/shop-api");
  });

  it("requires a certificate for HTTPS", async () => {
    const program = new Command("vitrine").exitOverride();
    addEdge(program);
    const args = ["edge", "nginx", "--into", join(folder, "no-tls"), "--listen-tls", "443"];
    await expect(program.parseAsync(args, { from: "user" })).rejects.toThrow(
      /--listen-tls needs --certificate/,
    );
  });

  it("accepts several fallbacks, as addresses that they print or as host and port", async () => {
    const out = mkdtempSync(join(folder, "several-"));
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const program = new Command("vitrine").exitOverride();
    addEdge(program);
    const fallbacks = [
      "--fallback",
      "http://127.0.0.1:8081",
      "--fallback",
      "127.0.0.1:8082",
      "10.0.0.3:8081",
    ];
    await program.parseAsync(["edge", "nginx", "--into", out, ...fallbacks], { from: "user" });
    said.mockRestore();
    const servers = readFileSync(join(out, "vitrine.conf"), "utf8").match(/(?<=^ +server )[^{\s]+/gm);
    expect(servers).toEqual(["127.0.0.1:8081", "127.0.0.1:8082", "10.0.0.3:8081", "127.0.0.1:9"]);
    expect(readFileSync(join(out, "README.md"), "utf8")).toContain(
      "127.0.0.1:8081 and 127.0.0.1:8082 and 10.0.0.3:8081",
    );
  });

  it("refuses a base address with a path if the edge serves a whole host", () => {
    const config = { ...SETTINGS.config, baseUrl: "https://shop.example/store/api/v1" };
    const plan = () => planEdge("cloudfront", { ...SETTINGS, config }, readTemplate);
    expect(plan).toThrow(/at the root of its host/);
  });

  it("refuses a path that nginx would misread", () => {
    const plan = () => planEdge("nginx", { ...SETTINGS, site: '/srv/"$x' }, readTemplate);
    expect(plan).toThrow(/nginx can't take the path/);
  });

  const refusals: readonly (readonly [edge: Edge, fallback: string, reason: RegExp])[] = [
    ["nginx", "a:1,b:2", /several, one behind the other/],
    ["cloudflare", "a.shop.example,b.shop.example", /several addresses.*load balancer/],
    ["cloudfront", "a.shop.example,b.shop.example", /several addresses.*load balancer/],
    ["nginx", "https://127.0.0.1:8081", /without https:\/\//],
    ["cloudfront", "https://fallback.shop.example", /without https:\/\//],
    ["nginx", "127.0.0.1:8081;include$x", /host and port like 127\.0\.0\.1:8081/],
    ["nginx", "", /host and port/],
    ["cloudflare", 'x",', /several|host name/],
    ["cloudflare", "192.0.2.1:8081", /not an IP address/],
    ["cloudfront", "192.0.2.1", /not an IP address/],
    ["cloudfront", "fallback.shop.example:8443", /public host name/],
  ];
  it.each(refusals)(
    "%s: says why it cannot use the fallback %j, and what to do",
    (edge, fallback, reason) => {
      expect(() => planEdge(edge, { ...SETTINGS, fallbacks: [fallback] }, readTemplate)).toThrow(reason);
    },
  );

  it.each([
    ["nginx", "[::1]:8081"],
    ["nginx", "localhost"],
    ["nginx", "unix:/run/vitrine.sock"],
    ["nginx", "fallback_1.internal:8081"],
    ["cloudflare", "fallback.shop.example:8443"],
    ["cloudfront", "fallback.shop.example"],
  ] as const)("%s: takes the fallback %s", (edge, fallback) => {
    const files = planEdge(edge, { ...SETTINGS, fallbacks: [fallback] }, readTemplate);
    expect(files.some(({ text }) => text.includes(fallback))).toBe(true);
  });

  it("nginx: looks for counted addresses in trusted networks only, since geo takes no host names or zones", () => {
    const trusted = ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1", "fe80::1%eth0", "cafe.be", "unix:"];
    const files = planEdge("nginx", { ...SETTINGS, trusted }, readTemplate);
    const text = files.map((file) => file.text).join("\n");
    for (const network of trusted) expect(text).toContain(`set_real_ip_from ${network};`);
    expect(text).toContain(
      "geo $vitrine_trusted {\n    default 0;\n    10.0.0.0/8 1;\n    2001:db8::/32 1;\n    192.0.2.1 1;\n    fe80::1 1;\n}\n",
    );
  });

  it("refuses the same fallback twice", async () => {
    const out = mkdtempSync(join(folder, "twice-"));
    const run = async (edge: Edge) => {
      const program = new Command("vitrine").exitOverride();
      addEdge(program);
      const args = ["edge", edge, "--into", out, "--config", "vitrine.config.json"];
      const twice = [...args, "--fallback", "a.example:1", "--fallback", "b.example:2"];
      await program.parseAsync(twice, { from: "user" });
    };
    await expect(run("cloudflare")).rejects.toThrow(/several addresses \(a.example:1 b.example:2\)/);
    expect(readdirSync(out)).toEqual([]);
    const said = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    await run("nginx");
    said.mockRestore();
    const written = readFileSync(join(out, "vitrine.conf"), "utf8");
    for (const address of ["a.example:1", "b.example:2"]) expect(written).toContain(`server ${address} `);
  });

  it("leaves no placeholder without a value", () => {
    expect(() => fillTemplate("{{NOBODY}}", {})).toThrow(/NOBODY/);
  });

  it("never passes on a client's own target header through nginx", () => {
    expect(textOf("nginx", "vitrine.conf")).toContain('proxy_set_header x-vitrine-target "";');
  });

  it("gives Wrangler a configuration that is JSON except for its comments", () => {
    expect(parseCommented(textOf("cloudflare", "wrangler.jsonc"))).toMatchObject({
      main: "worker.js",
      routes: [{ pattern: "api.shop.example/*" }],
      ratelimits: [{ name: "RATE_LIMIT", simple: { limit: 120, period: 60 } }],
      vars: { FALLBACK_URL: "https://fallback.shop.example" },
    });
    const rules = JSON.parse(textOf("cloudflare", "cache-rules.json")) as {
      rules: { action_parameters: object }[];
    };
    for (const rule of rules.rules) expect(rule.action_parameters).toMatchObject({ cache: true });
  });
});

interface Engine {
  validateStandard(
    template: { content: string; fileName: string },
    options: { parameterOverrides: Record<string, string> },
  ): { diagnostics: { severity: string; ruleId: string; message: string }[] };
  free(): void;
}

/** The used part of AWS's own validator, which contains the schemas of all resources. */
interface Validator {
  RegoEngine: new () => Engine;
  TemplateFile: new (path: string) => { content: string; fileName: string };
}

function loadValidator(): Validator | null {
  try {
    return createRequire(import.meta.url)("@aws/cloudformation-validate") as Validator;
  } catch {
    return null;
  }
}

/** Errors and warnings; other findings advise tags and list what a later change would replace. */
function complaints(engine: Engine, { TemplateFile }: Validator, text: string): string[] {
  const file = join(folder, "template.yaml");
  writeFileSync(file, text);
  const parameterOverrides = { CertificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/0" };
  const { diagnostics } = engine.validateStandard(new TemplateFile(file), { parameterOverrides });
  return diagnostics
    .filter(({ severity }) => severity.toUpperCase() !== "INFO")
    .map(({ ruleId, message }) => `${ruleId} ${message}`);
}

describe("the CloudFormation template", () => {
  const template = textOf("cloudfront", "template.yaml");
  const validator = loadValidator();

  const missing = "needs the validator: npm install --save-dev @aws/cloudformation-validate@1.9.0-beta";
  it.skipIf(validator === null && process.env["CI"] !== "true")(`follows AWS's schemas (${missing})`, () => {
    if (validator === null) expect.fail(missing);
    // To make it takes four seconds.
    const engine = new validator.RegoEngine();
    const complaintsAbout = (text: string) => complaints(engine, validator, text);
    expect(complaintsAbout(template)).toEqual([]);
    // Make sure that the validator finds anything at all:
    expect(complaintsAbout(template.replace("Limit: 120", "Limit: 5"))).not.toEqual([]);
    expect(complaintsAbout(template.replace("OriginGroups:", "OriginGroup:"))).not.toEqual([]);
    engine.free();
  });

  it("gives the contract's exact 429", () => {
    expect(template).toContain(
      `        rate_limited:
          ContentType: APPLICATION_JSON
          Content: '{"success":false,"error":{"code":"rate_limited","message":"Too many requests."}}'`,
    );
    expect(template).toContain(
      `              AggregateKeyType: IP
              EvaluationWindowSec: 60
              Limit: 120
          Action:
            Block:
              CustomResponse:
                ResponseCode: 429
                CustomResponseBodyKey: rate_limited
                ResponseHeaders:
                  - Name: X-Content-Type-Options
                    Value: "nosniff"
                  - Name: Access-Control-Allow-Origin
                    Value: "*"
                  - Name: Access-Control-Expose-Headers
                    Value: "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window"
                  - Name: Cache-Control
                    Value: "no-store"
                  - Name: X-RateLimit-Limit
                    Value: "120"
                  - Name: X-RateLimit-Window
                    Value: "60"
                  - Name: Retry-After
                    Value: "60"`,
    );
  });

  it("fits into the size that CloudFormation accepts", () => {
    expect(Buffer.byteLength(template)).toBeLessThan(51_200);
  });
});
