<?php
/** What the scripts for WooCommerce share: making products and reviews, and asking the Store API as a visitor does. */
require __DIR__ . '/wordpress.php';

/** Saves a product as its data editor does; returns its id. */
function make_product(string $title, array $categories, array $props, string $class = WC_Product_Simple::class): int
{
    $product = new $class();
    $product->set_props($props + ['name' => $title, 'status' => 'publish', 'category_ids' => $categories, 'description' => $title]);
    return $product->save();
}

function make_variable(string $title, array $categories, array $variants, array $props = []): int
{
    $size = new WC_Product_Attribute();
    $size->set_name('Size');
    $size->set_options(array_keys($variants));
    $size->set_variation(true);
    $size->set_visible(true);
    $id = make_product($title, $categories, $props + ['attributes' => [$size]], WC_Product_Variable::class);
    foreach ($variants as $name => $variant) {
        make_product('', [], $variant + ['parent_id' => $id, 'attributes' => ['size' => $name]], WC_Product_Variation::class);
    }
    WC_Product_Variable::sync($id);
    return $id;
}

function make_review(int $id, string $status, string $author, string $text, string $rating = '4'): void
{
    $comment = wp_insert_comment([
        'comment_post_ID' => $id, 'comment_type' => 'review', 'comment_approved' => $status,
        'comment_author' => $author, 'comment_author_email' => 'cnry.reviewer@canary.example', 'comment_content' => $text,
    ]);
    update_comment_meta($comment, 'rating', $rating);
}

/** All pages of an answer of the Store API. */
function ask(string $path, array $params = []): array
{
    $found = [];
    for ($page = 1; $page < 10; $page++) {
        $request = new WP_REST_Request('GET', "/wc/store/v1/$path");
        $request->set_query_params($params + ['per_page' => 100, 'page' => $page, 'orderby' => $path === 'products' ? 'id' : 'name']);
        $data = json_decode(json_encode(rest_do_request($request)->get_data()), true);
        $found = array_merge($found, $data);
        if (count($data) < 100) {
            break;
        }
    }
    return $found;
}

function price(array $prices, string $key): float
{
    return (int) $prices[$key] / 10 ** $prices['currency_minor_unit'];
}
