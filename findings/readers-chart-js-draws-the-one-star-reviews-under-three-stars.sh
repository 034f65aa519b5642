#!/usr/bin/env bash
# Chart.js finds the place of {"rating": 1, "count": 2} on an axis of labels by ===. A number that is no label is not refused, nor made one, as a text would be: its bar is drawn at the record's position in the data. With labels "5" to "1" and ratings as numbers, of which 3 and 2 have
# no reviews, the bar of one star stands over "3". With no labels at all, the sizes 38, 39 and "40-41" are three bars over "40-41". One would guess that 1 is found at "1", or that there is no bar.
# A chart of reviews a rating, or of sales a size, from a catalog's JSON is right as long as each value occurs in the labels' order, and wrong without a word as soon as one has no records.
# Version: chart.js 4.6.1 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: labels and values of one type, best texts: String(rating).
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund chart.js@4.6.1 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><canvas></canvas>");
await page.addScriptTag({ path: "node_modules/chart.js/dist/chart.umd.js" });
/** Over which label each record's bar stands on the screen. */
const draw = (labels, values) =>
  page.evaluate(([labels, values]) => {
    const data = values.map((value) => ({ value, count: 2 }));
    const parsing = { xAxisKey: "value", yAxisKey: "count" };
    const chart = new Chart(document.querySelector("canvas"), { type: "bar", data: { labels, datasets: [{ data, parsing }] }, options: { animation: false } });
    const { x } = chart.scales;
    const bars = chart.getDatasetMeta(0).data.map((bar, at) => `${JSON.stringify(values[at])} over ${x.getLabels()[x.getValueForPixel(bar.x)]}`);
    chart.destroy();
    return bars.join(", ");
  }, [labels, values]);
const STARS = ["5", "4", "3", "2", "1"];
console.log(`all ratings: ${await draw(STARS, [5, 4, 3, 2, 1])}`);
console.log(`without 3 and 2: ${await draw(STARS, [5, 4, 1])}`);
console.log(`as texts: ${await draw(STARS, ["5", "4", "1"])}`);
console.log(`sizes, no labels: ${await draw(undefined, [38, 39, "40-41"])}`);
await browser.close();
JS
seen=$(node run.js)
echo "chart.js@4.6.1, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'all ratings: 5 over 5, 4 over 4, 3 over 3, 2 over 2, 1 over 1
without 3 and 2: 5 over 5, 4 over 4, 1 over 3
as texts: "5" over 5, "4" over 4, "1" over 1
sizes, no labels: 38 over 40-41, 39 over 40-41, "40-41" over 40-41' ]
