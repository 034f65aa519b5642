<?php
/** WooCommerce beside Polylang: `make` fills the shop, `shown` prints what the lists of each language show a visitor. */
// Before there are languages, Polylang is there in its administration alone.
define('PLL_ADMIN', ($argv[1] ?? '') === 'make');
require __DIR__ . '/woocommerce-tools.php';

function make(): void
{
    WC_Install::install();
    update_option('woocommerce_currency', 'EUR');
    $model = PLL()->model;
    foreach (['de' => 'Deutsch', 'en' => 'English', 'fr' => 'Français'] as $code => $name) {
        $model->languages->add(['name' => $name, 'slug' => $code, 'locale' => ['de' => 'de_DE', 'en' => 'en_US', 'fr' => 'fr_FR'][$code], 'rtl' => false, 'term_group' => 0]);
    }
    $options = PLL()->options;
    $options->set('post_types', ['product']);
    $options->set('taxonomies', ['product_cat']);
    // As where the visitor's language was changed after the first products: neither the first nor the smallest.
    $model->languages->update_default('en');
    $options->save_all();
    $shelf = [];
    foreach (['de' => 'Werkzeug', 'en' => 'Tools', 'fr' => 'Outils'] as $code => $name) {
        $shelf[$code] = make_term('product_cat', $name);
        pll_set_term_language($shelf[$code], $code);
    }
    pll_save_term_translations($shelf);
    $make = function (string $title, string $code, array $props = []) use ($shelf): int {
        $id = make_product($title, $code === '' ? [] : [$shelf[$code]], $props + ['regular_price' => '10']);
        if ($code !== '') {
            pll_set_post_language($id, $code);
        }
        return $id;
    };
    pll_save_post_translations(['de' => $make('Hammer auf Deutsch', 'de'), 'en' => $make('Hammer', 'en'), 'fr' => $make('Marteau', 'fr')]);
    pll_save_post_translations(['de' => $make('Zange', 'de'), 'en' => $make('CNRY draft of pliers', 'en', ['status' => 'draft'])]);
    $make('Nur deutsch', 'de');
    $make('Only in English', 'en');
    pll_save_post_translations(['de' => $make('Säge', 'de'), 'fr' => $make('Scie', 'fr')]);
    $none = $make('In no language', '');
    wp_delete_object_term_relationships($none, 'language');
}

function shown(): void
{
    $lists = [];
    foreach (pll_languages_list() as $code) {
        PLL()->curlang = PLL()->model->get_language($code);
        $query = new WP_Query(['post_type' => 'product', 'lang' => $code, 'posts_per_page' => 100, 'orderby' => 'ID', 'order' => 'ASC']);
        $lists[$code] = array_map(fn ($post) => $post->post_title, $query->posts);
    }
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'woocommerce' => WC()->version, 'polylang' => POLYLANG_VERSION, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'default' => pll_default_language(),
        'lists' => $lists,
    ]);
}

match ($step) {
    'make' => make(),
    'shown' => shown(),
};
