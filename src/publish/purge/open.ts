/** `--purge` → the CDN that it names. Secrets come from the environment, never from the command line or a bucket. */
import { VitrineError } from "../../base/error.ts";
import { refusePassword } from "../password.ts";
import type { RetryPolicy } from "../retry.ts";
import { createCloudflare } from "./cloudflare.ts";
import { createCloudFront } from "./cloudfront.ts";
import { createFastly } from "./fastly.ts";
import type { Cdn } from "./plan.ts";
import { createWebhook } from "./webhook.ts";

export interface CdnOptions {
  /** Origin of the public address: `https://shop.example`. */
  readonly origin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly retries?: RetryPolicy;
}

function secretOf(env: CdnOptions["env"], name: string, spec: string): string {
  const value = env[name];
  if (value) return value;
  throw new VitrineError("usage", `--purge ${spec} needs a token in the environment: set ${name}.`);
}

/** `cloudfront:E1ABC+tags` → provider, id, and whether the CDN knows our tags. @throws VitrineError usage */
export function openCdn(spec: string, options: CdnOptions): Cdn {
  const { origin, env } = options;
  const retries = options.retries === undefined ? {} : { retries: options.retries };
  const webhook = /^webhook:(https?:\/\/.+)$/.exec(spec);
  if (webhook?.[1] !== undefined) {
    refusePassword("The webhook's address", webhook[1], "VITRINE_WEBHOOK_SECRET signs what it is sent");
    return createWebhook({ url: webhook[1], secret: env["VITRINE_WEBHOOK_SECRET"], ...retries });
  }
  const match = /^(cloudfront|cloudflare|fastly):([A-Za-z0-9_-]+)(\+tags)?$/.exec(spec);
  const [, provider, id = "", suffix] = match ?? [];
  const tags = suffix !== undefined;
  if (provider === "cloudfront") return createCloudFront({ distribution: id, tags, ...retries });
  if (provider === "cloudflare") {
    return createCloudflare({
      zone: id,
      origin,
      tags,
      token: secretOf(env, "CLOUDFLARE_API_TOKEN", spec),
      ...retries,
    });
  }
  if (provider === "fastly") {
    return createFastly({
      service: id,
      origin,
      tags,
      token: secretOf(env, "FASTLY_API_TOKEN", spec),
      ...retries,
    });
  }
  throw new VitrineError(
    "usage",
    `"${spec}" names no CDN: write cloudfront:DISTRIBUTION, cloudflare:ZONE, fastly:SERVICE (each with +tags where the ` +
      "CDN reads the cache tag) or webhook:https://….",
  );
}
