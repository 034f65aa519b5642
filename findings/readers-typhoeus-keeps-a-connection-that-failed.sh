#!/usr/bin/env bash
# Typhoeus, Ruby's client for many requests at once, asks a cache if Typhoeus::Config.cache has one. It keeps every answer under its request, also the one that is none: after a connection
# that was refused or a time limit (code 0, an empty body), the same request is not sent again, and is answered by code 0 although the server is back. A 503 stays, too, and no-store is not
# read. One would guess that a cache holds what the server said may be kept, and that a failure is no answer.
# One second without the catalog then empties a page of a shop for as long as the cache holds (for ever, where it has no time limit). Give cache: false to the retry.
# Version: Typhoeus 1.4.0 (Debian's package ruby-typhoeus).
set -euo pipefail
/usr/bin/ruby -W0 -e 'require "typhoeus"' 2> /dev/null || { echo "needs Debian's package ruby-typhoeus"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RB'
require "socket"
require "typhoeus"

# The cache of Typhoeus's own documentation: a Hash.
class Cache
  def initialize = @kept = {}
  def get(request) = @kept[request]
  def set(request, response) = @kept[request] = response
end

def serve(server, answers)
  Thread.new do
    loop do
      client = server.accept
      until client.gets.strip.empty? do end
      code, body = answers.size > 1 ? answers.shift : answers.first
      client.write "HTTP/1.1 #{code} X\r\nCache-Control: no-store\r\nContent-Length: #{body.size}\r\nConnection: close\r\n\r\n#{body}"
      client.close
    end
  end
end

def show(name, response) = puts("#{name}: code #{response.code} #{response.body.inspect}, from the cache: #{response.cached? || false}")

Typhoeus::Config.cache = Cache.new
closed = TCPServer.new("127.0.0.1", 0)
port = closed.addr[1]
closed.close
url = "http://127.0.0.1:#{port}/products"
show "server away", Typhoeus.get(url, proxy: "")
serve(TCPServer.new("127.0.0.1", port), [[200, '["mug"]']])
show "server back", Typhoeus.get(url, proxy: "")
show "cache: false", Typhoeus.get(url, proxy: "", cache: false)

busy = TCPServer.new("127.0.0.1", 0)
serve(busy, [[503, "busy"], [200, '["mug"]']])
url = "http://127.0.0.1:#{busy.addr[1]}/products"
show "busy", Typhoeus.get(url, proxy: "")
show "no longer busy", Typhoeus.get(url, proxy: "")
puts "Typhoeus #{Typhoeus::VERSION}"
RB
seen=$(/usr/bin/ruby -W0 "$dir/run.rb")
echo "seen: $seen"
[[ "$seen" = 'server away: code 0 "", from the cache: false
server back: code 0 "", from the cache: true
cache: false: code 200 "[\"mug\"]", from the cache: false
busy: code 503 "busy", from the cache: false
no longer busy: code 503 "busy", from the cache: true
Typhoeus '* ]]
