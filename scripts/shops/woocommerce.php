<?php
/** WooCommerce: `make` fills the shop through its own functions, `shown` prints what its Store API shows. */
require __DIR__ . '/woocommerce-tools.php';

function make(): void
{
    WC_Install::install();
    update_option('woocommerce_currency', 'EUR');
    update_option('woocommerce_permalinks', ['product_base' => '/shop/%product_cat%/', 'category_base' => 'shelves']);
    update_option('woocommerce_hide_out_of_stock_items', 'yes');
    update_option('woocommerce_stripe_settings', ['secret_key' => 'CNRY_secret']);
    $tools = make_term('product_cat', 'Tools & Parts', ['description' => 'What helps.']);
    $small = make_term('product_cat', 'Small', ['parent' => $tools]);
    $empty = make_term('product_cat', 'CNRY empty');
    $hammer = make_product('Hammer', [$tools], ['regular_price' => '19.99', 'sku' => 'CNRY-1', 'purchase_note' => 'CNRY note', 'manage_stock' => true, 'stock_quantity' => 7919001]);
    make_product('Größen-Übersicht', [$tools, $small], ['regular_price' => '1234.5']);
    make_product('日本語の本', [$small], ['regular_price' => '7']);
    make_product('Free sample', [$small], ['regular_price' => '0']);
    make_product('On sale', [$tools], ['regular_price' => '20', 'sale_price' => '15.5']);
    make_product('On sale for years', [$tools], ['regular_price' => '20', 'sale_price' => '12', 'date_on_sale_from' => '2020-01-01', 'date_on_sale_to' => '2098-01-01']);
    make_product('Sale to come', [$tools], ['regular_price' => '20', 'sale_price' => '11', 'date_on_sale_from' => '2098-01-01']);
    make_product('Sale is over', [$tools], ['regular_price' => '20', 'sale_price' => '10', 'date_on_sale_from' => '2020-01-01', 'date_on_sale_to' => '2020-02-01']);
    make_variable('Shirt', [$tools], ['S' => ['regular_price' => '30'], 'M' => ['regular_price' => '25.5'], 'L' => ['regular_price' => '35', 'status' => 'private']]);
    make_variable('Coat on sale', [$tools], ['S' => ['regular_price' => '80', 'sale_price' => '60'], 'M' => ['regular_price' => '70']]);
    make_product('Set of tools', [$tools], ['children' => [$hammer]], WC_Product_Grouped::class);
    make_product('Elsewhere', [$tools], ['regular_price' => '3', 'product_url' => 'https://other.example/'], WC_Product_External::class);
    make_product('File to load', [$tools], ['regular_price' => '9', 'virtual' => true, 'downloadable' => true]);
    wp_remove_object_terms(make_product('No category', [], ['regular_price' => '5']), 'uncategorized', 'product_cat');
    make_product('Default category', [], ['regular_price' => '6']);
    make_product('CNRY out of stock', [$tools], ['regular_price' => '8', 'stock_status' => 'outofstock']);
    make_product('Without a price', [$tools], []);
    make_product('In the catalog alone', [$tools], ['regular_price' => '4', 'catalog_visibility' => 'catalog']);
    make_product('In the search alone', [$tools], ['regular_price' => '4', 'catalog_visibility' => 'search']);
    make_product('CNRY hidden', [$tools], ['regular_price' => '4', 'catalog_visibility' => 'hidden']);
    foreach (HIDDEN as $state => $post) {
        wp_update_post(['ID' => make_product("CNRY $state", [$tools], ['regular_price' => '1']), 'edit_date' => true] + $post);
        make_post($post + ['post_title' => "CNRY $state post", 'post_content' => 'CNRY']);
    }
    wp_trash_post(make_product('CNRY trashed', [$empty], ['regular_price' => '1']));
    make_post(['post_title' => 'We are open', 'post_content' => 'Come in.']);
    make_review($hammer, '1', 'Ada', 'Hits the nail.');
    make_review($hammer, '0', 'CNRY held', 'CNRY held');
    make_review($hammer, 'spam', 'CNRY spam', 'CNRY spam');
    make_review($hammer, 'trash', 'CNRY trash', 'CNRY trash');

    $customer = wc_create_new_customer('cnry.customer@canary.example', 'CNRY_customer', 'CNRY_password');
    $order = wc_create_order(['customer_id' => $customer]);
    $order->add_product(wc_get_product($hammer));
    $order->set_billing_email('cnry.customer@canary.example');
    $order->set_billing_address_1('CNRY street 1');
    $order->calculate_totals();
    $order->add_order_note('CNRY order note');
    $order->set_status('completed');
    $order->save();
    $coupon = new WC_Coupon();
    $coupon->set_code('CNRYCODE');
    $coupon->set_amount(10);
    $coupon->save();
}

function shown(): void
{
    $products = ask('products');
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'woocommerce' => WC()->version, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => get_woocommerce_currency(),
        'api' => array_map(fn ($each) => html_entity_decode($each['name']), $products),
        'visible' => array_map(fn ($each) => html_entity_decode($each['name']), ask('products', ['catalog_visibility' => 'visible'])),
        'products' => array_map(fn ($each) => [
            'id' => $each['id'],
            'title' => html_entity_decode($each['name']),
            'type' => $each['type'],
            'url' => $each['permalink'],
            'price' => price($each['prices'], 'price'),
            'regular' => price($each['prices'], 'regular_price'),
            'categories' => array_map(fn ($category) => $category['slug'], $each['categories']),
        ], $products),
        'categories' => array_values(array_map(
            fn ($each) => ['slug' => $each['slug'], 'name' => html_entity_decode($each['name']), 'url' => $each['permalink']],
            array_filter(ask('products/categories'), fn ($each) => $each['count'] > 0)
        )),
        'posts' => array_map(fn ($post) => ['title' => $post->post_title, 'url' => get_permalink($post)], get_posts(['numberposts' => -1, 'has_password' => false])),
    ]);
}

$step === 'make' ? make() : shown();
