#!/usr/bin/env bash
# swell-js converts a price into a currency for display and rounds it as the shop says: up, down or nearest, to whole units or to an ending such as .99. It compares that ending with the
# whole price instead of with the part behind the point. So "nearest whole" makes 21 of 20 and 20 of 19.40; "nearest .99" makes 20.99 of 19.40, where 18.99 and 19.99 are nearer, and -0.01 of 0.50; "down" to .99 makes 19.99 of 19.40.
# One would guess that 20 stays 20, that down is never above and that no price falls below nothing.
# A storefront shows a catalog's prices up to two units too high, and small ones as negative. (The package's own tests have prices of 9.90 and an ending of .25 only.)
# Version: swell-js 5.8.1, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts swell-js@5.8.1
cat > run.cjs <<'JS'
const { createServer } = require("node:http");
const swell = require("swell-js");
const rules = [["nearest", "whole"], ["nearest", "fraction"], ["down", "fraction"]];
const currencies = rules.map(([round, round_interval], at) => ({ code: `EUR SEK NOK`.split(" ")[at], type: "display", rate: 1, decimals: 2, round, round_interval, round_fraction: 0.99 }));
const settings = { store: { currency: "USD", locale: "en-US", currencies: [{ code: "USD", type: "base", decimals: 2 }, ...currencies] } };
const shop = createServer((_, answer) => answer.end(JSON.stringify(settings))).listen(0, "127.0.0.1", async () => {
  swell.init("shop", "pk_invented", { url: `http://127.0.0.1:${shop.address().port}`, getCookie() {}, setCookie() {} });
  await swell.settings.get();
  for (const { code, round, round_interval } of currencies) {
    const shown = [0.5, 19.4, 20].map((price) => `${price} ${swell.currency.format(price, { code }).replace(/[^\d.-]/g, "")}`);
    console.log(`seen: ${round} ${round_interval === "whole" ? "whole" : ".99"}: ${shown.join(", ")}`);
  }
  shop.close(); shop.closeAllConnections();
});
JS
echo "swell-js $(node -p 'require("./node_modules/swell-js/package.json").version'), Node $(node --version)"
seen=$(node run.cjs)
echo "$seen"
[ "$seen" = 'seen: nearest whole: 0.5 1.00, 19.4 20.00, 20 21.00
seen: nearest .99: 0.5 -0.01, 19.4 20.99, 20 21.99
seen: down .99: 0.5 -0.01, 19.4 19.99, 20 20.99' ]
