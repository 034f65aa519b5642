<?php
/**
 * A WordPress in the folder $WORDPRESS, on the database $DATABASE of the server $DB_HOST. The shops' scripts require this file; called
 * with `install PLUGIN` it sets up the site, with `permalinks STRUCTURE` it sets the structure of its addresses.
 */
define('DB_NAME', getenv('DATABASE'));
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', getenv('DB_HOST'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_DISABLE_FATAL_ERROR_HANDLER', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('WP_HOME', 'https://shop.example');
define('WP_SITEURL', 'https://shop.example');
define('ABSPATH', rtrim(getenv('WORDPRESS'), '/') . '/');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY'] as $name) {
    define($name, "not a secret: $name");
    define(str_replace('KEY', 'SALT', $name), "not a secret: $name SALT");
}
$_SERVER += ['HTTP_HOST' => 'shop.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
$table_prefix = 'wp_';

$is_called = basename($_SERVER['SCRIPT_NAME']) === 'wordpress.php';
$step = $argv[1] ?? '';
if ($is_called && $step === 'install') {
    define('WP_INSTALLING', true);
}
/** Replaces WordPress's function, so that no mail leaves this machine. */
function wp_mail(): bool
{
    return true;
}
require ABSPATH . 'wp-settings.php';

/** Inserts a post with WordPress's own function, with its meta data; returns its id. */
function make_post(array $post, array $meta = []): int
{
    $id = wp_insert_post(wp_slash($post + ['post_status' => 'publish', 'post_content' => '']), true);
    if (is_wp_error($id)) {
        throw new Exception($id->get_error_message());
    }
    foreach ($meta as $key => $value) {
        update_post_meta($id, $key, $value);
    }
    return $id;
}

/** Inserts a picture of the media library; the file need not exist. */
function make_picture(string $title, string $file): int
{
    return make_post(['post_type' => 'attachment', 'post_status' => 'inherit', 'post_title' => $title, 'post_mime_type' => 'image/png'], ['_wp_attached_file' => $file]);
}

/** Inserts a category with WordPress's own function; returns its id. */
function make_term(string $taxonomy, string $name, array $more = []): int
{
    $term = wp_insert_term($name, $taxonomy, $more);
    if (is_wp_error($term)) {
        throw new Exception($term->get_error_message());
    }
    return $term['term_id'];
}

/** The states in which WordPress hides a post from some or all visitors. */
const HIDDEN = [
    'draft' => ['post_status' => 'draft'],
    'pending' => ['post_status' => 'pending'],
    'private' => ['post_status' => 'private'],
    'password' => ['post_password' => 'CNRY'],
    'scheduled' => ['post_status' => 'future', 'post_date' => '2098-01-01 00:00:00', 'post_date_gmt' => '2098-01-01 00:00:00'],
];

function tell($value): void
{
    echo json_encode($value, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

if ($is_called && $step === 'install') {
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Ada & Sons', 'CNRY_admin', 'cnry.admin@canary.example', true, '', 'CNRY_password');
    update_option('timezone_string', 'Europe/Berlin');
}
if ($is_called && $step === 'activate') {
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $error = activate_plugin($argv[2]);
    if ($error !== null) {
        throw new Exception($error->get_error_message());
    }
}
if ($is_called && $step === 'permalinks') {
    $wp_rewrite->set_permalink_structure($argv[2]);
}
