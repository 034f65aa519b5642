/** Chromium, as the tests of what runs in a browser start it. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The first that there is: without windows it takes half the processor time. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((file) => existsSync(file));
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Processes that pages share take less processor time.
  "--in-process-gpu",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
];

/** False where there is no Chromium, and then a warning; in CI it must be there. */
export function hasBrowser(): boolean {
  if (CHROMIUM !== undefined) return true;
  const missing = "Chromium is missing: apt-get install chromium-headless-shell";
  if (process.env["CI"] === "true") throw new Error(missing);
  console.warn(`What runs in a browser is not tested. ${missing}`);
  return false;
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
}
