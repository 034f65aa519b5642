/** Asks `vitrine fallback` for what has no file. */
import { TARGET_HEADER } from "../../api/responses.ts";

export interface FallbackEnv {
  /** A Worker or VPC service that answers as `vitrine fallback` does; else FALLBACK_URL is asked. */
  readonly FALLBACK?: { fetch(url: string, options: RequestInit): Promise<Response> };
  /** For example `https://fallback.example`. */
  readonly FALLBACK_URL?: string;
}

/** How long the fallback may take: a Worker would wait for ever. */
const FALLBACK_MILLISECONDS = 2000;

/** Workers can't send every target as it came, so it travels in a header too. @throws where no answer comes in time */
export function askFallback(env: FallbackEnv, target: string): Promise<Response> {
  const url = (env.FALLBACK_URL ?? "http://fallback") + target;
  const signal = AbortSignal.timeout(FALLBACK_MILLISECONDS);
  const options: RequestInit = { headers: { [TARGET_HEADER]: target }, redirect: "manual", signal };
  const asked = env.FALLBACK === undefined ? fetch(url, options) : env.FALLBACK.fetch(url, options);
  // A service need not look at the signal.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return Promise.race([asked, late]);
}
