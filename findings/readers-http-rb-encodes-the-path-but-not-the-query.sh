#!/usr/bin/env bash
# Ruby's http.rb makes caf%C3%A9 of "café" in the path of an address, and sends it as bare bytes in its query: GET /caf%C3%A9?q=caf\xC3\xA9 HTTP/1.1. Given one more parameter by params:, it encodes the same query. One would guess that an address is
# encoded as a whole, or refused as Excon does ("URI must be ascii only").
# A search of a catalog stands in the query: strict servers, such as Node's, answer 400 to each search with an accent. Whoever tries it with a slug in the path, or with params:, sees it work.
# Version: http.rb 4.4.1 and Excon 0.88.0 with Ruby 3.1 (Debian's packages ruby-http and ruby-excon).
set -euo pipefail
/usr/bin/ruby -W0 -rhttp -rexcon -e 1 2> /dev/null || { echo "needs Debian's packages ruby-http and ruby-excon"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RUBY'
require "socket"
require "http"
require "excon"
asked = []
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  loop do
    socket = server.accept
    asked << socket.gets.b.chomp
    nil until socket.gets == "\r\n"
    socket.write "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    socket.close
  end
end
base = "http://127.0.0.1:#{server.addr[1]}"
HTTP.get("#{base}/café?q=café").to_s
HTTP.get("#{base}/search?q=café", params: { page: 2 }).to_s
puts asked.map { |line| line.inspect }
begin
  Excon.get("#{base}/search?q=café")
rescue URI::InvalidURIError => error
  puts error.message.sub(/ "http.*/, "")
end
RUBY
seen=$(LC_ALL=C.UTF-8 /usr/bin/ruby -W0 "$dir/run.rb")
echo "http.rb $(/usr/bin/ruby -W0 -rhttp -e 'print HTTP::VERSION') excon $(/usr/bin/ruby -W0 -rexcon -e 'print Excon::VERSION')"
echo "seen: $seen"
[ "$seen" = '"GET /caf%C3%A9?q=caf\xC3\xA9 HTTP/1.1"
"GET /search?q=caf%C3%A9&page=2 HTTP/1.1"
URI must be ascii only' ]
