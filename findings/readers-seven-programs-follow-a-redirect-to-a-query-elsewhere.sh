#!/usr/bin/env bash
# /api/v1/products is answered by 302 with "Location: ?page=2", which is /api/v1/products?page=2 (RFC 3986 5.2.2; RFC 9110 10.2.2 allows any reference there). Of nine programs two go there. wget2, aria2 and Erlang's httpc
# drop the last part of the path, as RFC 2396 had it until 2005; PHP's streams drop it and double the slash; HTTParty drops the whole path; lftp sends "GET ?page=2"; Perl's HTTP::Tiny cannot parse it.
# One would guess that a joined address is a solved problem: each language of these has a library that does it rightly, and their HTTP clients do not use it.
# A catalog that brings a query into its one spelling by such a redirect sends these readers to its folder, to the shop's home page or into an error. Write the whole path.
# Version: wget2 1.99.1, aria2 1.36.0, inets 8.2.2 (OTP 25), PHP 8.2, HTTParty 0.21.0, lftp 4.9.2, HTTP::Tiny 0.080 of Perl 5.36; curl 7.88.1 and wget 1.21.3 (Debian's packages curl, wget, wget2, aria2, erlang-inets, php-cli, ruby-httparty, lftp, perl).
set -euo pipefail
for program in curl wget wget2 aria2c erl php lftp perl; do command -v $program > /dev/null || { echo "needs $program"; exit 1; }; done
/usr/bin/ruby -W0 -e 'require "httparty"' 2> /dev/null || { echo "needs Debian's package ruby-httparty"; exit 1; }
dir=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$dir"' EXIT
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
cat > "$dir/shop.py" <<'PY'
import socketserver


class Shop(socketserver.StreamRequestHandler):
    def handle(self):
        target = self.rfile.readline().decode().split(" ")[1]
        while self.rfile.readline().strip():
            pass
        asked = target == "/api/v1/products"
        if not asked:
            print(target, flush=True)
        self.wfile.write(("HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % ("302 Found\r\nLocation: ?page=2" if asked else "200 OK")).encode())


with socketserver.TCPServer(("127.0.0.1", 0), Shop) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
PY
python3 "$dir/shop.py" > "$dir/asked" & server=$!
for _ in $(seq 100); do [ -s "$dir/asked" ] && break; sleep 0.1; done
url="http://127.0.0.1:$(cat "$dir/asked")/api/v1/products"
follow() {
  name=$1; shift; : > "$dir/asked"
  timeout 60 "$@" > "$dir/said" 2>&1 || true
  printf '%s: %s\n' "$name" "$(tr -d '\0' < "$dir/asked" | tr '\n' ' ' | sed 's/ $//')"
}
seen=$(
  follow curl curl -sL "$url"
  follow wget wget -qO "$dir/1" "$url"
  follow wget2 wget2 -qO "$dir/2" "$url"
  follow aria2 aria2c -q --no-conf -d "$dir" -o 3 "$url"
  follow httpc erl -noshell -eval "inets:start(), httpc:request(\"$url\"), halt()."
  follow PHP php -n -r 'file_get_contents($argv[1]);' "$url"
  follow HTTParty /usr/bin/ruby -W0 -r httparty -e 'HTTParty.get(ARGV[0])' "$url"
  follow lftp lftp --norc -c "cat $url"
  follow HTTP::Tiny perl -MHTTP::Tiny -e 'HTTP::Tiny->new->get($ARGV[0])' "$url"
)
wget2 --version | head -n 1; aria2c --version | head -n 1; php -n -r 'echo "PHP ", PHP_VERSION, "\n";'; lftp --version | head -n 1; perl -MHTTP::Tiny -e 'print "HTTP::Tiny $HTTP::Tiny::VERSION\n"'
echo "seen: $seen"
[ "$seen" = 'curl: /api/v1/products?page=2
wget: /api/v1/products?page=2
wget2: /api/v1/?page=2
aria2: /api/v1/?page=2
httpc: /api/v1/?page=2
PHP: /api/v1//?page=2
HTTParty: /?page=2
lftp: ?page=2
HTTP::Tiny: ' ]
