#!/usr/bin/env bash
# gh-pages publishes a folder of many files once, and each later run fails with "spawn E2BIG", before anything is copied. One would guess that what
# went through once goes through again: it is the same folder with one price changed. But only from the second run on are there files to remove,
# and gh-pages names all of them in one `git rm`, whose arguments Linux limits to 2 MB.
# A catalog of one file an answer passes that with some 20,000 files of a hundred letters, long before GitHub's limit of 1 GB; the site stays at its
# first day, and prices age. A small catalog that grows past it fails one day, with no change of the tool. `add: true` removes nothing, so withdrawn
# products stay public; `git add --all` in a work tree of the branch has no such limit.
# Version: gh-pages@6.3.0, seen on Node 24.21 and 20.20, Linux with the usual stack of 8 MB.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent gh-pages@6.3.0 > /dev/null 2>&1
cd "$dir"
ulimit -s 8192
git init -q --bare remote.git
cat > run.mjs <<'J'
import ghpages from "gh-pages";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
// Few files of long names: as many bytes as 20,000 of 105 letters, in less time.
mkdirSync("site/products", { recursive: true });
const name = (at) => `site/products/${"category=household-and-garden,brand=northlight,".repeat(5)}page=${at}.json`;
for (let at = 0; at < 8500; at++) writeFileSync(name(at), '{"price":"19.90"}');
const publish = (options = {}) =>
  new Promise((done) => {
    const settings = { repo: `${process.cwd()}/remote.git`, user: { name: "shop", email: "shop@shop.example" }, ...options };
    void ghpages.publish("site", settings, (error) => done(error?.message ?? "published"));
  });
const live = () => execFileSync("git", ["-C", "remote.git", "show", `gh-pages:${name(7).slice(5)}`], { encoding: "utf8" });
const first = await publish();
writeFileSync(name(7), '{"price":"18.90"}');
const second = await publish();
console.log(`first: ${first}; second: ${second}; live: ${live()}`);
J
seen=$(node run.mjs)
echo "gh-pages 6.3.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'first: published; second: spawn E2BIG; live: {"price":"19.90"}' ]
