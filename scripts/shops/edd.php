<?php
/** Easy Digital Downloads: `make` fills the shop through its own functions, `shown` prints what it shows. */
require __DIR__ . '/edd-tools.php';

function make_review(int $id, string $status, string $author, string $text): void
{
    $comment = wp_insert_comment([
        'comment_post_ID' => $id, 'comment_type' => 'edd_review', 'comment_approved' => $status,
        'comment_author' => $author, 'comment_author_email' => 'cnry.reviewer@canary.example', 'comment_content' => $text,
    ]);
    update_comment_meta($comment, 'edd_rating', '4');
    update_comment_meta($comment, 'edd_review_title', $text);
    update_comment_meta($comment, 'edd_review_approved', $status === '1' ? '1' : '0');
}

function make(): void
{
    edd_install_component_database_tables();
    edd_update_option('currency', 'EUR');
    edd_update_option('paypal_live_client_secret', 'CNRY_secret');
    $themes = make_term('download_category', 'Themes & Looks', ['description' => 'How it looks.']);
    $dark = make_term('download_category', 'Dark', ['parent' => $themes]);
    $empty = make_term('download_category', 'CNRY empty');
    $kit = make_download('Invoice Kit', [$themes], ['edd_price' => '29.00', 'edd_download_files' => [['name' => 'CNRY_file', 'file' => 'https://shop.example/CNRY.zip']]], ['post_content' => 'Writes invoices.']);
    make_download('Größen-Übersicht', [$themes, $dark], ['edd_price' => '1234.5']);
    make_download('日本語の本', [$dark], ['edd_price' => '7']);
    make_download('Free Icons', [$dark], ['edd_price' => '0.00']);
    make_download('Form Kit', [$themes], variable(['Single' => '39.5', 'Extended "all" sites' => '199.00']));
    make_download('Priced by size', [$themes], variable(['amount' => '15', 'name; "amount"' => '9.99']) + ['edd_price' => '99']);
    make_download('Both kits', [$themes], ['edd_price' => '50.00', '_edd_product_type' => 'bundle', '_edd_bundled_products' => [$kit], 'edd_product_notes' => 'CNRY note']);
    make_download('No category', [], ['edd_price' => '5.00']);
    make_download('Without a price', [$themes], []);
    make_download('One at a time', [$themes], ['edd_price' => '8', '_edd_hide_purchase_link' => 1, '_edd_button_behavior' => 'direct']);
    foreach (HIDDEN as $state => $post) {
        make_download("CNRY $state", [$themes], ['edd_price' => '1.00'], $post + ['post_content' => "CNRY $state"]);
        make_post($post + ['post_title' => "CNRY $state post", 'post_content' => 'CNRY']);
    }
    wp_trash_post(make_download('CNRY trashed', [$empty], ['edd_price' => '1.00']));
    make_post(['post_title' => 'We are open', 'post_content' => 'Come in.']);
    make_review($kit, '1', 'Ada', 'Does it.');
    make_review($kit, '0', 'CNRY held', 'CNRY held');
    make_review($kit, 'spam', 'CNRY spam', 'CNRY spam');

    $customer = edd_add_customer(['name' => 'CNRY customer', 'email' => 'cnry.customer@canary.example']);
    $order = edd_add_order(['status' => 'complete', 'customer_id' => $customer, 'email' => 'cnry.customer@canary.example', 'total' => 29, 'ip' => '127.0.0.1', 'currency' => 'EUR']);
    edd_add_order_item(['order_id' => $order, 'product_id' => $kit, 'product_name' => 'CNRY item', 'status' => 'complete', 'amount' => 29, 'total' => 29, 'quantity' => 1]);
    edd_add_note(['object_id' => $order, 'object_type' => 'order', 'content' => 'CNRY order note']);
    edd_add_discount(['name' => 'CNRY discount', 'code' => 'CNRYCODE', 'status' => 'active', 'type' => 'percent', 'amount' => 10]);
}

function shown(): void
{
    $products = [];
    foreach (get_posts(['post_type' => 'download', 'numberposts' => -1, 'has_password' => false, 'orderby' => 'ID', 'order' => 'ASC']) as $post) {
        $has_prices = edd_has_variable_prices($post->ID);
        $products[] = [
            'id' => $post->ID,
            'title' => html_entity_decode(get_the_title($post)),
            'url' => get_permalink($post),
            'price' => (float) ($has_prices ? edd_get_lowest_price_option($post->ID) : edd_get_download_price($post->ID)),
            'categories' => wp_get_object_terms($post->ID, 'download_category', ['fields' => 'slugs']),
        ];
    }
    $GLOBALS['wp_query']->set('number', 99);
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'edd' => EDD_VERSION, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => edd_get_currency(),
        'api' => array_map(fn ($each) => $each['info']['title'], EDD()->api->get_products(['number' => 99])['products']),
        'products' => $products,
        'categories' => array_map(fn ($term) => ['slug' => $term->slug, 'name' => html_entity_decode($term->name), 'url' => get_term_link($term)], array_values(get_terms(['taxonomy' => 'download_category', 'hide_empty' => true]))),
        'posts' => array_map(fn ($post) => ['title' => $post->post_title, 'url' => get_permalink($post)], get_posts(['numberposts' => -1, 'has_password' => false])),
    ]);
}

$step === 'make' ? make() : shown();
