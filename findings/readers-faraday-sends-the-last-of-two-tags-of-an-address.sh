#!/usr/bin/env bash
# Faraday is given a whole address, such as the "next" of a Link header: /products?tags=mug&tags=cup&page=2. It takes the query apart and writes it again, and sends /products?page=2&tags=cup: of two
# parameters of one name the last remains, and the others are in the order of the alphabet. Net::HTTP and HTTParty send the address as it is. One would guess that what is already an address
# is not read again, or that repeated names stay, since many APIs have them. request.params_encoder = Faraday::FlatParamsEncoder keeps both tags, but sorts, too.
# Page 2 is then the page of another list, without an error; and a CDN that knows a list by its address holds it twice, of which a purge reaches one.
# Version: Faraday 1.1.0 and HTTParty 0.21.0, Ruby 3.1 (Debian's packages ruby-faraday and ruby-httparty).
set -euo pipefail
/usr/bin/ruby -W0 -e 'require "faraday"; require "httparty"' 2> /dev/null || { echo "needs Debian's packages ruby-faraday and ruby-httparty"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.rb" <<'RB'
require "faraday"
require "httparty"
require "net/http"
require "socket"

server = TCPServer.new("127.0.0.1", 0)
asked = Queue.new
Thread.new do
  loop do
    client = server.accept
    asked << client.gets.split[1]
    until client.gets.strip.empty? do end
    client.write "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"
    client.close
  end
end

base = "http://127.0.0.1:#{server.addr[1]}"
address = "#{base}/products?tags=mug&tags=cup&page=2"
flat = Faraday.new(base, request: { params_encoder: Faraday::FlatParamsEncoder })
{
  "Net::HTTP" => -> { Net::HTTP.get(URI(address)) },
  "HTTParty" => -> { HTTParty.get(address) },
  "Faraday" => -> { Faraday.get(address) },
  "Faraday, connection" => -> { Faraday.new(base).get(address) },
  "Faraday, flat" => -> { flat.get(address) },
}.each do |name, ask|
  ask.call
  puts "#{name}: #{asked.pop}"
end
puts "Faraday #{Faraday::VERSION}, HTTParty #{HTTParty::VERSION}, Ruby #{RUBY_VERSION}"
RB
seen=$(no_proxy='*' /usr/bin/ruby -W0 "$dir/run.rb")
echo "seen: $seen"
[[ "$seen" = 'Net::HTTP: /products?tags=mug&tags=cup&page=2
HTTParty: /products?tags=mug&tags=cup&page=2
Faraday: /products?page=2&tags=cup
Faraday, connection: /products?page=2&tags=cup
Faraday, flat: /products?page=2&tags=mug&tags=cup
Faraday '* ]]
