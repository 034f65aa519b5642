/** The flags of `vitrine fallback`, for the command and for what it runs. */
import { CONFIG_FILE } from "../../config/inputs.ts";
import { listenFlags } from "../inputs.ts";
import { addressOf } from "../metrics.ts";
import { byDefault, DAY_SECONDS, type Flag, type Flags, flag, seconds, text, whole } from "../options.ts";
import { STORE_FLAGS } from "../remote.ts";

export const FALLBACK_FLAGS = {
  catalog: text(
    "<place>",
    "a catalog file, or s3://BUCKET/PREFIX whose live release is followed; successors are loaded " +
      "(else catalog.sqlite in `out` of the configuration, else out/catalog.sqlite)",
  ),
  from: {
    ...text(
      "<address>",
      "mirror a shop by the bulk files at its public address, like https://api.shop.example (feeds.bulk of its configuration)",
    ),
    conflicts: "catalog",
  } as Flag<string | undefined>,
  config: text("<file>", `configuration (default: ${CONFIG_FILE}, where there is one)`),
  cache: text(
    "<folder>",
    "where the catalog of a bucket or a mirrored shop, and the copy that is read of any, is kept (default: a temporary folder)",
  ),
  metrics: {
    takes: "<port>",
    help: "tell Prometheus at 127.0.0.1:PORT/metrics; or ADDRESS:PORT",
    parse: addressOf,
  } satisfies Flag<ReturnType<typeof addressOf>> as Flag<ReturnType<typeof addressOf> | undefined>,
  drain: byDefault(
    seconds("how long to go on listening when told to stop, while clients are told to close"),
    2,
  ),
  readyMaxAge: byDefault(
    whole("<seconds>", "/readyz fails when the last successful look for a release is older", 1),
    DAY_SECONDS,
  ),
  targetHeader: flag("answer the target in X-Vitrine-Target: only behind CloudFront or the Worker"),
  mcp: flag("answer agents at /mcp, by the Model Context Protocol"),
  quiet: flag("no access log"),
  ...listenFlags(8081),
  ...STORE_FLAGS,
};
export type FallbackFlags = Flags<typeof FALLBACK_FLAGS>;
