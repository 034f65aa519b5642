#!/usr/bin/env bash
# A task of Turborepo or lage writes a file per product into an empty folder, and its outputs are cached. A product is withdrawn, published again, withdrawn again: the fourth run is a hit, and the withdrawn product's file
# stays in the folder. Both write the files of the cached state over those that lie there, and delete none; the task, which begins with an empty folder, is not run. Wireit empties the outputs first. One would guess
# that a hit leaves the folder as the task left it, since the outputs are declared as a whole.
# On any machine that keeps its folder (a developer's, a CI with a kept workspace), changing branch or taking back a change is enough, and the next upload of the folder publishes what was withdrawn, with "all cached".
# What to do: delete the folder before the task runner, not in the task: rm -rf shop/out && turbo run build.
# Versions: turbo 2.11.11, lage 2.17.0, wireit 0.14.13, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{ "private": true, "name": "root", "packageManager": "npm@11.0.0", "workspaces": ["shop"] }' > package.json
mkdir -p shop/data
cat > shop/package.json <<'JSON'
{ "name": "shop", "scripts": { "build": "node build.mjs", "wired": "wireit" },
  "wireit": { "wired": { "command": "node build.mjs", "files": ["data/**", "build.mjs"], "output": ["out/**"] } } }
JSON
echo '{ "tasks": { "build": { "inputs": ["data/**", "build.mjs"], "outputs": ["out/**"] } } }' > turbo.json
cat > shop/build.mjs <<'JS'
import { cpSync, rmSync } from "node:fs";

rmSync("out", { recursive: true, force: true });
cpSync("data", "out", { recursive: true });
JS
npm install --silent --no-audit --no-fund turbo@2.11.11 lage@2.17.0 wireit@0.14.13
echo 'module.exports = { pipeline: { build: [] }, cacheOptions: { outputGlob: ["out/**"] } };' > lage.config.cjs
printf 'node_modules\nout\n' > .gitignore
git init --quiet . && git add -A && git -c user.name=shop -c user.email=shop@shop.example commit --quiet -m shop
export TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
echo '{ "slug": "mug" }' > shop/data/mug.json
states() {
  rm -rf shop/out
  for state in public withdrawn public withdrawn; do
    if [ "$state" = public ]; then echo '{ "slug": "cup" }' > shop/data/cup.json; else rm shop/data/cup.json; fi
    "$@" > log.txt 2>&1 || { cat log.txt; exit 2; }
    echo "cup $state: $(cd shop/out && echo *)"
  done
}
seen="turbo
$(states npx turbo run build --no-daemon)
$(grep -o 'Cached: .*' log.txt)
lage
$(states npx lage build)
$(grep -o 'skipped: [0-9]' log.txt)
wireit
$(states npm run --workspace shop wired)"
echo "turbo 2.11.11, lage 2.17.0, wireit 0.14.13"
echo "seen: $seen"
[ "$seen" = 'turbo
cup public: cup.json mug.json
cup withdrawn: mug.json
cup public: cup.json mug.json
cup withdrawn: cup.json mug.json
Cached:    1 cached, 1 total
lage
cup public: cup.json mug.json
cup withdrawn: mug.json
cup public: cup.json mug.json
cup withdrawn: cup.json mug.json
skipped: 1
wireit
cup public: cup.json mug.json
cup withdrawn: mug.json
cup public: cup.json mug.json
cup withdrawn: mug.json' ]
