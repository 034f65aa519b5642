#!/usr/bin/env bash
# Tests the package on every supported Node as users have it: packed, installed into a separate folder without a warning, and run:
# init, build, check, doctor, publish, build again, edge, serve, library, demo. All must build the same bytes. An older Node must
# refuse in one line.
# Packs the `dist/` that `npm ci` made. Needs a registry; fails if one step fails.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
old=20
versions=(22.14 26) # All other tests run on 24. Of 22 the oldest that is supported: the SQLite binding ends older ones.
npx node scripts/seed-store.ts --products 150 --out "$work/store.sqlite" > "$work/seed.log"
# Engines differ in what they know of these currencies.
npx node -e '
  const store = new (require("better-sqlite3"))(process.argv[1]);
  for (const [at, currency] of ["HUF", "RSD", "COP", "IDR", "PKR"].entries())
    store.prepare("UPDATE products SET currency = ? WHERE id % 9 = ?").run(currency, at);
' "$work/store.sqlite"
npm pack --silent --ignore-scripts --pack-destination "$work" > "$work/pack.log"
package=$(echo "$work"/vitrine-*.tgz)

# Installs node@$1 into a separate folder; its package may run a script that downloads the binary.
install_node() {
  mkdir -p "$work/node-$1"
  printf '{"private":true,"allowScripts":{"node":true}}' > "$work/node-$1/package.json"
  npm install --prefix "$work/node-$1" --no-audit --no-fund --loglevel=error "node@$1"
}

# Installs the package as the README says, with the Node that comes first in PATH.
install_package() {
  npm init --yes > /dev/null
  npm install --prefer-offline --no-audit --no-fund "$package" 2>&1 | tee install.log
  PATH=$PWD/node_modules/.bin:$PATH
}

# Fails if a line of a log contains a word.
without() {
  if grep -i "$1" "$2"; then
    echo "$2 has a line with \"$1\""
    return 1
  fi
}

# Starts a command that serves, and requests a list.
serve() {
  local url
  # The background process opens its log later than the loop reads it: the one before would name an address of the past.
  : > serve.log
  vitrine "$@" > serve.out 2> serve.log &
  trap "kill $!" EXIT
  for _ in $(seq 600); do
    url=$(sed -n 's/^listening on //p' serve.log)
    [ -z "$url" ] || break
    sleep 0.1
  done
  node -e '
    const list = fetch(process.argv[1]).then((response) => response.json());
    list.then(({ data }) => process.exit(data.length > 0 ? 0 : 1));
  ' "$url/api/v1/products?category=scripts"
  trap - EXIT
  kill $!
  wait $!
}

# A shop that Vitrine does not know: its owner writes queries like the example's.
run_own_store() {
  cp node_modules/vitrine/examples/chinook/chinook.sqlite .
  vitrine init --store chinook.sqlite --yes
  node -e '
    const { $schema } = JSON.parse(require("fs").readFileSync("vitrine.config.json"));
    if (!require("fs").existsSync($schema)) throw new Error(`$schema: ${$schema} does not exist`);
  '
  cp node_modules/vitrine/examples/chinook/queries/* queries/
  vitrine plan
  vitrine privacy --write
  rm -r vitrine.config.json queries
}

run_tests_store() {
  cp -r node_modules/vitrine/templates/queries my-queries
  printf '{"store":"../store.sqlite","queries":"my-queries","out":"out","baseUrl":"http://127.0.0.1/api/v1","siteUrl":"http://127.0.0.1","grid":{"depth":1}}' \
    > vitrine.config.json
  vitrine build
  vitrine check
  vitrine doctor
  vitrine publish --to "file://$PWD/live"
  vitrine check --to "file://$PWD/live"
  vitrine build --json | grep -q '"written":0,"deleted":0'
  for edge in nginx cloudflare cloudflare-pages cloudfront; do
    vitrine edge "$edge" --into "edge-$edge" --fallback fallback.shop.example
  done
  serve serve --port 0
  # Kept, to be compared with those of other Nodes.
  vitrine build --as-of 2026-11-28T00:00:00Z --out same
}

# The shop that the package ships. Several Nodes do this at once: each has a port of its own.
run_example() {
  serve demo example --port "$((8300 + $(node -p 'process.versions.node.split(".")[0]')))"
  test -s example/out/site/feeds/google.xml
}

run_library() {
  cat > library.mjs <<'MODULE'
import { openCatalog } from "vitrine";
import { API_VERSION } from "vitrine/api";
import { createClient } from "vitrine/client";
const catalog = openCatalog("out/catalog.sqlite");
const product = await createClient(catalog).products.get("invoice-kit");
console.log(`${API_VERSION}: ${product.title}`);
catalog.close();
MODULE
  node library.mjs
}

run_all() {
  install_package
  without warn install.log
  run_own_store 2>> errors.log
  run_tests_store 2>> errors.log
  run_library 2>> errors.log
  run_example 2>> errors.log
  without warning errors.log
}

# Everything for node@$1, in its folder.
try_node() (
  set -e
  install_node "$1"
  mkdir "$work/$1"
  cd "$work/$1"
  PATH=$work/node-$1/node_modules/node/bin:$PATH
  node --version
  run_all
)

# With the package that a newer Node installed.
refuse() (
  set -e
  install_node "$old"
  cd "$work/${versions[0]}"
  PATH=$work/node-$old/node_modules/node/bin:$PWD/node_modules/.bin:$PATH
  local status=0
  vitrine --version > refusal 2>&1 || status=$?
  cat refusal
  [ "$status" = 2 ] && [ "$(wc -l < refusal)" = 1 ]
)

# In parallel: most of the time is waiting for the network, a disk or one thread.
processes=()
for version in "${versions[@]}"; do
  try_node "$version" > "$work/$version.log" 2>&1 &
  processes+=($!)
done
failed=0
for at in "${!versions[@]}"; do
  version=${versions[$at]}
  if wait "${processes[$at]}"; then
    echo "Node $version: OK"
  else
    cat "$work/$version.log" "$work/$version/errors.log" || true
    echo "Node $version: FAILED"
    failed=1
  fi
done
if diff -rq "$work/${versions[0]}/same/site" "$work/${versions[1]}/same/site"; then
  echo "Both: the same bytes, OK"
else
  echo "Node ${versions[0]} and ${versions[1]} build other bytes, FAILED"
  failed=1
fi
refuse > "$work/$old.log" 2>&1 &
if wait "$!"; then
  echo "Node $old: refused, OK"
else
  cat "$work/$old.log"
  echo "Node $old: not refused, FAILED"
  failed=1
fi
exit "$failed"
