#!/usr/bin/env bash
# `npm run demo`: the command `vitrine demo`, in the folder demo/. `npm ci` has built dist/; if the code has changed since, it is
# built again.
set -euo pipefail
cd "$(dirname "$0")/.."
built=dist/public/list.json
if [ ! -e "$built" ] || [ -n "$(find src templates scripts/build-*.ts package.json -newer "$built" -print -quit)" ]; then
  npm run --silent build
fi
# A build only compares versions, and a clone's code changes within one.
rm -rf demo/out
exec node dist/cli/main.js demo demo "$@"
