#!/usr/bin/env bash
# Caddy's file_server with "precompressed gzip" sends Vary: Accept-Encoding with products.json.gz, and none with the plain products.json of the same address. One would guess it on both, as H2O and nginx (gzip_vary) send it. Its redirect of
# /products?page=2 to the folder /products/ drops the query; nginx, Apache and H2O keep it.
# A cache in front that is asked by a bot without gzip first keeps the plain list for everybody until it expires, and whether readers load 20 kB or 200 is the luck of each copy; page 2 of a folder's address is page 1.
# Version: Caddy 2.6.2 (Debian's package caddy), nginx 1.22.1 as the cache in front.
set -euo pipefail
command -v caddy nginx > /dev/null || { echo "needs Debian's packages caddy and nginx"; exit 1; }
dir=$(mktemp -d); caddy=; nginx=; trap 'for pid in $caddy $nginx; do kill "$pid" 2> /dev/null || true; done; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir -p "$dir/site/products" "$dir/cache"; chmod 777 "$dir/cache"; echo '<p>' > "$dir/site/products/index.html"
for name in bot reader; do printf '{"data":"%04000d"}' 0 > "$dir/site/$name.json"; gzip -k "$dir/site/$name.json"; done
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free); front=$(free)
printf '{\nadmin off\nauto_https off\n}\nhttp://127.0.0.1:%s {\nbind 127.0.0.1\nroot * %s/site\nheader Cache-Control max-age=60\nfile_server {\nprecompressed gzip\n}\n}\n' "$port" "$dir" > "$dir/Caddyfile"
cat > "$dir/nginx.conf" <<CONF
daemon off; pid $dir/pid; error_log $dir/error.log; events {}
http { access_log off; proxy_temp_path $dir/temp; proxy_cache_path $dir/cache keys_zone=c:1m; server { listen 127.0.0.1:$front; location / { proxy_pass http://127.0.0.1:$port; proxy_set_header Host 127.0.0.1:$port; proxy_cache c; } } }
CONF
HOME=$dir caddy run --config "$dir/Caddyfile" --adapter caddyfile > "$dir/log" 2>&1 & caddy=$!
nginx -c "$dir/nginx.conf" > "$dir/nginx.log" 2>&1 & nginx=$!
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$front/products/" && break; sleep 0.1; done
vary() { curl -s -D - -o /dev/null -H "Accept-Encoding: $1" "http://127.0.0.1:$port/bot.json" | tr -d '\r' | grep -i '^vary' || echo none; }
size() { sleep 0.5; curl -s -o /dev/null -w '%{size_download} ' -H "Accept-Encoding: $1" "http://127.0.0.1:$front/$2.json"; }
seen="gzip: $(vary gzip), identity: $(vary identity); through a cache, the bot first: $(size identity bot)$(size gzip bot), the reader first: $(size gzip reader)$(size identity reader); redirect: $(curl -s -o /dev/null -w '%{redirect_url}' "http://127.0.0.1:$port/products?page=2" | sed 's#.*:[0-9]*##')"
echo "Caddy $(caddy version | cut -d' ' -f1), $(nginx -v 2>&1)"
echo "seen: $seen"
[[ $seen =~ ^'gzip: Vary: Accept-Encoding, identity: none; through a cache, the bot first: 4011 4011 , the reader first: '[1-9][0-9]?' 4011 ; redirect: /products/'$ ]]
