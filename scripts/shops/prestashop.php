<?php
/**
 * PrestaShop, installed in the folder $PRESTASHOP: `make` fills it through its own classes, `shown` prints what visitors see.
 */
error_reporting(E_ERROR);
require getenv('PRESTASHOP') . '/config/config.inc.php';
$context = Context::getContext();
$context->employee = new Employee(1);
$context->currency = Currency::getDefaultCurrency();
$lang = (int) Configuration::get('PS_LANG_DEFAULT');

function make_category(string $name, int $parent, array $more = []): int
{
    $category = new Category();
    $category->name = $category->link_rewrite = [];
    $category->name[$GLOBALS['lang']] = $name;
    $category->link_rewrite[$GLOBALS['lang']] = Tools::str2url($name);
    $category->id_parent = $parent;
    $category->active = true;
    foreach ($more as $key => $value) {
        $category->$key = $value;
    }
    $category->add();
    return (int) $category->id;
}

function make_product(string $name, array $categories, float $price, array $more = []): int
{
    $product = new Product();
    $product->name = [$GLOBALS['lang'] => $name];
    $product->link_rewrite = [$GLOBALS['lang'] => Tools::str2url($name)];
    $product->description = [$GLOBALS['lang'] => $name];
    $product->price = $price;
    $product->wholesale_price = 7919.12;
    $product->reference = 'CNRY';
    $product->id_category_default = $categories[0];
    $product->id_tax_rules_group = 0;
    $product->active = true;
    foreach ($more as $key => $value) {
        $product->$key = $value;
    }
    $product->add();
    $product->addToCategories($categories);
    return (int) $product->id;
}

function make_sale(int $product, float $reduction, string $type, array $more = []): void
{
    $sale = new SpecificPrice();
    foreach ($more + [
        'id_product' => $product, 'id_shop' => 0, 'id_currency' => 0, 'id_country' => 0, 'id_group' => 0, 'id_customer' => 0,
        'price' => -1, 'from_quantity' => 1, 'reduction' => $reduction, 'reduction_type' => $type, 'reduction_tax' => 0,
        'from' => '0000-00-00 00:00:00', 'to' => '0000-00-00 00:00:00',
    ] as $key => $value) {
        $sale->$key = $value;
    }
    $sale->add();
}

function make_combination(int $product, float $price, array $more = []): int
{
    $combination = new Combination();
    foreach ($more + ['id_product' => $product, 'price' => $price, 'minimal_quantity' => 1, 'reference' => 'CNRY'] as $key => $value) {
        $combination->$key = $value;
    }
    $combination->add();
    return (int) $combination->id;
}

function make(): void
{
    // What is there: demo products, or those of an earlier version.
    foreach (Product::getProducts($GLOBALS['lang'], 0, 1000, 'id_product', 'ASC') as ['id_product' => $id]) {
        (new Product((int) $id))->delete();
    }
    foreach (Category::getSimpleCategories($GLOBALS['lang']) as ['id_category' => $id]) {
        if ((int) $id > (int) Configuration::get('PS_HOME_CATEGORY')) {
            (new Category((int) $id))->delete();
        }
    }
    foreach (['specific_price', 'product_comment'] as $table) {
        Db::getInstance()->delete($table);
    }
    $home = (int) Configuration::get('PS_HOME_CATEGORY');
    $tools = make_category('Tools and Parts', $home);
    $small = make_category('Small', $tools);
    $off = make_category('CNRY off', $home, ['active' => false]);
    $members = make_category('CNRY members', $home, ['groupBox' => [3]]);
    $hammer = make_product('Hammer', [$tools], 19.99);
    make_product('Größen-Übersicht', [$small, $tools], 1234.5);
    make_product('Free sample', [$small], 0);
    make_sale(make_product('Fifth off', [$tools], 20), 0.2, 'percentage');
    make_sale(make_product('Five off for years', [$tools], 20), 5, 'amount', ['from' => '2020-01-01 00:00:00', 'to' => '2098-01-01 00:00:00']);
    make_sale(make_product('Sale to come', [$tools], 20), 5, 'amount', ['from' => '2098-01-01 00:00:00']);
    make_sale(make_product('Sale is over', [$tools], 20), 5, 'amount', ['to' => '2020-01-01 00:00:00']);
    make_sale(make_product('Cheaper for friends', [$tools], 20), 5, 'amount', ['id_group' => 3]);
    make_sale(make_product('Cheaper by the dozen', [$tools], 20), 5, 'amount', ['from_quantity' => 12]);
    make_product('In the first category', [$home], 5);
    make_product('In a category that is off', [$off], 6);
    make_product('For members', [$members], 6);
    make_product('Price not shown', [$tools], 6, ['available_for_order' => false, 'show_price' => false]);
    make_product('In the catalog alone', [$tools], 4, ['visibility' => 'catalog']);
    make_product('In the search alone', [$tools], 4, ['visibility' => 'search']);
    make_product('CNRY nowhere', [$tools], 4, ['visibility' => 'none']);
    make_product('CNRY off', [$tools], 4, ['active' => false]);
    (new Product(make_product('CNRY deleted', [$tools], 4)))->delete();
    // Specific prices: of each scope, and which of several counts.
    $here = (int) Configuration::get('PS_COUNTRY_DEFAULT');
    $euro = (int) Configuration::get('PS_CURRENCY_DEFAULT');
    $visitors = (int) Configuration::get('PS_UNIDENTIFIED_GROUP');
    $several = function (string $name, array ...$sales) use ($tools): int {
        $product = make_product($name, [$tools], 20);
        foreach ($sales as [$reduction, $type, $more]) {
            make_sale($product, $reduction, $type, $more);
        }
        return $product;
    };
    $day = fn (string $when) => (new DateTimeImmutable($when, new DateTimeZone(Configuration::get('PS_TIMEZONE'))))->format('Y-m-d H:i:s');
    $several('In the shop\'s country', [4, 'amount', ['id_country' => $here]]);
    $several('In another country', [4, 'amount', ['id_country' => 21]]);
    $several('In the currency', [4, 'amount', ['id_currency' => $euro]]);
    $several('In another currency', [4, 'amount', ['id_currency' => 99]]);
    $several('In the shop', [4, 'amount', ['id_shop' => 1]]);
    $several('In another shop', [4, 'amount', ['id_shop' => 9]]);
    $several('For visitors', [4, 'amount', ['id_group' => $visitors]]);
    $several('For a customer', [4, 'amount', ['id_customer' => 77]]);
    $several('For visitors and for all', [3, 'amount', ['id_group' => $visitors]], [9, 'amount', []]);
    $several('In the country and for visitors', [3, 'amount', ['id_country' => $here]], [5, 'amount', ['id_group' => $visitors]]);
    $several('In the country and for all', [3, 'amount', ['id_country' => $here]], [9, 'amount', []]);
    $several('In the currency and in the country', [3, 'amount', ['id_currency' => $euro]], [5, 'amount', ['id_country' => $here]]);
    $several('In the country and in the shop', [3, 'amount', ['id_country' => $here]], [5, 'amount', ['id_shop' => 1]]);
    $several('From three pieces', [4, 'amount', ['from_quantity' => 3]]);
    $several('With a price', [0, 'amount', ['price' => 12]]);
    $several('With a price and a share', [0.25, 'percentage', ['price' => 12]]);
    $several('With a higher price', [0, 'amount', ['price' => 30]]);
    $several('More off than it costs', [30, 'amount', []]);
    $several('Since this morning', [4, 'amount', ['from' => $day('today')]]);
    $several('Until tomorrow', [4, 'amount', ['to' => $day('tomorrow')]]);
    $several('Until this morning', [4, 'amount', ['to' => $day('today')]]);
    $several('From tomorrow', [4, 'amount', ['from' => $day('tomorrow')]]);
    $several('Two that end', [3, 'amount', ['to' => '2097-01-01 00:00:00']], [5, 'amount', ['to' => '2098-01-01 00:00:00']]);
    // With tax, an ecotax, and combinations.
    make_sale(make_product('With tax', [$tools], 20, ['id_tax_rules_group' => 1]), 6.15, 'amount', ['reduction_tax' => 1]);
    make_product('With an ecotax', [$tools], 20, ['ecotax' => 2]);
    $sizes = make_product('In sizes', [$tools], 20);
    make_combination($sizes, 7);
    make_combination($sizes, 5, ['default_on' => 1]);
    $reduced = make_product('In sizes, one reduced', [$tools], 20);
    $first = make_combination($reduced, 5, ['default_on' => 1]);
    $second = make_combination($reduced, 9);
    make_sale($reduced, 10, 'amount', ['id_product_attribute' => $first]);
    make_sale($reduced, 12, 'amount', ['id_product_attribute' => $second]);
    $priced = make_product('In sizes, one with a price', [$tools], 20);
    make_sale($priced, 0, 'amount', ['price' => 12, 'id_product_attribute' => make_combination($priced, 5, ['default_on' => 1])]);
    make_combination($priced, 9);
    foreach ([$sizes, $reduced, $priced] as $id) {
        Product::updateDefaultAttribute($id);
    }
    // Kinds, stock and names.
    make_product('A file', [$small], 8, ['is_virtual' => true]);
    $part = make_product('Part of a pack', [$small], 3);
    $pack = make_product('A pack', [$small], 5, ['product_type' => 'pack', 'cache_is_pack' => 1]);
    Pack::addItem($pack, $part, 2);
    make_product('Sold out', [$tools], 4, ['out_of_stock' => 0]);
    make_product('Only online', [$tools], 4, ['online_only' => true]);
    make_product('To be ordered, no price', [$tools], 4, ['available_for_order' => true, 'show_price' => false]);
    make_product('Not to be ordered, with a price', [$tools], 4, ['available_for_order' => false, 'show_price' => true]);
    make_product('In one that is off and another', [$off, $small], 6);
    make_product('Below one that is off', [make_category('CNRY below one that is off', $off)], 6);
    make_product('Three digits', [$tools], 10.125);
    make_product('A "quoted" & marked name', [$tools], 4);
    $customer = new Customer();
    $customer->email = 'cnry.customer@canary.example';
    $customer->firstname = $customer->lastname = 'Cnry';
    $customer->passwd = Tools::hash('CNRYpassword');
    $customer->add();
    $rule = new CartRule();
    $rule->name = [$GLOBALS['lang'] => 'CNRY rule'];
    $rule->code = 'CNRYCODE';
    $rule->date_from = '2020-01-01 00:00:00';
    $rule->date_to = '2098-01-01 00:00:00';
    $rule->add();
    foreach (['Hits the nail.' => 1, 'CNRY held' => 0] as $text => $validate) {
        Db::getInstance()->insert('product_comment', [
            'id_product' => $hammer, 'id_customer' => 0, 'id_guest' => 7919001, 'title' => $text, 'content' => $text,
            'customer_name' => 'Ada', 'grade' => 4, 'validate' => $validate, 'deleted' => 0, 'date_add' => date('Y-m-d H:i:s'),
        ]);
    }
}

function shown(): void
{
    global $context, $lang;
    $link = $context->link;
    $products = [];
    foreach (Product::getProducts($lang, 0, 100, 'id_product', 'ASC', false, true) as ['id_product' => $id, 'name' => $name]) {
        $product = new Product($id, false, $lang);
        if ($product->visibility === 'none') {
            continue;
        }
        $names = array_map(fn ($category) => (new Category($category, $lang)), $product->getCategories());
        $products[] = [
            'id' => (int) $id,
            'title' => $name,
            'url' => $link->getProductLink($product),
            'price' => Product::getPriceStatic($id, false, null, 2),
            'regular' => Product::getPriceStatic($id, false, null, 2, null, false, false),
            'categories' => array_values(array_map(fn ($category) => $category->link_rewrite, $names)),
        ];
    }
    $categories = [];
    $walk = function (array $nodes) use (&$walk, &$categories) {
        foreach ($nodes as $node) {
            $categories[] = $node;
            $walk($node['children'] ?? []);
        }
    };
    $home = (int) Configuration::get('PS_HOME_CATEGORY');
    $walk(Category::getNestedCategories($home, $lang, true, [(int) Configuration::get('PS_UNIDENTIFIED_GROUP')])[$home]['children']);
    echo json_encode([
        'made' => ['prestashop' => _PS_VERSION_, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => $context->currency->iso_code,
        'api' => array_map(fn ($each) => $each['title'], $products),
        'products' => $products,
        'categories' => array_map(fn ($each) => [
            'slug' => $each['link_rewrite'],
            'name' => $each['name'],
            'url' => $link->getCategoryLink($each['id_category']),
        ], $categories),
    ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

$argv[1] === 'make' ? make() : shown();
