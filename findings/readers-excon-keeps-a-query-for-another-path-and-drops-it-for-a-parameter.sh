#!/usr/bin/env bash
# Excon opened at /products?page=2 (the link to the next page) asks for /products?limit=5 when it is given query: {limit: 5}: the link's page is gone. Asked for another path, /categories, the same connection sends /categories?page=2: there the query stays.
# One would guess the other way round, as Faraday does: parameters are added to those of the address, and another path has none of them. http.rb, HTTParty, HTTPClient and Typhoeus add as well.
# Who follows the links of a catalog and adds a parameter reads the first page for ever, and a list that is asked for by the connection of another is its second page.
# Version: excon 0.88.0, beside Faraday 1.1.0, with Ruby 3.1 (Debian's packages ruby-excon and ruby-faraday).
set -euo pipefail
/usr/bin/ruby -W0 -rexcon -rfaraday -e 1 2> /dev/null || { echo "needs Debian's packages ruby-excon and ruby-faraday"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RUBY'
require "socket"
require "excon"
require "faraday"
asked = []
server = TCPServer.new("127.0.0.1", 0)
Thread.new do
  loop do
    socket = server.accept
    asked << socket.gets.split(" ")[1]
    nil until socket.gets == "\r\n"
    socket.write "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    socket.close
  end
end
link = "http://127.0.0.1:#{server.addr[1]}/products?page=2"
Excon.new(link).get
Excon.new(link).get(query: { limit: 5 })
Excon.new(link).get(path: "/categories")
puts "excon #{asked.join(" ")}"
asked.clear
Faraday.new(link).get
Faraday.new(link).get { |request| request.params["limit"] = 5 }
Faraday.get(link, limit: 5)
puts "faraday #{asked.join(" ")}"
RUBY
seen=$(/usr/bin/ruby -W0 "$dir/run.rb")
echo "excon $(/usr/bin/ruby -W0 -rexcon -e 'print Excon::VERSION') faraday $(/usr/bin/ruby -W0 -rfaraday -e 'print Faraday::VERSION')"
echo "seen: $seen"
[ "$seen" = 'excon /products?page=2 /products?limit=5 /categories?page=2
faraday /products?page=2 /products?limit=5&page=2 /products?limit=5&page=2' ]
