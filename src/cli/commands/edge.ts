/** `vitrine edge` */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { explainWriteFailure } from "../../base/write-failure.ts";
import { CONFIG_FILE, outLayout, readConfig } from "../../config/inputs.ts";
import { EDGE_NAMES, EDGES, type Edge, planEdge } from "../../edge/edges.ts";
import { templateFolder } from "../../package.ts";
import { JSON_FLAG } from "../inputs.ts";
import { byDefault, commandOf, flag, text, texts } from "../options.ts";
import { printSummary } from "../terminal.ts";

const NOBODY: readonly string[] = [];
const LISTEN: readonly string[] = ["8080", "[::]:8080"];
const LISTEN_TLS: readonly string[] = ["443", "[::]:443"];

export const addEdge = commandOf(
  {
    name: "edge",
    does: "write what an edge needs to serve a snapshot, ready to run, with the steps in a README",
    takes: [new Argument("<edge>", "which edge").choices(EDGE_NAMES)],
    flags: {
      out: byDefault(text("<folder>", "where to write"), "edge"),
      config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
      site: text(
        "<folder>",
        `the files that are served (default: for nginx the folder that \`vitrine publish\` fills, ${EDGES.nginx.site}; else site/ in \`out\` of the configuration, or out/site)`,
      ),
      fallback: texts(
        "<address...>",
        "host and port of `vitrine fallback`, or of several; at a CDN its public host name",
      ),
      listen: texts(
        "<address...>",
        `nginx: ports or addresses for HTTP (default: ${LISTEN.join(" ")}, or none with --certificate)`,
      ),
      listenTls: texts(
        "<address...>",
        `nginx: ports or addresses for HTTPS and HTTP/2, with --certificate (default: ${LISTEN_TLS.join(" ")})`,
      ),
      trust: byDefault(
        texts("<network...>", "nginx: proxies in front whose X-Forwarded-For is believed"),
        NOBODY,
      ),
      exempt: byDefault(texts("<network...>", "nginx: networks whose requests are not limited"), NOBODY),
      certificate: text("<file>", "nginx: listen for HTTPS with this PEM file: the chain and its key"),
      brotli: flag("nginx: compress with brotli, too: where its module is installed"),
      ...JSON_FLAG,
    },
    examples: [
      "vitrine edge nginx --out edge --site /srv/www/shop-api --fallback 127.0.0.1:8081",
      "vitrine edge nginx --out edge --fallback 10.0.0.1:8081 10.0.0.2:8081 --certificate /etc/ssl/shop.pem",
      "vitrine edge nginx --out edge --listen 80 [::]:80 --trust 10.0.0.0/8 --exempt 10.1.0.0/16",
      "vitrine edge cloudflare-pages --out edge",
      "vitrine edge cloudfront --out edge --config shop.config.json --fallback fallback.shop.example",
    ],
  },
  async (flags, name) => {
    const edge = name as Edge;
    const loaded = await readConfig(flags.config);
    const templates = templateFolder("edge");
    const hasCertificate = flags.certificate !== undefined;
    if (flags.listenTls !== undefined && !hasCertificate)
      throw new VitrineError("usage", "--listen-tls needs --certificate FILE: the chain and its key.");
    const settings = {
      config: loaded.config,
      site: resolve(flags.site ?? EDGES[edge].site ?? outLayout(loaded.out).site),
      fallbacks: flags.fallback ?? [EDGES[edge].fallback],
      listen: flags.listen ?? (hasCertificate ? [] : LISTEN),
      listenTls: hasCertificate ? (flags.listenTls ?? LISTEN_TLS) : [],
      trusted: flags.trust,
      exempt: flags.exempt,
      certificate: flags.certificate === undefined ? undefined : resolve(flags.certificate),
      brotli: flags.brotli === true,
    };
    const files = planEdge(edge, settings, (name) => readFileSync(join(templates, name), "utf8"));
    const out = resolve(flags.out);
    try {
      for (const { name, text } of files) {
        mkdirSync(dirname(join(out, name)), { recursive: true });
        writeFileSync(join(out, name), text);
      }
    } catch (error) {
      throw explainWriteFailure(error, out);
    }
    const names = files.map(({ name }) => name);
    printSummary(flags.json === true, { edge, out, files: names }, [
      `${names.join(", ")} written to ${out}; README.md there has the steps`,
    ]);
  },
);
