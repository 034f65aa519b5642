#!/usr/bin/env bash
# Erlang's own httpd (inets) sends an ETag, without quotes, and a Last-Modified, and answers 200 with the body to each sent back; and it says Content-Range: bytes=0-3/30, with the equals sign of the
# request, where the answer's form has a blank. One would guess that who sends both validators compares them. A poller of a catalog loads all of it each time, and a
# client that reads Content-Range to join its parts finds no range in a 206.
# Version: inets 8.2.2 of Erlang/OTP 25 (Debian's package erlang-inets).
set -euo pipefail
command -v erl > /dev/null && erl -noshell -eval 'application:load(inets), halt().' > /dev/null 2>&1 || { echo "needs Debian's package erlang-inets"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; printf '{"page":1,"pad":"0123456789"}\n' > "$dir/site/products.json"
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
erl -noshell -eval "inets:start(), {ok, _} = inets:start(httpd, [{port, $port}, {bind_address, {127,0,0,1}}, {server_name, \"shop.example\"}, {server_root, \"$dir\"}, {document_root, \"$dir/site\"},
  {modules, [mod_alias, mod_range, mod_get, mod_head]}, {mime_types, [{\"json\", \"application/json\"}]}])." > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
url="http://127.0.0.1:$port/products.json"
header() { curl -s -D - -o /dev/null "${@:2}" "$url" | tr -d '\r' | sed -n "s/^$1: //Ip"; }
tag=$(header etag); date=$(header last-modified)
quoted=no; case "$tag" in \"*\") quoted=yes ;; esac
again=$(for sent in "If-None-Match: $tag" "If-None-Match: \"$tag\"" "If-Modified-Since: $date"; do curl -s -o /dev/null -w '%{http_code} ' -H "$sent" "$url"; done)
seen="quotes $quoted; $again; $(header content-range -H 'Range: bytes=0-3')"
erl -noshell -eval 'application:load(inets), {ok, V} = application:get_key(inets, vsn), io:format("inets ~s~n", [V]), halt().'
echo "seen: $seen"
[ "$seen" = "quotes no; 200 200 200 ; bytes=0-3/30" ]
