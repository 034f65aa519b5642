<?php
/** What the scripts for Easy Digital Downloads share. */
require __DIR__ . '/wordpress.php';

function make_download(string $title, array $categories, array $meta, array $post = []): int
{
    $id = make_post($post + ['post_type' => 'download', 'post_title' => $title], $meta);
    wp_set_object_terms($id, $categories, 'download_category');
    return $id;
}

function variable(array $prices): array
{
    $variants = [];
    foreach ($prices as $name => $amount) {
        $variants[] = ['index' => count($variants), 'name' => $name, 'amount' => $amount, 'license_limit' => 5];
    }
    return ['_variable_pricing' => 1, 'edd_variable_prices' => $variants];
}
