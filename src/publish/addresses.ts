/** Addresses of services and CDNs, which are stored, sent and logged. */
import { VitrineError } from "../base/error.ts";

/** An address is stored, sent and logged, so it must hold no password. `instead`: where the secret belongs. @throws VitrineError usage */
export function refusePassword(what: string, address: string, instead: string): void {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return;
  throw new VitrineError("usage", `${what} has a password in it. Take it out: ${instead}.`);
}

/** A `--purge` text as a bucket may store it and people may read it: the path of a webhook's address may be a secret. */
export function shownPlace(spec: string): string {
  const webhook = /^webhook:(https?:\/\/)(?:[^/?#@]*@)?([^/?#]*)/.exec(spec);
  if (webhook !== null) return `webhook:${webhook[1]}${webhook[2]}`;
  return spec.startsWith("webhook:") ? "webhook:…" : spec;
}

export function shownPlaces(specs: readonly string[]): string[] {
  return [...new Set(specs.map(shownPlace))];
}

/** The variable with the secret that signs what a webhook is sent. */
export const WEBHOOK_SECRET = "VITRINE_WEBHOOK_SECRET";

export interface CdnAddress {
  readonly kind: "cloudfront" | "cloudflare" | "fastly" | "webhook";
  /** A webhook's is its address. */
  readonly id: string;
  /** True if the CDN reads our cache tag. */
  readonly tags: boolean;
}

/** What `--purge` names: `cloudfront:E1ABC+tags`, `webhook:https://hooks.example/shop`. @throws VitrineError usage */
export function parseCdn(spec: string): CdnAddress {
  const [, url] = /^webhook:(https?:\/\/.+)$/.exec(spec) ?? [];
  if (url !== undefined) {
    refusePassword("The webhook's address", url, `${WEBHOOK_SECRET} signs what it is sent`);
    return { kind: "webhook", id: url, tags: true };
  }
  const [, kind, id, suffix] = /^(cloudfront|cloudflare|fastly):([A-Za-z0-9_-]+)(\+tags)?$/.exec(spec) ?? [];
  if (kind !== undefined && id !== undefined)
    return { kind: kind as CdnAddress["kind"], id, tags: suffix !== undefined };
  throw new VitrineError(
    "usage",
    `"${shownPlace(spec)}" is not a CDN: write cloudfront:DISTRIBUTION, cloudflare:ZONE, fastly:SERVICE (each with +tags if the ` +
      "CDN reads the cache tag) or webhook:https://….",
  );
}
