<?php
/**
 * Easy Digital Downloads with products that are odd, but valid: `make` fills the shop through its own functions, `shown` prints what
 * its API and its pages show a visitor.
 */
require __DIR__ . '/edd-tools.php';

function make(): void
{
    global $wpdb;
    edd_install_component_database_tables();
    // Five and three quarter hours ahead of UTC.
    update_option('timezone_string', 'Asia/Kathmandu');
    edd_update_option('currency', 'KWD');
    edd_update_option('decimal_separator', ',');
    edd_update_option('thousands_separator', '.');
    $kinds = make_term('download_category', '2024', ['slug' => '2024']);
    $deep = make_term('download_category', 'Deep', ['parent' => make_term('download_category', 'Middle', ['parent' => $kinds])]);
    $cjk = make_term('download_category', '道具 & <b>mehr</b>', ['description' => 'With <strong>HTML</strong> &amp; more']);
    $in = [make_term('download_category', 'Plain')];

    $kit = make_download('Plain ten', $in, ['edd_price' => '10.00', '_edd_download_sales' => '7919', '_edd_download_earnings' => '7919.50', 'edd_download_files' => [['name' => 'CNRY_file', 'file' => 'https://shop.example/CNRY.zip']]], ['post_content' => 'Text']);
    make_download('Three decimals', $in, ['edd_price' => '12.345']);
    make_download('Half a cent', $in, ['edd_price' => '1.005']);
    make_download('Saved with a comma', $in, ['edd_price' => edd_sanitize_amount('1.234,50')]);
    make_download('Free of charge', $in, ['edd_price' => '0.00']);
    make_download('Without a price', $in, []);
    make_download('With an empty price', $in, ['edd_price' => '']);
    make_download('Cheaper second', $in, variable(['One site' => '39.5', 'Ten sites' => '19.00']));
    make_download('Free and paid', $in, variable(['Trial' => '0.00', 'Full' => '49.00']));
    make_download('One variant without an amount', $in, variable(['Ask us' => '', 'Full' => '49.00']));
    make_download('All variants without an amount', $in, variable(['Ask us' => '', 'Ask them' => '']));
    make_download('Variable without variants', $in, ['_variable_pricing' => 1, 'edd_variable_prices' => [], 'edd_price' => '9']);
    make_download('No longer variable', $in, ['edd_price' => '8.00', '_variable_pricing' => '0'] + variable(['Old' => '1.00']));
    make_download('Numbers for amounts', $in, ['_variable_pricing' => '1', 'edd_variable_prices' => [1 => ['index' => '1', 'name' => 'A', 'amount' => 25, 'license_limit' => 0], 4 => ['index' => '4', 'name' => 'B "quoted"; s:6:"amount";s:1:"2"', 'amount' => 22.5, 'license_limit' => 0]]]);
    make_download('A default among the variants', $in, ['_edd_default_price_id' => 1] + variable(['Small' => '12.00', 'Large' => '30.00']));
    make_download('As cheap as it has sites', $in, ['_variable_pricing' => 1, 'edd_variable_prices' => [1 => ['index' => '1', 'name' => 'Five sites', 'amount' => '20.00', 'license_limit' => '5'], 2 => ['index' => '2', 'name' => 'One site', 'amount' => '5.00', 'license_limit' => '1']]]);
    make_download('With an extended licence', $in, variable(['Regular' => '20.00', 'Extended' => '90.00', 'Extended, cheap' => '70.00']));
    make_download('Bundle', $in, ['edd_price' => '15.00', '_edd_product_type' => 'bundle', '_edd_bundled_products' => [$kit], 'edd_product_notes' => 'CNRY note']);
    make_download('Bundle of nothing', $in, ['edd_price' => '15.00', '_edd_product_type' => 'bundle', '_edd_bundled_products' => []]);
    make_download('A service', $in, ['edd_price' => '80.00', '_edd_product_type' => 'service']);
    make_download('All access', $in, ['edd_price' => '80.00', '_edd_product_type' => 'all_access']);
    make_download('Button hidden', $in, ['edd_price' => '6.00', '_edd_hide_purchase_link' => 1, '_edd_button_behavior' => 'direct']);
    make_download('Sold once', $in, ['edd_price' => '6.00', '_edd_quantities_disabled' => 1, 'edd_sku' => 'CNRY-1']);
    make_download('Sale by no plugin', $in, ['edd_price' => '20.00', 'edd_sale_price' => '12.00', '_edd_sale_price' => '12.00']);
    foreach (HIDDEN as $state => $post) {
        make_download("CNRY $state", $in, ['edd_price' => '1.00'], $post + ['post_content' => "CNRY $state"]);
    }
    make_download('In 2024', [$kinds], ['edd_price' => '4.00'], ['post_name' => '2024']);
    make_download('Deep below', [$deep], ['edd_price' => '4.00']);
    make_download('道具', [$cjk], ['edd_price' => '4.00'], ['post_excerpt' => "First line\nsecond <em>line</em> &amp; more"]);
    make_download('In no category', [], ['edd_price' => '4.00']);
    make_download('Ada\'s "best" <em>one</em> &amp; only', $in, ['edd_price' => '4.00'], ['post_content' => '<!-- wp:paragraph --><p>Seen &nbsp; here.</p><!-- /wp:paragraph --><!-- wp:list --><ul><li>One</li></ul><!-- /wp:list -->']);
    $first = make_picture('First', '2026/11/first.png');
    $gone = make_picture('Gone', '2026/11/gone.png');
    make_download('With a picture', $in, ['edd_price' => '4.00', '_thumbnail_id' => $first]);
    make_download('Picture is gone', $in, ['edd_price' => '4.00', '_thumbnail_id' => $gone]);
    wp_delete_post($gone, true);
    $zero = make_download('Without a time in UTC', $in, ['edd_price' => '5.00'], ['post_date' => '2026-11-30 04:00:00']);
    $wpdb->query("SET sql_mode = ''");
    $wpdb->update($wpdb->posts, ['post_date_gmt' => '0000-00-00 00:00:00', 'post_modified_gmt' => '0000-00-00 00:00:00'], ['ID' => $zero]);
    make_download('Dated by its local time', $in, ['edd_price' => '5.00'], ['post_date' => '2026-11-30 04:00:00']);
    $draft = make_download('CNRY saved draft', $in, ['edd_price' => '5.00'], ['post_status' => 'draft']);
    make_download('Published from a draft', $in, ['edd_price' => '5.00'], ['post_status' => 'draft', 'post_name' => 'from-a-draft']);
    wp_publish_post($draft + 1);
    edd_add_discount(['name' => 'CNRY discount', 'code' => 'CNRYCODE', 'status' => 'active', 'type' => 'percent', 'amount' => 10, 'product_reqs' => [$kit]]);
}

function shown(): void
{
    global $wp_query;
    $wp_query->set('number', 99);
    $products = array_map(function ($each) {
        $post = get_post($each['info']['id']);
        $is_variable = edd_has_variable_prices($post->ID);
        $instant = fn ($gmt, $local) => ($gmt === '0000-00-00 00:00:00' ? new DateTimeImmutable($local, wp_timezone()) : new DateTimeImmutable($gmt, new DateTimeZone('UTC')))->getTimestamp();
        return [
            'id' => $post->ID,
            'title' => html_entity_decode($each['info']['title'], ENT_QUOTES),
            'slug' => urldecode($each['info']['slug']),
            'type' => edd_get_download_type($post->ID),
            'url' => $each['info']['permalink'],
            // The price of the list, and the smallest amount that a visitor can choose.
            'price' => (float) ($is_variable ? edd_get_lowest_price_option($post->ID) : $each['pricing']['amount']),
            'choices' => $is_variable ? array_map(fn ($price) => (float) edd_sanitize_amount($price['amount']), array_values(edd_get_variable_prices($post->ID))) : [],
            'html' => html_entity_decode(wp_strip_all_tags($is_variable ? edd_price_range($post->ID) : edd_price($post->ID, false))),
            'free' => edd_is_free_download($post->ID),
            'categories' => array_map(fn ($term) => $term->slug, $each['info']['category'] ?: []),
            'images' => array_values(array_filter([$each['info']['thumbnail']])),
            'excerpt' => wpautop($each['info']['excerpt']),
            'description' => apply_filters('the_content', $post->post_content),
            'created' => $instant($post->post_date_gmt, $post->post_date),
            'updated' => $instant($post->post_modified_gmt, $post->post_modified),
        ];
    }, EDD()->api->get_products(['number' => 99])['products']);
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'edd' => EDD_VERSION, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => edd_get_currency(),
        'shop' => array_map(fn ($post) => $post->ID, get_posts(['post_type' => 'download', 'numberposts' => -1, 'suppress_filters' => false])),
        'products' => $products,
        'categories' => array_map(
            fn ($term) => ['id' => $term->term_id, 'slug' => urldecode($term->slug), 'name' => html_entity_decode($term->name), 'url' => get_term_link($term), 'description' => $term->description],
            array_values(get_terms(['taxonomy' => 'download_category', 'hide_empty' => true]))
        ),
        'reviews' => [],
        'in_currencies' => in_currencies(1574.803),
    ]);
}

/** What an amount is in each currency that the shop knows: each has its own digits. */
function in_currencies(float $amount): array
{
    $shown = [];
    foreach (array_keys(edd_get_currencies()) as $code) {
        add_filter('edd_currency', $filter = fn () => $code);
        $shown[$code] = (float) edd_format_amount(edd_sanitize_amount($amount), true, '', 'data');
        remove_filter('edd_currency', $filter);
    }
    return $shown;
}

match ($step) {
    'make' => make(),
    'shown' => shown(),
};
