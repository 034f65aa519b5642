import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a self-signed certificate with openssl; returns the path of `both.pem`, which has the key after it. */
export function makeCertificate(folder: string): string {
  const [key, chain, both] = ["key.pem", "chain.pem", "both.pem"].map((name) => join(folder, name));
  const request = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=shop.example",
  ];
  execFileSync("openssl", [...request, "-keyout", `${key}`, "-out", `${chain}`], { stdio: "ignore" });
  writeFileSync(`${both}`, `${readFileSync(`${chain}`, "utf8")}${readFileSync(`${key}`, "utf8")}`);
  return `${both}`;
}
