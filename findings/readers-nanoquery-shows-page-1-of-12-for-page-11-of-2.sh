#!/usr/bin/env bash
# Nano Stores' query library joins the parts of a key without anything between them. The fetcher gets the parts one by one, and may build any request of them, but ["reviews", 1, 12] and ["reviews", 11, 2] are one entry of the cache, "reviews112":
# whoever asks for page 11, two at a time, is shown page 1, twelve at a time, and nothing is requested. One would guess that lists are told apart by their parts, as in TanStack Query and SWR, since the fetcher is.
# Pages, page sizes, ratings and ids of a catalog are short numbers beside each other. Put a part with a sign between them: "&per_page=".
# Version: @nanostores/query 0.3.4, nanostores 1.5.5, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @nanostores/query@0.3.4 nanostores@1.5.5
cat > run.js <<'JS'
import { nanoquery } from "@nanostores/query";

globalThis.document ??= { hidden: false };
const [createFetcherStore] = nanoquery({
  async fetcher(list, page, perPage) {
    console.log(`requested: page ${page} of ${perPage}`);
    return `page ${page} of ${perPage}`;
  },
});
for (const key of [["reviews", 1, 12], ["reviews", 11, 2], ["reviews", 11, 3]]) {
  const { data } = await createFetcherStore(key).fetch();
  console.log(`asked for page ${key[1]} of ${key[2]}: ${data}`);
}
JS
seen=$(node run.js | paste -sd';')
echo "@nanostores/query@0.3.4 nanostores@1.5.5"
echo "seen: $seen"
[ "$seen" = 'requested: page 1 of 12;asked for page 1 of 12: page 1 of 12;asked for page 11 of 2: page 1 of 12;requested: page 11 of 3;asked for page 11 of 3: page 11 of 3' ]
