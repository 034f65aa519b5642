#!/usr/bin/env bash
# SWI-Prolog's file server answers Range: bytes=0-3 with 206, Content-Range: bytes 0-3, Content-Length: 4 and three bytes, and so each range with an end: the last byte is missing. bytes=30-999 of 33 bytes is said to have 970, and
# bytes=-4, the last four, is a 500. One would guess four bytes, which its headers name; without an end, bytes=30-, all bytes come. A file that is missing is a 500 from http_reply_from_files, and a 404 from serve_files_in_directory only.
# A client that loads a bulk file in pieces waits at each piece for a byte that never comes, or keeps pieces that are too short; one that polls a product which is gone tries again for ever, as after any 500.
# Version: SWI-Prolog 9.0.4 (Debian's package swi-prolog-nox).
set -euo pipefail
command -v swipl > /dev/null || { echo "needs Debian's package swi-prolog-nox"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill -9 "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/site"; echo '{"page":1,"data":["0123456789"]}' > "$dir/site/list.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$dir/server.pl" <<PL
:- use_module(library(http/thread_httpd)).
:- use_module(library(http/http_dispatch)).
:- use_module(library(http/http_files)).
:- use_module(library(http/http_server_files)).
user:file_search_path(files, '$dir/site').
:- http_handler(root('a/'), http_reply_from_files('$dir/site', []), [prefix]).
:- http_handler(root('b/'), serve_files_in_directory(files), [prefix]).
:- initialization((http_server(http_dispatch, [port(localhost:$port)]), thread_get_message(_))).
PL
swipl "$dir/server.pl" < /dev/null > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/a/list.json" && break; sleep 0.1; done
ask() { curl -s -m 10 -D "$dir/head" -o "$dir/body" "$@" && broken= || broken=", then curl's error $?"; echo "$(sed -n 1p "$dir/head" | cut -d' ' -f2) $(grep -i '^content-length' "$dir/head" | tr -d '\r'), $(wc -c < "$dir/body") came$broken"; }
seen=$(for range in 0-3 30-999 30- -4; do echo "bytes=$range: $(ask -r "$range" "http://127.0.0.1:$port/a/list.json")"; done
  echo "http_reply_from_files, missing: $(ask "http://127.0.0.1:$port/a/gone.json")"; echo "serve_files_in_directory, missing: $(ask "http://127.0.0.1:$port/b/gone.json")")
swipl --version
echo "seen: $seen"
grep -q "^bytes=0-3: 206 Content-Length: 4, 3 came, then curl's error" <<< "$seen" && grep -q '^bytes=30-: 206 Content-Length: 3, 3 came$' <<< "$seen" && grep -q "^bytes=30-999: 206 Content-Length: 970, 3 came, then curl's error" <<< "$seen" && grep -q '^bytes=-4: 500' <<< "$seen" \
  && grep -q '^http_reply_from_files, missing: 500' <<< "$seen" && grep -q '^serve_files_in_directory, missing: 404' <<< "$seen"
