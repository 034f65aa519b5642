/** `vitrine edge` */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Argument, type Command } from "commander";
import { explainWriteFailure } from "../base/write-failure.ts";
import { CONFIG_FILE, outLayout, readConfig } from "../config/inputs.ts";
import { EDGE_NAMES, EDGES, type Edge, planEdge } from "../edge/edges.ts";
import { templateFolder } from "../package.ts";
import { printSummary } from "./terminal.ts";

interface EdgeFlags {
  readonly out: string;
  readonly config?: string;
  readonly site?: string;
  readonly fallback?: readonly string[];
  readonly listen?: readonly string[];
  readonly trust?: readonly string[];
  readonly exempt: readonly string[];
  readonly certificate?: string;
  readonly brotli?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  vitrine edge nginx --out edge --site /srv/vitrine/site --fallback 127.0.0.1:8081
  vitrine edge nginx --out edge --fallback 10.0.0.1:8081 10.0.0.2:8081 --listen 443 --certificate /etc/ssl/shop.pem
  vitrine edge haproxy --out edge --listen 443 --trust 10.0.0.0/8 --exempt 10.1.0.0/16
  vitrine edge cloudfront --out edge --config shop.config.json --fallback fallback.shop.example`;

export function addEdge(program: Command): void {
  program
    .command("edge")
    .description("write what an edge needs to serve a snapshot, ready to run, with the steps in a README")
    .addArgument(new Argument("<edge>", "which edge").choices(EDGE_NAMES))
    .option("--out <folder>", "where to write", "edge")
    .option("--config <file>", "configuration", CONFIG_FILE)
    .option(
      "--site <folder>",
      "the snapshot's files (default: site/ in `out` of the configuration, or out/site)",
    )
    .option(
      "--fallback <address...>",
      "host and port of `vitrine fallback`, or of several; at a CDN its public host name",
    )
    .option("--listen <address...>", "nginx, HAProxy: where to listen", ["8080", "[::]:8080"])
    .option("--trust <network...>", "nginx, HAProxy: proxies in front whose X-Forwarded-For is believed", [])
    .option("--exempt <network...>", "nginx, HAProxy: networks whose requests are not limited", [])
    .option(
      "--certificate <file>",
      "nginx, HAProxy: listen for TLS and HTTP/2 with this PEM file: the chain and its key",
    )
    .option("--brotli", "nginx: compress with brotli, too: where its module is installed")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (edge: Edge, flags: EdgeFlags) => {
      const loaded = await readConfig(flags.config);
      const templates = templateFolder("edge");
      const settings = {
        config: loaded.config,
        site: resolve(flags.site ?? outLayout(loaded.out).site),
        fallbacks: flags.fallback ?? [EDGES[edge].fallback],
        listen: flags.listen ?? [],
        trusted: flags.trust ?? [],
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
    });
}
