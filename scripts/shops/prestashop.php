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

function make(): void
{
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
    $home = (int) Configuration::get('PS_HOME_CATEGORY');
    $categories = array_filter(Category::getSimpleCategories($lang), function ($each) use ($home) {
        $category = new Category($each['id_category']);
        return (int) $each['id_category'] !== $home && $category->active && $category->checkAccess(0);
    });
    echo json_encode([
        'made' => ['prestashop' => _PS_VERSION_, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => $context->currency->iso_code,
        'api' => array_map(fn ($each) => $each['title'], $products),
        'products' => $products,
        'categories' => array_values(array_map(fn ($each) => [
            'slug' => (new Category($each['id_category'], $lang))->link_rewrite,
            'name' => $each['name'],
            'url' => $link->getCategoryLink($each['id_category']),
        ], $categories)),
    ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

$argv[1] === 'make' ? make() : shown();
