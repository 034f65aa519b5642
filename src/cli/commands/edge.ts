/** `vitrine edge` */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { makeFolder } from "../../base/files.ts";
import { isPrivateAddress } from "../../base/private-address.ts";
import { explainWriteFailure } from "../../base/write-failure.ts";
import { CONFIG_FILE, outLayout, readConfig } from "../../config/inputs.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { EDGE_NAMES, EDGES, type Edge, OBJECT_WORKER, planEdge } from "../../edge/edges.ts";
import { OBJECT_WORKER_FILE, templateFolder } from "../../package.ts";
import { JSON_FLAG } from "../inputs.ts";
import { byDefault, commandOf, flag, rare, text, texts } from "../options.ts";
import { printSummary } from "../terminal.ts";

const NO_NETWORK: readonly string[] = [];
const LISTEN: readonly string[] = ["8080", "[::]:8080"];
const LISTEN_TLS: readonly string[] = ["443", "[::]:443"];

/** The folder that nginx serves: the one that is published to. Null for an edge that serves the snapshot's. */
function publishedFolder(edge: Edge, { place: { to } }: LoadedConfig): string | null {
  const { site } = EDGES[edge];
  return site !== null && to?.startsWith("file://") === true ? fileURLToPath(to) : site;
}

/** @throws VitrineError usage if the catalog that was built here does not fit into an object of the edge */
async function refuseTooLarge(file: string): Promise<void> {
  const { objectProblem } = await import("../../pipeline/built.ts");
  const problem = objectProblem(file);
  if (problem !== null) throw problem;
}

/**
 * Refuses to replace files that this command did not write, such as the `nginx.conf` of `/etc/nginx` or the `README.md` of a project. A
 * folder that it wrote has its README, whose first line says so. @throws VitrineError guard_refused
 */
function refuseOthersFiles(folder: string, names: readonly string[]): void {
  const readme = join(folder, "README.md");
  if (existsSync(readme) && /^# Vitrine at /.test(readFileSync(readme, "utf8"))) return;
  const found = names.filter((name) => existsSync(join(folder, name)));
  if (found.length === 0) return;
  throw new VitrineError(
    "guard_refused",
    `${folder} has ${found.join(", ")}, which vitrine edge did not write. Nothing was written. Name another folder with --into.`,
  );
}

/** Those of an edge by default. */
function fallbacksOf(edge: Edge): readonly string[] {
  const { fallback } = EDGES[edge];
  return fallback === null ? [] : [fallback];
}

export const addEdge = commandOf(
  {
    name: "edge",
    does: "write the configuration of a web server or CDN, with steps",
    takes: [new Argument("<edge>", "the web server or CDN").choices(EDGE_NAMES)],
    flags: {
      into: byDefault(text("<folder>", "folder to write the files to"), "edge"),
      config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
      out: text("<folder>", "folder of the snapshot (else `out` of the configuration, else out)"),
      site: text(
        "<folder>",
        `folder of the files that are served (default for nginx: the folder that \`to\` of the configuration names, else ${EDGES.nginx.site}; for others: site/ of the snapshot)`,
      ),
      fallback: texts(
        "<address...>",
        "HOST:PORT of one `vitrine fallback` or several; for a CDN its public host name (default for Cloudflare: the Worker is the fallback itself)",
      ),
      regions: rare(
        flag("Cloudflare without --fallback: answer from an object in each part of the world instead of one"),
      ),
      listen: texts(
        "<address...>",
        "nginx: ports or addresses for HTTP (default: 8080; with --certificate none)",
      ),
      listenTls: rare(
        texts("<address...>", "nginx: ports or addresses for HTTPS, with --certificate (default: 443)"),
      ),
      trust: rare(
        byDefault(
          texts("<network...>", "nginx: proxies in front whose X-Forwarded-For is trusted"),
          NO_NETWORK,
        ),
      ),
      exempt: rare(
        byDefault(texts("<network...>", "nginx: networks whose requests are not limited"), NO_NETWORK),
      ),
      certificate: text("<file>", "nginx: serve HTTPS with this PEM file, which has the chain and its key"),
      brotli: rare(flag("nginx: compress with brotli, too; its module must be installed")),
      ...JSON_FLAG,
    },
    examples: [
      "vitrine edge nginx --site /srv/www/shop-api --fallback 127.0.0.1:8081",
      "vitrine edge nginx --fallback 10.0.0.1:8081 10.0.0.2:8081 --certificate /etc/ssl/shop.pem",
      "vitrine edge cloudflare --into cloudflare-edge",
      "vitrine edge cloudflare-pages --into pages-edge",
      "vitrine edge cloudfront --fallback fallback.shop.example",
    ],
  },
  async (flags, name) => {
    const edge = name as Edge;
    const loaded = await readConfig(flags.config);
    const templates = templateFolder("edge");
    const hasCertificate = flags.certificate !== undefined;
    if (flags.listenTls !== undefined && !hasCertificate)
      throw new VitrineError(
        "usage",
        "--listen-tls needs --certificate FILE, which has the chain and its key.",
      );
    const settings = {
      config: loaded.config,
      site: resolve(flags.site ?? publishedFolder(edge, loaded) ?? outLayout(flags.out ?? loaded.out).site),
      fallbacks: flags.fallback ?? fallbacksOf(edge),
      listen: flags.listen ?? (hasCertificate ? [] : LISTEN),
      listenTls: hasCertificate ? (flags.listenTls ?? LISTEN_TLS) : [],
      trusted: flags.trust,
      exempt: flags.exempt,
      certificate: flags.certificate === undefined ? undefined : resolve(flags.certificate),
      brotli: flags.brotli === true,
      regions: flags.regions === true,
    };
    if (edge === "cloudflare" && settings.fallbacks.length === 0)
      await refuseTooLarge(outLayout(flags.out ?? loaded.out).catalog);
    const files = planEdge(edge, settings, (name) =>
      readFileSync(name === OBJECT_WORKER ? OBJECT_WORKER_FILE : join(templates, name), "utf8"),
    );
    const folder = resolve(flags.into);
    refuseOthersFiles(
      folder,
      files.map(({ name }) => name),
    );
    try {
      for (const { name, text } of files) {
        makeFolder(dirname(join(folder, name)));
        writeFileSync(join(folder, name), text);
      }
    } catch (error) {
      throw explainWriteFailure(error, folder);
    }
    const names = files.map(({ name }) => name);
    const { baseUrl } = loaded.config;
    printSummary(flags.json === true, { edge, folder, files: names }, [
      `${names.join(", ")} written to ${folder}. Follow the steps in README.md there`,
      ...(edge !== "nginx" && isPrivateAddress(baseUrl)
        ? [
            `baseUrl ${baseUrl} is a local address: set the public one and write these files again before you deploy them`,
          ]
        : []),
    ]);
  },
);
