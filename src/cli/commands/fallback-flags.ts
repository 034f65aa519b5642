/** The flags of `vitrine fallback`, in a file that loads fast. */
import { listenFlags, OUT_FLAGS } from "../inputs.ts";
import { addressOf } from "../metrics.ts";
import {
  byDefault,
  DAY_SECONDS,
  type Flag,
  type Flags,
  flag,
  rare,
  seconds,
  text,
  whole,
} from "../options.ts";
import { PLACE, SERVICE_FLAGS } from "../remote.ts";

export const FALLBACK_FLAGS = {
  to: {
    ...text(
      "<place>",
      `follow the live release at ${PLACE} (else \`to\` of the configuration; without a place: the output folder)`,
    ),
    conflicts: ["catalog", "from"],
  } as Flag<string | undefined>,
  catalog: { ...text("<file>", "instead, a catalog file; its successors are loaded"), conflicts: "from" },
  from: text(
    "<address>",
    "instead, mirror the shop at a public address like https://api.shop.example, by its bulk files (feeds.bulk)",
  ),
  ...OUT_FLAGS,
  cache: text("<folder>", "where the catalog is kept for the next start (default: a temporary folder)"),
  metrics: {
    takes: "<port>",
    help: "serve metrics for Prometheus at 127.0.0.1:PORT/metrics; or ADDRESS:PORT",
    parse: addressOf,
  } satisfies Flag<ReturnType<typeof addressOf>> as Flag<ReturnType<typeof addressOf> | undefined>,
  drain: rare(byDefault(seconds("how long to listen after SIGTERM, while clients are asked to close"), 2)),
  readyMaxAge: rare(
    byDefault(
      whole("<seconds>", "/readyz fails if the last successful look for a release is older", 1),
      DAY_SECONDS,
    ),
  ),
  targetHeader: rare(
    flag("send the request's target in X-Vitrine-Target: only behind CloudFront or the Worker"),
  ),
  mcp: flag("answer agents at /mcp, by the Model Context Protocol"),
  quiet: flag("write no access log"),
  ...listenFlags(8081),
  ...SERVICE_FLAGS,
};
export type FallbackFlags = Flags<typeof FALLBACK_FLAGS>;
