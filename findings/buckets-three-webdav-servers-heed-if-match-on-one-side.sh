#!/usr/bin/env bash
# A PUT over WebDAV with the ETag of an older file in If-Match replaces the newer file at nginx (204) and at `rclone serve webdav` (201), and so does
# If-None-Match: * on a file that exists. A GET with the same If-Match gets 412 from both. lighttpd is the other way round: the PUT is 412, the GET
# 200. One would guess that a server which compares ETags at all does so for writing, where If-Match is made for (RFC 9110, 13.1.1).
# Two schedules that publish a catalog there can't keep each other from going back: both read the file that names the live release, both write it
# on the condition that it is still the same, and the slower one, with yesterday's prices, wins. A check of If-Match by GET shows the opposite of
# what a PUT does, so try it with a PUT; at nginx and rclone have one publisher, or a lock elsewhere.
# Version: nginx 1.22.1 (its dav module), lighttpd 1.4.69, rclone 1.60.1, all of Debian 12.
set -euo pipefail
dir=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
unset AWS_CA_BUNDLE
user=; [ "$(id -u)" != 0 ] || user='user root;'
mkdir nginx lighttpd rclone
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
seen=
try() { # NAME PORT: a file, read by one publisher, replaced by another, and then by the first one
  local at=http://127.0.0.1:$2/current.json old get put new
  status() { curl -s -m 10 -o body -w '%{http_code}' "$@"; }
  for _ in $(seq 50); do [ "$(status "$at")" = 404 ] && break; sleep 0.1; done
  status -T - "$at" <<< '{"release":"1"}' > first
  old=$(curl -sI "$at" | tr -d '\r' | sed -n 's/^etag: //Ip')
  sleep 1.1
  status -T - "$at" <<< '{"release":"three"}' > second
  get=$(status -H "If-Match: $old" "$at")
  put=$(status -H "If-Match: $old" -T - "$at" <<< '{"release":"2"}')
  new=$(status -H 'If-None-Match: *' -T - "$at" <<< '{"release":"2, new"}')
  status "$at" > third
  echo "$1: ETag $old"
  seen+="$1: GET $get, PUT $put, new $new, $(cat body); "
}
port=$(free)
cat > nginx.conf <<C
daemon off; $user pid $dir/pid; error_log $dir/error.log; events {}
http { access_log off; client_body_temp_path $dir/bodies; server { listen 127.0.0.1:$port; root $dir/nginx; location / { dav_methods PUT; } } }
C
nginx -c "$dir/nginx.conf" > log 2>&1 & servers+=($!)
try nginx "$port"
port=$(free)
cat > lighttpd.conf <<C
server.document-root = "$dir/lighttpd"
server.bind = "127.0.0.1"
server.port = $port
server.modules = ("mod_webdav")
server.errorlog = "$dir/error.log"
mimetype.assign = (".json" => "application/json")
webdav.activate = "enable"
C
lighttpd -D -f lighttpd.conf > log 2>&1 & servers+=($!)
try lighttpd "$port"
port=$(free)
rclone serve webdav --config /dev/null --addr "127.0.0.1:$port" rclone > log 2>&1 & servers+=($!)
try rclone "$port"
nginx -v 2>&1; lighttpd -v | head -1; rclone version | head -1
echo "seen: $seen"
[ "$seen" = 'nginx: GET 412, PUT 204, new 204, {"release":"2, new"}; lighttpd: GET 200, PUT 412, new 412, {"release":"three"}; rclone: GET 412, PUT 201, new 201, {"release":"2, new"}; ' ]
