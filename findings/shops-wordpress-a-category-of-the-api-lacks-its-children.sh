#!/usr/bin/env bash
# WordPress's REST list ?categories=ID leaves out the posts of child categories, and ?categories_exclude=ID keeps them. The site's own archive of the category shows both, so one would guess the
# same of the API. ?categories[terms]=ID&categories[include_children]=true is the way; of it the answer does not tell.
# A shop's "Cables" has everything in "USB" and "HDMI": an app that reads the API shows an empty category, and one that leaves a category out shows what is in it.
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
$cables = wp_insert_term('Cables', 'category')['term_id'];
$usb = wp_insert_term('USB', 'category', ['parent' => $cables])['term_id'];
add('USB cable', ['post_category' => [$usb]]);
$archive = new WP_Query(['cat' => $cables]);
echo 'seen: the archive: ', implode(',', array_column($archive->posts, 'post_title')), "\n";
$queries = ['categories' => "categories=$cables", 'categories with children' => "categories[terms]=$cables&categories[include_children]=true", 'categories_exclude' => "categories_exclude=$cables"];
foreach ($queries as $name => $query) {
    $titles = array_map(fn($each) => $each['title']['rendered'], ask($query)->get_data());
    echo "seen: $name: ", implode(',', $titles) ?: '(nothing)', "\n";
}
PHP
echo "version: WordPress $version, PHP $(php -r 'echo PHP_VERSION;'), $(mariadbd --version | grep -o '[0-9.]*-MariaDB')"
seen=$(SHOP_DIR=$dir php -d memory_limit=512M shop.php)
echo "$seen"
[ "$seen" = 'seen: the archive: USB cable
seen: categories: (nothing)
seen: categories with children: USB cable
seen: categories_exclude: USB cable,Hello world!' ]
