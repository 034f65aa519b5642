#!/usr/bin/env bash
# Hugo reads each number of a JSON data file as a float and writes those from a million on with an exponent: the id 1234567 is 1.234567e+06 in a text, and the link /product?id=1.234567e%2b06.
# "where" finds it by 1234567, where … "in" (slice 1234567) does not. One would guess that a whole number stays one, as it does in YAML and TOML data, whose ids Hugo writes as they are.
# A site made from a catalog's JSON is right for its first 999,999 ids and links to nothing from the millionth on; "int .id" writes it.
# Version: Hugo 0.111.3 (Debian's package hugo).
set -euo pipefail
command -v hugo > /dev/null || { echo "needs Debian's package hugo"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; mkdir data layouts
cat > config.toml <<'TOML'
baseURL = "https://shop.example/"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
TOML
echo '[{"id":999999},{"id":1234567}]' > data/json.json
printf -- '- id: 999999\n- id: 1234567\n' > data/yaml.yaml
cat > layouts/index.html <<'HTML'
{{ range .Site.Data.json }}<a href="/product?id={{ .id }}"></a>{{ end }}
yaml{{ range .Site.Data.yaml }} {{ .id }}{{ end }}
where {{ len (where .Site.Data.json "id" 1234567) }}, in {{ len (where .Site.Data.json "id" "in" (slice 1234567)) }}, int {{ int (index .Site.Data.json 1).id }}
HTML
hugo --quiet
seen=$(grep -o 'id=[^"]*\|yaml.*\|where.*' public/index.html | paste -sd' ')
hugo version
echo "seen: $seen"
[ "$seen" = 'id=999999 id=1.234567e%2b06 yaml 999999 1234567 where 1, in 0, int 1234567' ]
