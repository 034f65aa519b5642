/** Any other CDN or cache: its owner's own script is told what changed, signed where a secret is shared. */
import { createHmac } from "node:crypto";
import { redactSecrets } from "../../base/redact.ts";
import type { RetryPolicy } from "../retry.ts";
import { PURGE_RETRIES, sendPurge } from "./http.ts";
import { type Cdn, type PurgeLimits, pathsOfKey } from "./plan.ts";

const WEBHOOK_LIMITS: PurgeLimits = {
  exactMost: 20_000,
  exactBatch: 1000,
  tagBatch: 1000,
  addressesOf: pathsOfKey,
  costOf: ({ requests }) => `${requests.length} requests`,
};

export interface WebhookOptions {
  readonly url: string;
  /** Signs the body: `X-Vitrine-Signature: sha256=HEX`, an HMAC. */
  readonly secret: string | undefined;
  readonly retries?: RetryPolicy;
}

/** Posts `{"purge":"exact","paths":[…]}`, `{"purge":"tags","tags":[…]}` or `{"purge":"everything"}`; any 2xx confirms. */
export function createWebhook({ url, secret, retries = PURGE_RETRIES }: WebhookOptions): Cdn {
  const name = redactSecrets(`webhook:${url}`);
  return {
    name,
    limits: WEBHOOK_LIMITS,
    async purge(request, reference, progress) {
      const named =
        request.kind === "exact"
          ? { paths: request.addresses }
          : request.kind === "tags"
            ? { tags: request.tags }
            : {};
      const body = JSON.stringify({ purge: request.kind, reference, ...named });
      const signature =
        secret === undefined
          ? {}
          : { "X-Vitrine-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
      const headers = { "Content-Type": "application/json", "Idempotency-Key": reference, ...signature };
      await sendPurge(name, { url, method: "POST", headers, body }, retries, progress);
    },
  };
}
