/** The widget of docs/widget.md as it runs, from files that the site has: of one product of the demo's shop. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SILENT } from "../../src/base/log.ts";
import { buildSnapshot } from "../../src/build/build.ts";
import { loadConfig } from "../../src/config/load.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { seedStore } from "../seed/seed.ts";
import { BASE_TIME, parseTime } from "../seed/time.ts";

/** The page's place in the site, and the picture that stands for it where nothing runs. */
const LIVE = "live/widget.html";
const PICTURE = /!\[([^\]]*)\]\(pictures\/widget\.webp\)/;

const PRODUCT = "invoice-kit";
const LISTS = `api/v1/reviews/product_slug=${PRODUCT}`;
const FILES = [
  "widgets/reviews.js",
  `api/v1/product/slug=${PRODUCT}.json`,
  `${LISTS}/page=1.json`,
  ...[1, 2, 3, 4, 5].map((rating) => `${LISTS}/rating=${rating}/page=1.json`),
];

/** What docs/widget.md says of each look: the names of its classes are those of the rules there. */
const LOOKS: readonly (readonly [name: string, attributes: string])[] = [
  ["", ""],
  ["dark", 'data-theme="dark"'],
  ["warm", 'data-lang="de"'],
  ["pop", 'data-lang="nl"'],
  ["flat", 'data-lang="fr"'],
  ["right", 'data-lang="ar"'],
];

/** The rules of docs/widget.md, so that what is read is what is shown. */
function rulesOf(document: string): string {
  return (/<style>\n([\s\S]*?)<\/style>/.exec(document)?.[1] ?? "").replace(/^ {2}/gm, "");
}

function pageOf(document: string): string {
  const looks = LOOKS.map(
    ([name, attributes]) =>
      `<div class="look ${name}"><script src="../widgets/reviews.js" data-product-slug="${PRODUCT}" data-limit="2" ${attributes}></script></div>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'">
<title>The widget in six looks</title>
<style>
body { margin: 0; font-family: system-ui, sans-serif; background: #f6f6f2 }
main { display: grid; gap: 16px; padding: 16px; grid-template-columns: repeat(auto-fill, minmax(min(250px, 100%), 1fr)) }
.look { padding: 16px; border-radius: 12px; background: #fff }
.look.dark { background: #101312 }
${rulesOf(document)}</style>
</head>
<body><main>
${looks.join("\n")}
</main></body>
</html>
`;
}

/** Writes the page and the files that it asks for below a folder that is served as it is. */
export async function writeLive(folder: string, document: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "vitrine-live-"));
  try {
    const [store, out] = [join(work, "store.sqlite"), join(work, "out")];
    const now = parseTime(BASE_TIME);
    seedStore({ products: 150, seed: "vitrine", now }, store);
    const { config } = loadConfig("vitrine.config.json");
    await buildSnapshot(
      {
        ...{
          store,
          out,
          queries: "templates/queries",
          now: BASE_TIME,
          maxLeftOut: 0,
          allowShrink: 0,
          full: false,
        },
        config: {
          ...config,
          // Below whatever path the site stands.
          ...{ baseUrl: "../api/v1", pages: false },
          endpoints: ["product", "products", "reviews", "widgets"],
        },
      },
      SILENT,
    );
    const { site } = layoutOf(out);
    for (const file of FILES) cpSync(join(site, file), join(folder, file));
    mkdirSync(dirname(join(folder, LIVE)), { recursive: true });
    writeFileSync(join(folder, LIVE), pageOf(document));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The document with the page in the place of its picture. */
export function withLive(document: string): string {
  return document.replace(
    PICTURE,
    (_, words: string) => `<iframe class="live" src="./${LIVE}" title="${words}" loading="lazy"></iframe>`,
  );
}
