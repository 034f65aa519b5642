#!/usr/bin/env bash
# find-versions finds 3.1.0 in "Kit 3.1.0 is out" and nothing in "Kit 3.1.0: Certificates", "Kit 3.1.0, 2.0.5", "(3.1.0)" or at the end of a sentence. With its option loose it finds them, and takes "Kit 3.2.0-rc1: Certificates" for 3.2.0, and the
# "v3.2.0-beta" that it reads whole without the option. One would guess that a version ends where its characters do, and that loose adds versions of one or two numbers, which is all its README says.
# The titles of releases in a feed are such texts: a program that watches them sees no release, or a release candidate as the release.
# Version: find-versions 6.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund find-versions@6.0.0
cat > run.js <<'JS'
import findVersions from "find-versions";

for (const title of [
  "Kit 3.1.0 is out",
  "Kit 3.1.0: Certificates",
  "Kit 3.1.0, 2.0.5",
  "Kit (3.1.0)",
  "This is Kit 3.1.0.",
  "Kit 3.2.0-rc1 is out",
  "Kit 3.2.0-rc1: Certificates",
  "Kit v3.2.0-beta",
]) {
  console.log(title, JSON.stringify(findVersions(title)), JSON.stringify(findVersions(title, { loose: true })));
}
JS
seen=$(node run.js)
echo "find-versions@$(node -p 'JSON.parse(fs.readFileSync("node_modules/find-versions/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'Kit 3.1.0 is out ["3.1.0"] ["3.1.0"]
Kit 3.1.0: Certificates [] ["3.1.0"]
Kit 3.1.0, 2.0.5 ["2.0.5"] ["3.1.0","2.0.5"]
Kit (3.1.0) [] ["3.1.0"]
This is Kit 3.1.0. [] ["3.1.0"]
Kit 3.2.0-rc1 is out ["3.2.0-rc1"] ["3.2.0-rc1"]
Kit 3.2.0-rc1: Certificates [] ["3.2.0"]
Kit v3.2.0-beta ["3.2.0-beta"] ["3.2.0"]' ]
