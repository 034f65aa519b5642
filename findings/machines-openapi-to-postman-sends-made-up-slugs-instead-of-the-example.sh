#!/usr/bin/env bash
# openapi2postmanv2, Postman's own converter, fills a query parameter that has an example and a pattern with a random text that fits the pattern, up to its full length, and with another one on each run; the parameter
# is switched on, though it is optional. One would guess that the example of the document is there to be sent. -O parametersResolution=Example sends it.
# Who tries a catalog API in Postman for the first time gets a 404 or an empty list from each request with such a parameter, and two collections of one document are never equal.
# Version: openapi-to-postmanv2 6.3.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund openapi-to-postmanv2@6.3.3
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Catalog","version":"1"},"paths":{"/products":{"get":{"parameters":[
  {"name":"category","in":"query","schema":{"type":"string","pattern":"^[a-z]{9,40}$"},"example":"scripts"}],"responses":{"200":{"description":"Products."}}}}}}
JSON
convert() {
  npx --no-install openapi2postmanv2 -s api.json -o "$1.json" "${@:2}" > log 2>&1
  node -p 'const [p] = JSON.parse(require("fs").readFileSync(process.argv[1])).item.flatMap((item) => item.item ?? item).map((item) => item.request.url.query[0]); `${p.value} ${p.disabled ?? false}`' "$1.json"
}
first=$(convert first); second=$(convert second); example=$(convert example -O parametersResolution=Example)
echo "openapi-to-postmanv2@6.3.3"
echo "seen: $first | $second | $example"
[[ "$first" =~ ^[a-z]{9,40}\ false$ && "$first" != "$second" && "$example" = "scripts false" ]]
