#!/usr/bin/env bash
# GLightbox looks for .jpg, .png, .webp and such in a link: a picture whose address has none (/images/42) is opened as a frame of another page, with scroll bars and at a frame's size. baguetteBox leaves such links alone: the click leaves the shop for the bare picture.
# One would guess that a link around an <img> leads to a picture, whatever its address; browsers go by the type of the answer.
# Image services and shops' own APIs give addresses without an ending, so a gallery that is right with the files of its test shop breaks with the pictures of a CDN.
# Version: glightbox 3.3.1, baguettebox.js 1.13.0 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: data-type="image" (GLightbox), the option filter: /./ (baguetteBox).
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund glightbox@3.3.1 baguettebox.js@1.13.0 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>`;
const links = ["/mug.webp?v=2", "/images/42"];
const list = links.map((link) => `<a href="${link}"><img alt="" width="30" src="${link}"></a>`).join("");
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", url === "/" ? "text/html" : "image/svg+xml");
  response.end(url === "/" ? `<!doctype html><main>${list}</main>` : picture);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const home = `http://127.0.0.1:${server.address().port}/`;
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const lightboxes = {
  glightbox: ["glightbox/dist/js/glightbox.js", 'GLightbox({ selector: "main a" })'],
  "glightbox, data-type": ["glightbox/dist/js/glightbox.js", 'for (const a of document.links) a.dataset.type = "image"; GLightbox({ selector: "main a" })'],
  baguetteBox: ["baguettebox.js/dist/baguetteBox.js", 'baguetteBox.run("main")'],
  "baguetteBox, filter": ["baguettebox.js/dist/baguetteBox.js", 'baguetteBox.run("main", { filter: /./ })'],
};
for (const [name, [file, start]] of Object.entries(lightboxes)) {
  const seen = [];
  for (const link of links) {
    const page = await browser.newPage();
    await page.goto(home);
    await page.addScriptTag({ path: `node_modules/${file}` });
    await page.evaluate(`{ ${start} }`);
    await page.evaluate(`document.querySelector('a[href="${link}"]').click()`);
    // Until the page is left, or the lightbox has this link's picture or frame.
    const opened = () =>
      page.url() !== home ? "leaves" : page.evaluate((link) => {
        const all = [...document.querySelectorAll("body > :not(main) :is(img, iframe)")];
        return all.find((each) => each.getAttribute("src")?.endsWith(link))?.localName;
      }, link).catch(() => undefined);
    let what;
    for (let tries = 0; what === undefined && tries < 200; tries++) {
      await new Promise((next) => setTimeout(next, 50));
      what = await opened();
    }
    seen.push(`${link} ${what}`);
    await page.close();
  }
  console.log(`${name}: ${seen.join(", ")}`);
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "glightbox@3.3.1 baguettebox.js@1.13.0, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'glightbox: /mug.webp?v=2 img, /images/42 iframe
glightbox, data-type: /mug.webp?v=2 img, /images/42 img
baguetteBox: /mug.webp?v=2 img, /images/42 leaves
baguetteBox, filter: /mug.webp?v=2 img, /images/42 img' ]
