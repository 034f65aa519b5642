#!/usr/bin/env bash
# WordPress's REST list by orderby=modified, after a bulk change has set one time for twelve posts: three a page, pages 3 and 4 have posts of pages 1 and 2 again, six posts are on no page, and the total says
# twelve. So with orderby=author of a site with one author, and with orderby=menu_order of pages that nobody has ordered. One would guess that the id ends the order, or that
# pages of data that nobody touches are disjoint; orderby=date is so by the luck of an index.
# Who copies a shop by "last changed first" misses what the last import has changed.
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
foreach (get_posts(['post_type' => 'any', 'numberposts' => -1, 'fields' => 'ids']) as $id) wp_delete_post($id, true);
for ($n = 1; $n <= 12; $n++) add("Product $n", ['post_date' => '2026-01-01 00:00:00']);
$wpdb->query("UPDATE wp_posts SET post_modified = '2026-02-01 00:00:00', post_modified_gmt = '2026-02-01 00:00:00'");
foreach (['modified', 'author', 'date'] as $order) {
    $ids = [];
    for ($number = 1; $number <= 4; $number++) {
        $answer = ask("orderby=$order&per_page=3&page=$number");
        array_push($ids, ...array_column($answer->get_data(), 'id'));
    }
    echo "seen: orderby=$order ", $answer->get_headers()['X-WP-Total'], ' posts, on four pages ', count(array_unique($ids)), "\n";
}
PHP
echo "version: WordPress $version, PHP $(php -r 'echo PHP_VERSION;'), $(mariadbd --version | grep -o '[0-9.]*-MariaDB')"
seen=$(SHOP_DIR=$dir php -d memory_limit=512M shop.php)
echo "$seen"
[ "$seen" = 'seen: orderby=modified 12 posts, on four pages 6
seen: orderby=author 12 posts, on four pages 6
seen: orderby=date 12 posts, on four pages 12' ]
