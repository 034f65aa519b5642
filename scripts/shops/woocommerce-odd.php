<?php
/**
 * WooCommerce with products that are odd, but valid: `make` fills the shop through its own functions, `shown` prints what its Store
 * API and its lists show a visitor, `jobs` runs the jobs that are due. The clock is that of `faketime` (wordpress.sh).
 */
require __DIR__ . '/woocommerce-tools.php';

function answer(int $review, int $product, string $text): int
{
    return wp_insert_comment(['comment_post_ID' => $product, 'comment_parent' => $review, 'comment_type' => 'comment', 'comment_approved' => '1', 'comment_author' => 'The shop', 'comment_content' => $text]);
}

function comment(int $id, string $author, string $text, array $meta = [], array $more = []): int
{
    $comment = wp_insert_comment($more + [
        'comment_post_ID' => $id, 'comment_type' => 'review', 'comment_approved' => '1',
        'comment_author' => $author, 'comment_author_email' => 'cnry.reviewer@canary.example', 'comment_content' => $text,
    ]);
    foreach ($meta as $key => $value) {
        update_comment_meta($comment, $key, $value);
    }
    return $comment;
}

function make(): void
{
    global $wpdb;
    WC_Install::install();
    // Three and a half hours behind UTC: midnight there is at 3:30.
    update_option('timezone_string', 'America/St_Johns');
    update_option('woocommerce_currency', 'KWD');
    update_option('woocommerce_price_num_decimals', '3');
    update_option('woocommerce_price_decimal_sep', ',');
    update_option('woocommerce_price_thousand_sep', '.');
    update_option('woocommerce_hide_out_of_stock_items', 'yes');
    update_option('woocommerce_notify_low_stock_amount', '2');
    update_option('woocommerce_feature_cost_of_goods_sold_enabled', 'yes');
    update_option('woocommerce_default_country', 'CA:NL');
    $today = wp_date('Y-m-d');
    $day = fn (int $days) => wp_date('Y-m-d', time() + 86400 * $days);

    $odd = make_term('product_cat', '2024', ['slug' => '2024']);
    $cjk = make_term('product_cat', '道具 & <b>mehr</b>', ['description' => 'With <strong>HTML</strong> &amp; [shortcode]']);
    $deep = make_term('product_cat', 'Deep', ['parent' => make_term('product_cat', 'Middle', ['parent' => $odd])]);
    $late = make_term('product_cat', 'Ordered first');
    update_term_meta($late, 'order', 1);
    $plain = make_term('product_cat', 'Plain');
    update_term_meta($plain, 'order', 9);
    $in = [$plain];

    $ten = make_product('Plain ten', $in, ['regular_price' => '10', 'cogs_value' => 7919.5]);
    make_product('Three decimals', $in, ['regular_price' => '12.345']);
    make_product('Half of the last digit', $in, ['regular_price' => '1.0005']);
    make_product('Entered with a comma', $in, ['regular_price' => wc_format_decimal('9,95')]);
    make_product('A million', $in, ['regular_price' => '1234567.891']);
    make_product('Free of charge', $in, ['regular_price' => '0']);
    make_product('Sale begins today', $in, ['regular_price' => '20', 'sale_price' => '15', 'date_on_sale_from' => $today]);
    make_product('Sale ends today', $in, ['regular_price' => '20', 'sale_price' => '14', 'date_on_sale_to' => "$today 23:59:59"]);
    make_product('Sale ended last night', $in, ['regular_price' => '20', 'sale_price' => '13', 'date_on_sale_from' => $day(-9), 'date_on_sale_to' => $day(-1) . ' 23:59:59']);
    make_product('Sale begins tomorrow', $in, ['regular_price' => '20', 'sale_price' => '12', 'date_on_sale_from' => $day(1)]);
    make_product('Sale of tomorrow alone', $in, ['regular_price' => '20', 'sale_price' => '11', 'date_on_sale_from' => $day(1), 'date_on_sale_to' => $day(1) . ' 23:59:59']);
    make_product('Free on sale', $in, ['regular_price' => '20', 'sale_price' => '0']);
    make_product('Free from tomorrow on', $in, ['regular_price' => '20', 'sale_price' => '0', 'date_on_sale_from' => $day(1)]);
    make_product('Sale that costs as much', $in, ['regular_price' => '20', 'sale_price' => '20']);
    update_post_meta(make_product('With a price by a plugin', $in, ['regular_price' => '20']), '_price', '17.5');
    update_post_meta(make_product('With a higher price by a plugin', $in, ['regular_price' => '20', 'sale_price' => '18']), '_price', '25');
    update_post_meta(make_product('Imported without a regular price', $in, []), '_price', '6.5');
    update_post_meta(make_product('Imported sale that nobody saved', $in, ['regular_price' => '20']), '_sale_price', '16');

    $sizes = ['S' => ['regular_price' => '30'], 'M' => ['regular_price' => '28', 'sale_price' => '21']];
    $shirt = make_variable('One variant on sale', $in, $sizes);
    make_variable('The dearer one on sale', $in, ['S' => ['regular_price' => '50'], 'M' => ['regular_price' => '90', 'sale_price' => '60']]);
    make_variable('All the same sale', $in, ['S' => ['regular_price' => '40', 'sale_price' => '35'], 'M' => ['regular_price' => '40', 'sale_price' => '35']]);
    make_variable('Some off, some without a price', $in, ['S' => ['regular_price' => '5', 'status' => 'private'], 'M' => [], 'L' => ['regular_price' => '33'], 'XL' => ['regular_price' => '8', 'stock_status' => 'outofstock']]);
    make_variable('All variants without a price', $in, ['S' => [], 'M' => []]);
    make_variable('All variants off', $in, ['S' => ['regular_price' => '5', 'status' => 'private']]);
    make_variable('One variant from tomorrow on', $in, ['S' => ['regular_price' => '30', 'sale_price' => '19', 'date_on_sale_from' => $day(1)], 'M' => ['regular_price' => '27']]);
    make_variable('All variants sold out', $in, ['S' => ['regular_price' => '5', 'stock_status' => 'outofstock']]);

    $private = make_product('CNRY private part', $in, ['regular_price' => '1', 'status' => 'private']);
    $hidden = make_product('Hidden part', $in, ['regular_price' => '9', 'catalog_visibility' => 'hidden']);
    $bargain = make_product('Part on sale', $in, ['regular_price' => '20', 'sale_price' => '8.5', 'date_on_sale_to' => "$today 23:59:59"]);
    make_product('Set with a hidden part', $in, ['children' => [$private, $hidden, $ten, $shirt]], WC_Product_Grouped::class);
    make_product('Set with a bargain', $in, ['children' => [$bargain, $ten]], WC_Product_Grouped::class);
    make_product('Set of nothing', $in, ['children' => [$private]], WC_Product_Grouped::class);

    make_product('Elsewhere without a price', $in, ['product_url' => 'https://other.example/a?b=c&d=e', 'button_text' => 'Go'], WC_Product_External::class);
    make_product('Elsewhere on sale', $in, ['regular_price' => '3', 'sale_price' => '2', 'product_url' => 'https://other.example/'], WC_Product_External::class);
    make_product('Virtual', $in, ['regular_price' => '9', 'virtual' => true, 'tax_status' => 'none']);
    make_product('To download', $in, ['regular_price' => '9', 'sale_price' => '4.5', 'virtual' => true, 'downloadable' => true]);
    make_product('CNRY sold out', $in, ['regular_price' => '8', 'stock_status' => 'outofstock']);
    update_post_meta(make_product('CNRY sold out in an import', $in, ['regular_price' => '8']), '_stock_status', 'outofstock');
    make_product('On backorder', $in, ['regular_price' => '8', 'stock_status' => 'onbackorder']);
    make_product('Managed on backorder', $in, ['regular_price' => '8', 'manage_stock' => true, 'stock_quantity' => -3, 'backorders' => 'notify']);
    make_product('Last two', $in, ['regular_price' => '8', 'manage_stock' => true, 'stock_quantity' => 2]);
    make_product('Catalog alone', $in, ['regular_price' => '4', 'catalog_visibility' => 'catalog', 'featured' => true]);
    make_product('Search alone', $in, ['regular_price' => '4', 'catalog_visibility' => 'search']);
    make_product('Featured', $in, ['regular_price' => '4', 'featured' => true]);
    foreach (HIDDEN as $state => $post) {
        wp_update_post(['ID' => make_product("CNRY $state", $in, ['regular_price' => '1']), 'edit_date' => true] + $post);
    }

    make_product('In 2024', [$odd], ['regular_price' => '4', 'slug' => '2024']);
    make_product('Deep below', [$deep], ['regular_price' => '4']);
    make_product('道具', [$cjk], ['regular_price' => '4', 'short_description' => "First line\nsecond <em>line</em>\n\nnew &amp; <script>alert(1)</script>"]);
    make_product('In two categories', [$late, $plain], ['regular_price' => '4']);
    make_product('Ada\'s "best" <em>one</em> &amp; only', $in, ['regular_price' => '4', 'description' => '<!-- wp:paragraph --><p>Seen &nbsp; here.</p><!-- /wp:paragraph --><!-- wp:group {"metadata":{"blockVisibility":false}} --><div class="wp-block-group"><!-- wp:paragraph --><p>CNRY hidden block</p><!-- /wp:paragraph --></div><!-- /wp:group --><!-- wp:list --><ul><li>One</li></ul><!-- /wp:list -->']);
    $brand = make_term('product_brand', 'Acme');
    wp_set_object_terms(make_product('Of a brand', $in, ['regular_price' => '4']), [$brand], 'product_brand');
    $first = make_picture('First', '2026/11/first.png');
    $second = make_picture('Zweites Bild', '2026/11/zweites bild-ü.png');
    $gone = make_picture('Gone', '2026/11/gone.png');
    make_product('With pictures', $in, ['regular_price' => '4', 'image_id' => $first, 'gallery_image_ids' => [$second, $first]]);
    make_product('Picture is gone', $in, ['regular_price' => '4', 'image_id' => $gone, 'gallery_image_ids' => [$gone, $second]]);
    make_product('Gallery without an image', $in, ['regular_price' => '4', 'gallery_image_ids' => [$second]]);
    wp_delete_post($gone, true);

    $rated = make_product('Rated', $in, ['regular_price' => '4']);
    $ada = comment($rated, 'Ada', "Hits the nail.\n\nTwice.", ['rating' => '5', 'verified' => '1']);
    answer($ada, $rated, 'CNRY answer');
    comment($rated, 'Ben', 'Not bad', ['rating' => '4', 'verified' => '0']);
    comment($rated, 'Cleo', 'Nested with stars', ['rating' => '2'], ['comment_parent' => $ada]);
    comment($rated, 'Dan', 'Without stars');
    comment($rated, '', 'Nobody', ['rating' => '3']);
    comment($rated, 'Held', 'CNRY held', ['rating' => '1'], ['comment_approved' => '0']);
    comment($rated, 'Eve', 'A plain comment', ['rating' => '1'], ['comment_type' => 'comment']);
    $closed = make_product('Reviews are closed', $in, ['regular_price' => '4', 'reviews_allowed' => false]);
    comment($closed, 'Ada', 'CNRY closed', ['rating' => '1']);
    foreach ([$rated, $closed] as $id) {
        wp_update_comment_count_now($id);
        WC_Comments::clear_transients($id);
    }

    // As importers write: no type, no time in UTC.
    $bare = make_post(['post_type' => 'product', 'post_title' => 'Written by an importer', 'post_name' => 'importer', 'post_content' => 'Text'], ['_regular_price' => '5', '_price' => '5', '_stock_status' => 'instock']);
    wp_set_object_terms($bare, $in, 'product_cat');
    $zero = make_product('Without a time in UTC', $in, ['regular_price' => '5']);
    $wpdb->query('SET sql_mode = \'\'');
    $wpdb->update($wpdb->posts, ['post_date_gmt' => '0000-00-00 00:00:00', 'post_modified_gmt' => '0000-00-00 00:00:00'], ['ID' => $zero]);
    wc_update_product_lookup_tables_column('min_max_price');
    clean_post_cache($zero);
}

/** What a visitor's list has: that of the shop's page, and that of a search for all (titles contain no common word, so for a blank). */
function listed(array $query): array
{
    $GLOBALS['wp_the_query'] = $GLOBALS['wp_query'] = new WP_Query();
    $posts = $GLOBALS['wp_query']->query($query + ['post_type' => 'product', 'posts_per_page' => 200, 'orderby' => 'ID', 'order' => 'ASC']);
    return array_values(array_map(fn ($post) => $post->ID, array_filter($posts, fn ($post) => wc_get_product($post->ID)->is_visible())));
}

function shown(): void
{
    $reviews = [];
    foreach (ask('products/reviews', ['orderby' => 'date']) as $each) {
        $reviews[] = ['id' => $each['id'], 'product' => $each['product_id'], 'rating' => $each['rating'], 'author' => $each['reviewer'], 'verified' => $each['verified'], 'text' => $each['review'], 'at' => $each['date_created']];
    }
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'woocommerce' => WC()->version, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => get_woocommerce_currency(),
        'digits' => wc_get_price_decimals(),
        'shop' => listed([]),
        'search' => listed(['s' => '']),
        'products' => array_map(function ($each) {
            $product = wc_get_product($each['id']);
            return [
                'id' => $each['id'],
                'title' => html_entity_decode($each['name'], ENT_QUOTES),
                'slug' => urldecode($each['slug']),
                'type' => $each['type'],
                'url' => $each['permalink'],
                // Of grouped products, the page shows the range; `price` is of all parts, of private ones, too.
                'price' => $each['price_html'] === '' ? null : ($each['prices']['price_range'] === null ? price($each['prices'], 'price') : (int) $each['prices']['price_range']['min_amount'] / 10 ** $each['prices']['currency_minor_unit']),
                'regular' => price($each['prices'], 'regular_price'),
                'html' => html_entity_decode(wp_strip_all_tags($each['price_html'])),
                'on_sale' => $each['on_sale'],
                'categories' => array_map(fn ($category) => $category['slug'], $each['categories']),
                'images' => array_map(fn ($image) => $image['src'], $each['images']),
                'excerpt' => $each['short_description'],
                'description' => $each['description'],
                'rating' => $each['average_rating'],
                'reviews' => $each['review_count'],
                'featured' => $product->is_featured(),
                'created' => $product->get_date_created()?->getTimestamp(),
                'updated' => $product->get_date_modified()?->getTimestamp(),
            ];
        }, ask('products')),
        'categories' => array_values(array_map(
            fn ($each) => ['id' => $each['id'], 'slug' => urldecode($each['slug']), 'name' => html_entity_decode($each['name']), 'url' => $each['permalink'], 'description' => $each['description'], 'count' => $each['count']],
            array_filter(ask('products/categories'), fn ($each) => $each['count'] > 0)
        )),
        'reviews' => $reviews,
    ]);
}

/** The actions of products whose sale begins or ends, and the daily one, which alone moves the prices of variants. */
function run_jobs(): void
{
    do_action('action_scheduler_run_queue', 'test');
    do_action('woocommerce_scheduled_sales');
}

match ($step) {
    'make' => make(),
    'jobs' => run_jobs(),
    'shown' => shown(),
};
