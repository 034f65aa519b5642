#!/usr/bin/env bash
# Traffic Server, HAProxy and Apache never keep an answer with "Cache-Control: public, max-age=60" if it has "Pragma: no-cache", too; nginx and Varnish keep it. RFC 9111 5.4 gives Pragma a meaning in requests only, and not beside Cache-Control; one
# would guess that an explicit lifetime wins. PHP's session_start() leaves this header behind when a program sets Cache-Control itself: behind three of five caches each request for a list then reaches the shop.
# Version: Traffic Server 9.2, HAProxy 2.6, Apache 2.4, nginx 1.22, Varnish 7.1 (Debian's packages), seen with an origin on Node 20.
set -euo pipefail
for tool in traffic_server haproxy apache2 nginx varnishd; do command -v $tool > /dev/null || { echo "needs Debian's packages trafficserver haproxy apache2 nginx varnish"; exit 1; }; done
dir=$(mktemp -d); running=; trap '[ -z "$running" ] || { kill $running 2> /dev/null; wait $running 2> /dev/null; } || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
cat > "$dir/origin.cjs" <<'JS'
let count = 0;
const server = require("node:http").createServer((request, response) => {
  count += 1;
  const body = String(count);
  const { status, ...headers } = JSON.parse(decodeURIComponent(request.url.slice(2)));
  response.writeHead(status ?? 200, { "content-type": "application/json", "content-length": body.length, ...headers });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/origin.cjs" > "$dir/port" & running=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
origin=127.0.0.1:$(cat "$dir/port")
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
encoded() { python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "$1"; }
ask() { curl -s -o - "http://127.0.0.1:$1/?$(encoded "$2")"; }
ats=$(free); mkdir -p "$dir"/ats/{cache,log,run}; cp -rL /etc/trafficserver "$dir/ats/etc"
sed -i "s/server_ports STRING .*/server_ports STRING $ats:ip-in=127.0.0.1/" "$dir/ats/etc/records.config"
echo "$dir/ats/cache 64M" > "$dir/ats/etc/storage.config"; echo "map / http://$origin/" > "$dir/ats/etc/remap.config"
printf '%s\n' "prefix: $dir/ats" "exec_prefix: $dir/ats" "bindir: /usr/bin" "sbindir: /usr/sbin" "sysconfdir: $dir/ats/etc" "datadir: $dir/ats" "includedir: $dir/ats" \
  "libdir: /usr/lib/trafficserver" "libexecdir: /usr/lib/trafficserver/modules" "localstatedir: $dir/ats" "runtimedir: $dir/ats/run" "logdir: $dir/ats/log" \
  "cachedir: $dir/ats/cache" > "$dir/ats/runroot.yaml"
chmod -R a+rwX "$dir/ats"
TS_RUNROOT="$dir/ats/runroot.yaml" traffic_server > "$dir/ats.out" 2>&1 & running="$running $!"
haproxy=$(free)
printf '%s\n' "cache kept" " total-max-size 4" " max-age 600" defaults " mode http" " timeout connect 3s" " timeout client 5s" " timeout server 5s" \
  "frontend shop" " bind 127.0.0.1:$haproxy" " http-request cache-use kept" " http-response cache-store kept" " default_backend origin" \
  "backend origin" " server origin $origin" > "$dir/haproxy.cfg"
haproxy -f "$dir/haproxy.cfg" 2> "$dir/haproxy.log" & running="$running $!"
apache=$(free); mkdir "$dir/apache"; chmod 777 "$dir/apache"
{
  printf '%s\n' "ServerRoot $dir" "PidFile $dir/apache.pid" "DefaultRuntimeDir $dir" "Listen 127.0.0.1:$apache" "ServerName shop.example" "ErrorLog $dir/apache.log"
  for module in mpm_event authz_core proxy proxy_http cache cache_disk; do echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"; done
  printf '%s\n' "User www-data" "Group www-data" "CacheRoot $dir/apache" "CacheEnable disk /" "ProxyPass / http://$origin/"
} > "$dir/apache.conf"
apache2 -X -f "$dir/apache.conf" > "$dir/apache.out" 2>&1 & running="$running $!"
nginx=$(free); mkdir "$dir/nginx"; chmod 777 "$dir/nginx"
printf '%s\n' "daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}" "http { access_log off; proxy_cache_path $dir/nginx keys_zone=kept:1m;" \
  "server { listen 127.0.0.1:$nginx; location / { proxy_pass http://$origin; proxy_cache kept; } } }" > "$dir/nginx.conf"
nginx -c "$dir/nginx.conf" > "$dir/nginx.out" 2>&1 & running="$running $!"
varnish=$(free)
varnishd -F -n "$dir/varnish" -a "127.0.0.1:$varnish" -b "$origin" -s malloc,20m > "$dir/varnish.log" 2>&1 & running="$running $!"
for port in "$ats" "$haproxy" "$apache" "$nginx" "$varnish"; do for _ in $(seq 200); do [[ "$(ask "$port" '{"cache-control":"no-store"}')" =~ ^[0-9]+$ ]] && break; sleep 0.1; done; done
seen=$(while read -r answer; do
  for server in ats haproxy apache nginx varnish; do
    first=$(ask "${!server}" "$answer"); second=$(ask "${!server}" "$answer")
    echo "$server $answer $([[ "$first" =~ ^[0-9]+$ ]] && [ "$first" = "$second" ] && echo kept || echo asked again)"
  done
done <<'LIST'
{"cache-control":"public, max-age=60"}
{"cache-control":"public, max-age=60","pragma":"no-cache"}
LIST
)
dpkg-query -W -f '${Package} ${Version}\n' trafficserver haproxy apache2 nginx varnish
echo "seen: $seen"
[ "$seen" = 'ats {"cache-control":"public, max-age=60"} kept
haproxy {"cache-control":"public, max-age=60"} kept
apache {"cache-control":"public, max-age=60"} kept
nginx {"cache-control":"public, max-age=60"} kept
varnish {"cache-control":"public, max-age=60"} kept
ats {"cache-control":"public, max-age=60","pragma":"no-cache"} asked again
haproxy {"cache-control":"public, max-age=60","pragma":"no-cache"} asked again
apache {"cache-control":"public, max-age=60","pragma":"no-cache"} asked again
nginx {"cache-control":"public, max-age=60","pragma":"no-cache"} kept
varnish {"cache-control":"public, max-age=60","pragma":"no-cache"} kept' ]
