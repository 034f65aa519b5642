#!/usr/bin/env bash
# WordPress's own wp_publish_post() publishes a draft and leaves its time in UTC at 0000-00-00 00:00:00, both the time of publishing
# and that of the last change. A good engineer guesses that a published post has post_date_gmt: the editor and wp_update_post() set
# it, the scheduler publishes with this function, and the column beside it looks right.
# Whoever reads post_date_gmt gets a zero date for what plugins, WP-CLI or cron jobs published from a draft (error or 1970 in most
# drivers), and whoever asks for "published since" in UTC never sees it. The local time is there, but its offset is not: the
# row gmt_offset of wp_options says 0 while get_option('gmt_offset') says 5.75.
# Version: wordpress 6.1.9+dfsg1-0+deb12u1 (Debian 12), PHP 8.2, MariaDB 10.11; the same on WordPress 7.1.
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
update_option('timezone_string', 'Asia/Kathmandu');
$by = [];
foreach (['wp_publish_post', 'wp_update_post'] as $way) {
    $id = wp_insert_post(['post_title' => $way, 'post_status' => 'draft', 'post_content' => 'Text']);
    $way === 'wp_publish_post' ? wp_publish_post($id) : wp_update_post(['ID' => $id, 'post_status' => 'publish']);
    $by[$way] = $wpdb->get_row("SELECT post_status, post_date, post_date_gmt, post_modified_gmt FROM wp_posts WHERE ID = $id");
}
foreach ($by as $way => $row) {
    echo "seen: $way: $row->post_status, post_date ", $row->post_date > '2000' ? 'set' : 'zero', ", post_date_gmt $row->post_date_gmt, post_modified_gmt $row->post_modified_gmt\n";
}
$stored = $wpdb->get_var("SELECT option_value FROM wp_options WHERE option_name = 'gmt_offset'");
echo "seen: gmt_offset: the row says $stored, get_option says ", get_option('gmt_offset'), "\n";
$zero = '0000-00-00 00:00:00';
$holds = $by['wp_publish_post']->post_status === 'publish' && $by['wp_publish_post']->post_date_gmt === $zero
    && $by['wp_publish_post']->post_modified_gmt === $zero && $by['wp_update_post']->post_date_gmt > '2000'
    && $stored === '0' && (float) get_option('gmt_offset') === 5.75;
exit($holds ? 0 : 1);
PHP
mkdir content
echo "wordpress $version, $(php -r 'echo "PHP ", PHP_VERSION;'), $(mariadb -uroot -S socket -Ne 'SELECT CONCAT("MariaDB ", VERSION())')"
SHOP_DIR=$dir php -d memory_limit=512M shop.php
