#!/usr/bin/env bash
# Of two lines "Cache-Control: max-age=0" and "Cache-Control: max-age=60", Apache's and Traffic Server's caches take the last one: the answer is kept for a minute. RFC 9111 4.2.1 says that of two values the first counts, or the answer is stale; Varnish takes the first, and
# nginx keeps nothing with a 0 in either. One would guess that a cache never takes the longer one of them.
# Two lines come about when a framework sets one and the web server's rule adds its own: the same pair is a minute old in one cache, and fresh in another.
# Version: Traffic Server 9.2, Apache 2.4, nginx 1.22, Varnish 7.1 (Debian's packages), seen with an origin on Node 20.
set -euo pipefail
for tool in traffic_server apache2 nginx varnishd; do command -v $tool > /dev/null || { echo "needs Debian's packages trafficserver apache2 nginx varnish"; exit 1; }; done
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
for port in "$ats" "$apache" "$nginx" "$varnish"; do for _ in $(seq 200); do [[ "$(ask "$port" '{"cache-control":"no-store"}')" =~ ^[0-9]+$ ]] && break; sleep 0.1; done; done
seen=$(while read -r answer; do
  for server in ats apache nginx varnish; do
    first=$(ask "${!server}" "$answer"); second=$(ask "${!server}" "$answer")
    echo "$server $answer $([[ "$first" =~ ^[0-9]+$ ]] && [ "$first" = "$second" ] && echo kept || echo asked again)"
  done
done <<'LIST'
{"cache-control":["max-age=0","max-age=60"]}
{"cache-control":["max-age=60","max-age=0"]}
LIST
)
dpkg-query -W -f '${Package} ${Version}\n' trafficserver apache2 nginx varnish
echo "seen: $seen"
[ "$seen" = 'ats {"cache-control":["max-age=0","max-age=60"]} kept
apache {"cache-control":["max-age=0","max-age=60"]} kept
nginx {"cache-control":["max-age=0","max-age=60"]} asked again
varnish {"cache-control":["max-age=0","max-age=60"]} asked again
ats {"cache-control":["max-age=60","max-age=0"]} asked again
apache {"cache-control":["max-age=60","max-age=0"]} asked again
nginx {"cache-control":["max-age=60","max-age=0"]} asked again
varnish {"cache-control":["max-age=60","max-age=0"]} kept' ]
