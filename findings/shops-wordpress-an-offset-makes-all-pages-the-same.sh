#!/usr/bin/env bash
# WordPress's REST list with offset and page together: ?offset=1&per_page=2&page=1, page=2 and page=3 are the same two posts, each with 200, a total that does not leave out what is skipped, and a Link to
# the next page. One would guess that pages count from the offset on ("all but the first, which is on top"), or a 400 as for a page beyond the last.
# A reader that follows the links, or pages up to X-WP-TotalPages, has two products many times and the others never.
# Version: wordpress 6.1.9+dfsg1-0+deb12u1 (Debian 12), PHP 8.2, MariaDB 10.11.
set -euo pipefail
version=6.1.9+dfsg1-0+deb12u1
dir=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$dir"
}
trap cleanup EXIT
chmod 755 "$dir"
cd "$dir"
apt-get download -q "wordpress=$version" >/dev/null 2>&1
dpkg-deb -x wordpress_*.deb package
mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$dir/data" --auth-root-authentication-method=normal >/dev/null 2>&1
mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/socket" --skip-networking >log 2>&1 &
server=$!
for _ in $(seq 150); do
  if mariadb -uroot -S socket -e "CREATE DATABASE IF NOT EXISTS shop" 2>/dev/null; then break; fi
  sleep 0.2
done
mkdir content
cat >shop.php <<'PHP'
<?php
error_reporting(E_ERROR);
$dir = getenv('SHOP_DIR');
define('DB_NAME', 'shop');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', "localhost:$dir/socket");
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('WP_INSTALLING', true);
define('ABSPATH', "$dir/package/usr/share/wordpress/");
define('WP_CONTENT_DIR', "$dir/content");
$_SERVER += ['HTTP_HOST' => 'shop.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
$table_prefix = 'wp_';
function wp_mail() { return true; }
require ABSPATH . 'wp-settings.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Shop', 'ada', 'ada@shop.example', true, '', 'not a secret');
function add($title, $more = []) { return wp_insert_post($more + ['post_title' => $title, 'post_status' => 'publish', 'post_content' => 'Text']); }
function ask($query, $route = '/wp/v2/posts') {
    $request = new WP_REST_Request('GET', $route);
    parse_str($query, $parameters);
    $request->set_query_params($parameters);
    return rest_do_request($request);
}
wp_delete_post(1, true);
for ($n = 1; $n <= 6; $n++) add("Product $n", ['post_date' => "2026-01-0$n 00:00:00"]);
for ($number = 1; $number <= 4; $number++) {
    $answer = ask("offset=1&per_page=2&page=$number");
    echo "seen: page $number: ", $answer->get_status();
    if ($answer->get_status() === 200) {
        $headers = $answer->get_headers();
        echo ' ', implode(',', array_map(fn($each) => $each['title']['rendered'], $answer->get_data())), ' total ', $headers['X-WP-Total'], ' pages ', $headers['X-WP-TotalPages'], str_contains($headers['Link'], 'rel="next"') ? ' and a next' : '';
    }
    echo "\n";
}
PHP
echo "version: WordPress $version, PHP $(php -r 'echo PHP_VERSION;'), $(mariadbd --version | grep -o '[0-9.]*-MariaDB')"
seen=$(SHOP_DIR=$dir php -d memory_limit=512M shop.php)
echo "$seen"
[ "$seen" = 'seen: page 1: 200 Product 5,Product 4 total 6 pages 3 and a next
seen: page 2: 200 Product 5,Product 4 total 6 pages 3 and a next
seen: page 3: 200 Product 5,Product 4 total 6 pages 3
seen: page 4: 400' ]
