/** Addresses of services and CDNs, which are stored, sent and logged. */
import { VitrineError } from "../base/error.ts";

/** An address is stored, sent and logged, so it must hold no password. `instead`: where the secret belongs. @throws VitrineError usage */
export function refusePassword(what: string, address: string, instead: string): void {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return;
  throw new VitrineError("usage", `${what} has a password in it. Take it out: ${instead}.`);
}
