/** Reads the public address of a shop that is mirrored. */
import { rootAddress } from "../api/target.ts";
import { VitrineError } from "../base/error.ts";
import type { Notes } from "../base/log.ts";
import type { ReleaseSource } from "../release/source.ts";

/** A shop's address, with or without the API's path → the address above its files. @throws VitrineError usage */
export function readShopAddress(from: string, isPrivate: (address: string) => boolean): string {
  const url = URL.parse(from);
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new VitrineError("usage", `--from takes an address like https://api.shop.example, not ${from}.`);
  // Records are trusted because of the address that they come from.
  if (url.protocol === "http:" && !isPrivate(url.href))
    throw new VitrineError(
      "usage",
      `--from ${from} is not encrypted: others on the network could change the answers. Use https://; ` +
        "http:// is only for addresses of this machine or network.",
    );
  return rootAddress(url.href);
}

/** Opens what a shop publishes, with the sanitiser of the extraction. */
export async function openShop(
  from: string,
  log: Notes,
): Promise<{ readonly base: string; readonly source: ReleaseSource & Disposable }> {
  const [{ publicSource }, { cleanHtml }, { isPrivateAddress }] = await Promise.all([
    import("../release/public-source.ts"),
    import("../extract/html.ts"),
    import("../base/private-address.ts"),
  ]);
  const base = readShopAddress(from, isPrivateAddress);
  // As in extraction: a public shop must not lead its readers to machines of their own networks.
  const isShown = (address: string) => isPrivateAddress(base) || !isPrivateAddress(address);
  return { base, source: publicSource(base, { clean: (html) => cleanHtml(html, { isShown }).html, log }) };
}
