#!/usr/bin/env bash
# Symfony's CachingHttpClient, put around its HttpClient, asks a catalog API otherwise than the client alone: it adds Accept: text/html,… and Accept-Language: en-us,en;q=0.5 to every request, a second language before the one that was given,
# and sends ?tag=red&tag=blue as ?tag=blue, so that ?tag=green&tag=blue is answered with its copy. One would guess the same request, or none: it builds PHP's own idea of an incoming request first.
# An API that looks at Accept-Language gives English to a German site from the day on which its answers are cached, one that looks at Accept gives a page, and filters lose all values but the last.
# Version: symfony/http-client and symfony/http-kernel 5.4.53 with PHP 8.2 (Debian's packages php-symfony-http-client and php-symfony-http-kernel).
set -euo pipefail
php -r 'foreach (["HttpClient", "HttpKernel"] as $part) is_file("/usr/share/php/Symfony/Component/$part/autoload.php") || exit(1);' || { echo "needs Debian's packages php-symfony-http-client and php-symfony-http-kernel"; exit 1; }
dir=$(mktemp -d); pid=; trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
cat > "$dir/server.cjs" <<'JS'
const server = require("node:http").createServer((request, response) => {
  const { accept = "none", "accept-language": language = "none" } = request.headers;
  response.writeHead(200, { "content-type": "text/plain", "cache-control": "public, max-age=60" });
  response.end(`${request.url} ${accept.split(",")[0]} ${language}`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
node "$dir/server.cjs" > "$dir/port" & pid=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
cat > "$dir/run.php" <<'PHP'
<?php
foreach (['HttpClient', 'HttpKernel', 'HttpFoundation'] as $part) {
    require_once "/usr/share/php/Symfony/Component/$part/autoload.php";
}
$plain = Symfony\Component\HttpClient\HttpClient::create();
$caching = new Symfony\Component\HttpClient\CachingHttpClient($plain, new Symfony\Component\HttpKernel\HttpCache\Store($argv[2]));
$german = ['headers' => ['Accept-Language' => 'de']];
foreach ([$plain, $caching] as $client) {
    echo $client->request('GET', "http://127.0.0.1:$argv[1]/p")->getContent(), '; ';
    echo $client->request('GET', "http://127.0.0.1:$argv[1]/p?tag=red&tag=blue")->getContent(), '; ';
    echo $client->request('GET', "http://127.0.0.1:$argv[1]/p?tag=green&tag=blue")->getContent(), '; ';
    echo $client->request('GET', "http://127.0.0.1:$argv[1]/german", $german)->getContent(), "\n";
}
PHP
seen=$(php "$dir/run.php" "$(cat "$dir/port")" "$dir/store")
echo "symfony/http-client $(dpkg-query -W -f '${Version}' php-symfony-http-client), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = "/p */* none; /p?tag=red&tag=blue */* none; /p?tag=green&tag=blue */* none; /german */* de
/p text/html en-us,en;q=0.5; /p?tag=blue text/html en-us,en;q=0.5; /p?tag=blue text/html en-us,en;q=0.5; /german text/html en-us,en;q=0.5, de" ]
