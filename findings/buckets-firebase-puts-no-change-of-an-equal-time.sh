#!/usr/bin/env bash
# `firebase deploy` (hosting) does not look into a file whose time is that of the last deploy: it takes the digest that it remembers in .firebase/,
# also if the file has another length, says that all went well, and the new version of the site has the old bytes. One would guess that it reads
# every file: a deploy sends digests of the zipped contents of all files, and asks which are missing.
# A catalog whose builder gives all files one time, to be reproducible (SOURCE_DATE_EPOCH, Bazel, Nix: 1980 or the second 1), or which a tool unpacks
# with the times of its archive, is deployed once from a machine that keeps its folder; each price after that stays what it was, and no further
# deploy mends it. Delete .firebase/*.cache before each deploy (seen below), or touch the files. A fresh checkout of a CI has no such memory.
# Version: firebase-tools@15.34.2, its Uploader, with Google's two services in its place; seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
# The program alone, and of its many packages those which the uploader calls.
npm pack --silent firebase-tools@15.34.2 > /dev/null 2>&1
npm install --no-audit --no-fund --silent fs-extra@10.1.0 lodash@4.18.1 colorette@2.0.20 > /dev/null 2>&1
mkdir node_modules/firebase-tools; tar -xzf firebase-tools-15.34.2.tgz -C node_modules/firebase-tools --strip-components 1
cat > run.cjs <<'J'
const { gunzipSync } = require("node:zlib");
const { mkdirSync, rmSync, utimesSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
// Google's services: what a version of the site is made of, and the contents that are there by digest.
const contents = new Map();
let version;
class Client {
  async post(_, { files }) {
    version = files;
    return { body: { uploadUrl: "upload", uploadRequiredHashes: Object.values(files).filter((digest) => !contents.has(digest)) } };
  }
  async request({ path, body }) {
    const parts = [];
    for await (const part of body) parts.push(part);
    contents.set(path.slice(1), gunzipSync(Buffer.concat(parts)).toString());
    return { status: 200 };
  }
}
const logger = { debug() {}, info() {}, error() {} };
const instead = { apiv2: { Client }, api: { hostingApiOrigin: () => "" }, logger: { logger }, utils: {} };
const load = Module._load;
Module._load = (name, parent, isMain) => instead[/^\.\.(?:\/\.\.)?\/(\w+)$/.exec(name)?.[1]] ?? load(name, parent, isMain);
const { Uploader } = require("firebase-tools/lib/deploy/hosting/uploader.js");

async function deploy(price, time) {
  mkdirSync("site", { recursive: true });
  writeFileSync("site/mug.json", JSON.stringify({ price }));
  utimesSync("site/mug.json", time, time);
  await new Uploader({ version: "v", cwd: process.cwd(), projectRoot: process.cwd(), public: "site", files: ["mug.json"] }).start();
  return `${price} at ${time}: ${contents.get(version["/mug.json"])}`;
}
(async () => {
  const seen = [await deploy("19.90", 1), await deploy("1.8", 1), await deploy("1.8", 2), await deploy("17.90", 2)];
  rmSync(".firebase", { recursive: true });
  console.log([...seen, `without .firebase: ${await deploy("17.90", 2)}`].join("; "));
})();
J
seen=$(node run.cjs)
echo "firebase-tools $(node -p 'require("firebase-tools/package.json").version'), Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '19.90 at 1: {"price":"19.90"}; 1.8 at 1: {"price":"19.90"}; 1.8 at 2: {"price":"1.8"}; 17.90 at 2: {"price":"1.8"}; without .firebase: 17.90 at 2: {"price":"17.90"}' ]
