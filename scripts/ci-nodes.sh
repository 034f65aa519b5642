#!/usr/bin/env bash
# The demo on every Node that is supported, each from npm's package `node`: build, check, publish, build again, serve.
# An older Node must refuse in one line. Needs `npm run build`; fails where one of them does.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
versions=(20 22.14 24 26) # Of 22 the oldest that is supported: the SQLite binding ends older ones.
main=$PWD/dist/cli/main.js
npx node scripts/seed-store.ts --products 150 --out "$work/store.sqlite" > "$work/seed.log"

# Installs node@$1 into a folder of its own; its package fetches the binary by a script, which it may.
install_node() {
  mkdir -p "$work/$1"
  printf '{"store":"../store.sqlite","queries":"%s/templates/queries","out":"out","baseUrl":"http://127.0.0.1/api/v1","siteUrl":"http://127.0.0.1","grid":{"depth":1}}' "$PWD" \
    > "$work/$1/vitrine.config.json"
  printf '{"private":true,"allowScripts":{"node":true}}' > "$work/$1/package.json"
  npm install --prefix "$work/$1" --no-audit --no-fund --loglevel=error "node@$1" > "$work/$1/install.log"
}

# Starts `vitrine serve` and asks it for a list, all with one Node.
serve() {
  local node=$1 url
  "$node" "$main" serve --port 0 2> serve.log &
  trap "kill $!" EXIT
  for _ in $(seq 150); do
    url=$(sed -n 's/^listening on //p' serve.log)
    [ -z "$url" ] || break
    sleep 0.1
  done
  "$node" -e '
    const list = fetch(process.argv[1]).then((response) => response.json());
    list.then(({ data }) => process.exit(data.length > 0 ? 0 : 1));
  ' "$url/api/v1/products?category=scripts"
  trap - EXIT
  kill $!
  wait $!
}

# The whole demo; the second build finds nothing to do.
run_demo() {
  "$1" "$main" build
  "$1" "$main" check
  "$1" "$main" publish --to "file://$PWD/live"
  "$1" "$main" build --json | grep -q '"written":0,"deleted":0'
  serve "$1"
}

refuse() {
  local status=0
  "$1" "$main" --version > refusal 2>&1 || status=$?
  cat refusal
  [ "$status" = 2 ] && [ "$(wc -l < refusal)" = 1 ]
}

# All that is done with node@$1, in its folder.
try_node() (
  set -e
  install_node "$1"
  cd "$work/$1"
  if [ "${1%%.*}" -lt 22 ]; then refuse node_modules/node/bin/node; else run_demo "$PWD/node_modules/node/bin/node"; fi
)

# Side by side: most of it is waiting for the network, a disk or one thread.
processes=()
for version in "${versions[@]}"; do
  try_node "$version" > "$work/$version.log" 2>&1 &
  processes+=($!)
done
failed=0
for at in "${!versions[@]}"; do
  version=${versions[$at]}
  [ "${version%%.*}" -lt 22 ] && what=refuse || what=run_demo
  if wait "${processes[$at]}"; then
    echo "Node $version: $what OK"
  else
    cat "$work/$version.log"
    echo "Node $version: $what FAILED"
    failed=1
  fi
done
exit "$failed"
