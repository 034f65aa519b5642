#!/usr/bin/env bash
# WordPress's REST API gives a post with the title "Fuse 4x20 mm" as "Fuse 4&#215;20 mm", with a multiplication sign, and "Wordpress theme" with a capital P in the middle; "3/4\" pipe's" gets primes and curly quotes. One would
# guess the title as somebody typed it, with & and < as entities, since the slug and the search take it so; the typed one is for editors only (context=edit).
# Apps that compare, search or cut titles, and machines that look for "4x20" in a feed, no longer find what the shop calls it; "M3x10" stays.
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
foreach (['Fuse 4x20 mm', 'Wordpress theme', 'M3x10'] as $title) {
    [$given] = ask('include=' . add($title))->get_data();
    $found = count(ask('search=' . urlencode($title))->get_data());
    echo "seen: $title => {$given['title']['rendered']}, $given[slug], found $found\n";
}
PHP
echo "version: WordPress $version, PHP $(php -r 'echo PHP_VERSION;'), $(mariadbd --version | grep -o '[0-9.]*-MariaDB')"
seen=$(SHOP_DIR=$dir php -d memory_limit=512M shop.php)
echo "$seen"
[ "$seen" = 'seen: Fuse 4x20 mm => Fuse 4&#215;20 mm, fuse-4x20-mm, found 1
seen: Wordpress theme => WordPress theme, wordpress-theme, found 1
seen: M3x10 => M3x10, m3x10, found 1' ]
