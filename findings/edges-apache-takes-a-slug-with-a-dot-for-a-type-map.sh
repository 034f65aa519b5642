#!/usr/bin/env bash
# Apache as Debian ships it answers node.var.json with 406 "Not Acceptable", says charset=koi8-ru of shop.ua.json and Content-Language: de of mug.de.json. One would guess that a file's last ending decides what it is: mod_mime reads each word between
# dots, var is a "type map", ua and de are a charset and a language, and MultiViews is not needed for any of it. Versions (kit-1.5.json) are safe.
# A product whose slug has a dot, such as a domain or a name of JavaScript's world, is missing from a catalog that is complete on the disk, or its texts come out in Cyrillic. ForceType and SetHandler default-handler for *.json cure both.
# Version: Apache 2.4.71 and mime.conf of Debian 12 (packages apache2-bin and apache2).
set -euo pipefail
command -v apache2 > /dev/null || { echo "needs Debian's package apache2-bin"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/site" "$dir/cured"
for slug in node.var shop.ua mug.de kit-1.5; do echo "{\"slug\":\"$slug\"}" | tee "$dir/site/$slug.json" > "$dir/cured/$slug.json"; done
mime=/etc/apache2/mods-available/mime.conf
[ -e "$mime" ] || { (cd "$dir" && apt-get download -qq apache2 > /dev/null 2>&1 && dpkg -x apache2_*.deb package); mime=$dir/package$mime; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
{ for module in mpm_event authz_core mime negotiation; do echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"; done
  printf 'ServerName x\nUser nobody\nGroup nogroup\nPidFile %s/pid\nErrorLog %s/error\nListen 127.0.0.1:%s\nDocumentRoot %s\nInclude %s\n' "$dir" "$dir" "$port" "$dir" "$mime"
  printf '<Directory %s/cured>\n<FilesMatch "\\.json$">\nForceType application/json\nSetHandler default-handler\n</FilesMatch>\n</Directory>\n' "$dir"; } > "$dir/conf"
apache2 -f "$dir/conf" -DFOREGROUND > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/site/kit-1.5.json" && break; sleep 0.1; done
seen=$(for folder in site cured; do for slug in node.var shop.ua mug.de kit-1.5; do
  curl -s -o /dev/null -D - "http://127.0.0.1:$port/$folder/$slug.json" | tr -d '\r' | awk -v name="$folder/$slug" '/^HTTP/{status=$2} tolower($1)=="content-type:"{type=$2" "$3} tolower($1)=="content-language:"{language=$2} END{print name, status, type, language}'; done; done)
apache2 -v | sed -n 1p
echo "seen: $seen"
grep -q '^site/node.var 406' <<< "$seen" && grep -q '^site/shop.ua 200 application/json; charset=koi8-ru' <<< "$seen" && grep -q '^site/mug.de 200 application/json *de$' <<< "$seen" \
  && grep -q '^site/kit-1.5 200 application/json *$' <<< "$seen" && grep -q '^cured/node.var 200 application/json *$' <<< "$seen" && grep -q '^cured/shop.ua 200 application/json *$' <<< "$seen"
