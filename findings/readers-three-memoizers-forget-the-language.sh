#!/usr/bin/env bash
# memoizee, fast-memoize and nano-memoize count the parameters by the function's length, which ends at the first default value: of
# load(id, language = "en") only the id is the key, and a German reader gets the English product that was loaded first. memoizee does so with (...args),
# too. One would guess that all arguments count, as each says; moize and micro-memoize do so. A page that remembers catalog answers mixes its languages.
# Version: memoizee 0.4.17, fast-memoize 2.5.2, nano-memoize 3.0.16, moize 6.1.7, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund memoizee@0.4.17 fast-memoize@2.5.2 nano-memoize@3.0.16 moize@6.1.7
cat > run.cjs <<'JS'
const memoizers = {
  memoizee: require("memoizee"),
  "fast-memoize": require("fast-memoize"),
  "nano-memoize": require("nano-memoize").nanomemoize,
  moize: require("moize").default,
};
for (const [name, memoize] of Object.entries(memoizers)) {
  const load = memoize((id, language = "en") => `mug-${id}.${language}.json`);
  load(1);
  const any = memoize((...args) => args.join("."));
  any(1, "en");
  console.log(`${name}: ${load(1, "de")} ${any(1, "de")}`);
}
JS
seen=$(node run.cjs)
echo "memoizee@0.4.17 fast-memoize@2.5.2 nano-memoize@3.0.16 moize@6.1.7"
echo "seen: $seen"
[ "$seen" = 'memoizee: mug-1.en.json 1.en
fast-memoize: mug-1.en.json 1.de
nano-memoize: mug-1.en.json 1.de
moize: mug-1.de.json 1.de' ]
