/** An address that is kept, sent and told: it has no password in it. */
import { VitrineError } from "../base/error.ts";

/** `instead`: where the secret belongs. @throws VitrineError usage */
export function refusePassword(what: string, address: string, instead: string): void {
  const url = URL.parse(address);
  if (url === null || (url.username === "" && url.password === "")) return;
  throw new VitrineError("usage", `${what} has a password in it. Take it out: ${instead}.`);
}
