<?php
/**
 * OpenCart, installed in the folder $OPENCART for the address $OPENCART_URL: `make` replaces its demo products through the models of
 * its administration, `shown` prints what its pages show visitors.
 */
error_reporting(E_ALL & ~E_DEPRECATED);
chdir(getenv('OPENCART') . '/admin');
require 'config.php';
require DIR_SYSTEM . 'startup.php';
set_error_handler(fn ($code, $message, $file, $line) => error_reporting() & $code ? throw new ErrorException("$message ($file:$line)") : false);

const VISITORS = 1;
const FOREVER = '0000-00-00';

$autoloader = new \Opencart\System\Engine\Autoloader();
$autoloader->register('Opencart\\' . APPLICATION, DIR_APPLICATION);
$autoloader->register('Opencart\Extension', DIR_EXTENSION);
$autoloader->register('Opencart\System', DIR_SYSTEM);
$registry = new \Opencart\System\Engine\Registry();
$config = new \Opencart\System\Engine\Config();
$config->addPath(DIR_CONFIG);
$config->load('default');
$config->load('admin');
$config->set('application', APPLICATION);
$config->set('config_language_id', 1);
date_default_timezone_set('UTC');
foreach ([
    'autoloader' => $autoloader,
    'config' => $config,
    'event' => new \Opencart\System\Engine\Event($registry),
    'factory' => new \Opencart\System\Engine\Factory($registry),
    'load' => new \Opencart\System\Engine\Loader($registry),
    'request' => new \Opencart\System\Library\Request(),
    'cache' => new \Opencart\System\Library\Cache('file', 3600),
    'db' => new \Opencart\System\Library\DB(DB_DRIVER, DB_HOSTNAME, DB_USERNAME, DB_PASSWORD, DB_DATABASE, DB_PORT),
] as $name => $part) {
    $registry->set($name, $part);
}

function model(string $name): object
{
    global $registry;
    $registry->get('load')->model($name);
    return $registry->get('model_' . str_replace('/', '_', $name));
}

/** Texts are stored escaped, as the administration's forms send them. */
function escaped(string $text): string
{
    return htmlspecialchars($text, ENT_COMPAT, 'UTF-8');
}

function make_category(string $name, int $parent = 0, array $more = []): int
{
    $text = ['name' => escaped($name), 'description' => escaped("<p>$name & more.</p>"), 'meta_title' => 'CNRY', 'meta_description' => '', 'meta_keyword' => 'CNRY'];
    return model('catalog/category')->addCategory($more + [
        'image' => '', 'parent_id' => $parent, 'sort_order' => 0, 'status' => 1, 'category_description' => [1 => $text],
        'category_store' => [0], 'category_seo_url' => [],
    ]);
}

function make_product(string $name, array $categories, float $price, array $more = []): int
{
    $text = fn (string $name) => [
        'name' => escaped($name), 'description' => escaped("<p>$name.</p>"), 'tag' => '', 'meta_title' => 'CNRY', 'meta_description' => '', 'meta_keyword' => 'CNRY',
    ];
    $texts = array_map($text, $more['texts'] ?? [1 => $name, 2 => "CNRY $name"]);
    unset($more['texts']);
    return model('catalog/product')->addProduct($more + [
        'product_description' => $texts, 'master_id' => 0, 'model' => 'CNRY', 'location' => 'CNRY', 'quantity' => 791912, 'minimum' => 1,
        'subtract' => 1, 'stock_status_id' => 5, 'date_available' => '2020-01-01', 'manufacturer_id' => 0, 'shipping' => 1, 'price' => $price,
        'points' => 0, 'weight' => 0, 'weight_class_id' => 1, 'length' => 0, 'width' => 0, 'height' => 0, 'length_class_id' => 1, 'status' => 1,
        'tax_class_id' => 0, 'sort_order' => 0, 'image' => '', 'product_category' => $categories, 'product_store' => [0],
    ]);
}

/** A row of the discounts: a price (F), a share (P) or an amount that is subtracted (S). */
function discount(float $value, string $type = 'F', array $more = []): array
{
    return $more + [
        'customer_group_id' => VISITORS, 'quantity' => 1, 'priority' => 1, 'price' => $value, 'type' => $type, 'special' => 0,
        'date_start' => FOREVER, 'date_end' => FOREVER,
    ];
}

function special(float $value, string $type = 'F', array $more = []): array
{
    return discount($value, $type, $more + ['special' => 1]);
}

function make(): void
{
    global $registry;
    $db = $registry->get('db');
    foreach (model('catalog/product')->getProducts() as $product) {
        model('catalog/product')->deleteProduct((int) $product['product_id']);
    }
    foreach (array_reverse(model('catalog/category')->getCategories()) as $category) {
        model('catalog/category')->deleteCategory((int) $category['category_id']);
    }
    foreach (['config_name' => 'Ada &amp; Sons', 'config_timezone' => 'Europe/Berlin', 'config_email' => 'cnry@canary.example', 'config_meta_title' => 'CNRY'] as $key => $value) {
        model('setting/setting')->editValue('config', $key, $value);
    }
    $german = model('localisation/language')->addLanguage(['name' => 'Deutsch', 'code' => 'de-de', 'locale' => 'de-de', 'extension' => '', 'sort_order' => 2, 'status' => 1]);
    $outlet = model('setting/store')->addStore(['config_name' => 'CNRY outlet', 'config_url' => 'https://outlet.canary.example/', 'store_layout' => []]);
    $friends = model('customer/customer_group')->addCustomerGroup([
        'approval' => 0, 'sort_order' => 2, 'customer_group_description' => [1 => ['name' => 'CNRY friends', 'description' => '']],
    ]);
    $tools = make_category('Tools & Parts');
    $small = make_category('Small', $tools);
    $off = make_category('CNRY off', 0, ['status' => 0]);
    $below = make_category('CNRY below one that is off', $off);
    $other = make_category('CNRY of the outlet', 0, ['category_store' => [$outlet]]);

    // The shop compares days with its own clock.
    $today = (new DateTimeImmutable('now', new DateTimeZone('Europe/Berlin')))->format('Y-m-d');
    $with = fn (array ...$rows) => ['product_discount' => $rows];
    $hammer = make_product('Hammer <big> & "wide"', [$tools], 19.99, ['image' => 'catalog/opencart-logo.png', 'product_image' => [
        ['image' => 'catalog/cart.png', 'sort_order' => 2], ['image' => 'catalog/opencart-logo.png', 'sort_order' => 1],
    ]]);
    make_product('Größen-Übersicht', [$tools, $small], 1234.5);
    make_product('Free sample', [$small], 0);
    make_product('Ten per cent off one piece', [$tools], 10.5, $with(discount(10, 'P')));
    make_product('A lower price for one piece', [$tools], 10.5, $with(discount(9.45)));
    make_product('Two off one piece', [$tools], 10.5, $with(discount(2, 'S')));
    make_product('A higher price for one piece', [$tools], 10.5, $with(discount(12)));
    make_product('One piece for nothing', [$tools], 10.5, $with(discount(0)));
    make_product('Special', [$tools], 20, $with(special(15.5)));
    make_product('Special in per cent', [$tools], 20, $with(special(25, 'P')));
    make_product('Special by an amount', [$tools], 20, $with(special(3.3, 'S')));
    make_product('Special below a discount', [$tools], 20, $with(discount(18), special(16)));
    make_product('Special above a discount', [$tools], 20, $with(discount(14), special(16)));
    make_product('Special in per cent beside a discount', [$tools], 20, $with(discount(10), special(10, 'P')));
    make_product('Special of nothing', [$tools], 20, $with(special(0)));
    make_product('Dearer special', [$tools], 20, $with(special(25)));
    make_product('Special to come', [$tools], 20, $with(special(12, 'F', ['date_start' => '2098-01-01'])));
    make_product('Special is over', [$tools], 20, $with(special(12, 'F', ['date_end' => '2020-01-01'])));
    make_product('Special for years', [$tools], 20, $with(special(12, 'F', ['date_start' => '2020-01-01', 'date_end' => '2098-01-01'])));
    make_product('Special from today', [$tools], 20, $with(special(12, 'F', ['date_start' => $today])));
    make_product('Special to today', [$tools], 20, $with(special(12, 'F', ['date_end' => $today])));
    make_product('Discount to today', [$tools], 20, $with(discount(12, 'F', ['date_end' => $today])));
    make_product('Discount for years', [$tools], 20, $with(discount(12, 'F', ['date_start' => '2020-01-01', 'date_end' => '2098-01-01'])));
    make_product('Special by priority', [$tools], 20, $with(special(10, 'F', ['priority' => 2]), special(17)));
    make_product('Discount by priority', [$tools], 20, $with(discount(10, 'F', ['priority' => 2]), discount(17)));
    make_product('Half the price or fifteen', [$tools], 20, $with(special(50, 'P'), special(15)));
    make_product('Special for friends', [$tools], 20, $with(special(9, 'F', ['customer_group_id' => $friends]), discount(8, 'F', ['customer_group_id' => $friends])));
    make_product('Cheaper by the dozen', [$tools], 20, $with(discount(8, 'F', ['quantity' => 12])));
    make_product('Special by the dozen', [$tools], 20, $with(special(8, 'F', ['quantity' => 12])));
    make_product('With tax', [$tools], 20, ['tax_class_id' => 9]);
    make_product('Three digits', [$tools], 10.125);
    make_product('Sold out', [$tools], 4, ['quantity' => 0]);
    make_product('Three at least', [$tools], 4, ['minimum' => 3]);
    make_product('A download', [$small], 7, ['shipping' => 0]);
    make_product('Available today', [$tools], 4, ['date_available' => $today]);
    make_product('Available ever', [$tools], 4, ['date_available' => FOREVER]);
    $sized = make_product('In sizes', [$tools], 11, ['product_option' => [[
        'product_option_id' => 0, 'option_id' => 11, 'type' => 'select', 'required' => 1, 'product_option_value' => [[
            'product_option_value_id' => 0, 'option_value_id' => 46, 'quantity' => 5, 'subtract' => 0, 'price' => 5, 'price_prefix' => '+', 'points' => 0, 'points_prefix' => '+', 'weight' => 0, 'weight_prefix' => '+',
        ]],
    ]]]);
    model('catalog/product')->addVariant($sized, [
        'model' => 'CNRY', 'location' => '', 'quantity' => 3, 'minimum' => 1, 'subtract' => 0, 'stock_status_id' => 5, 'date_available' => '2020-01-01',
        'manufacturer_id' => 0, 'shipping' => 1, 'price' => 13, 'points' => 0, 'weight' => 0, 'weight_class_id' => 1, 'length' => 0, 'width' => 0,
        'height' => 0, 'length_class_id' => 1, 'status' => 1, 'tax_class_id' => 0, 'sort_order' => 0, 'image' => '', 'variant' => [], 'master_id' => $sized,
        'product_description' => [1 => ['name' => 'In size small', 'description' => '', 'tag' => '', 'meta_title' => 'x', 'meta_description' => '', 'meta_keyword' => '']],
        'override' => ['price' => 1, 'product_description' => [1 => ['name' => 1]], 'model' => 1],
    ]);
    make_product('Without a category', [], 5);
    make_product('In a category that is off', [$off], 6);
    make_product('In one below it', [$below], 6);
    make_product('In a category of the outlet', [$other], 6);
    make_product('In one that is off and another', [$off, $small], 6);
    make_product('CNRY off', [$tools], 4, ['status' => 0]);
    make_product('CNRY of the outlet', [$other], 4, ['product_store' => [$outlet]]);
    make_product('CNRY to come', [$tools], 4, ['date_available' => '2098-01-01']);
    make_product('CNRY in German alone', [$tools], 4, ['texts' => [2 => 'CNRY']]);
    model('catalog/product')->deleteProduct(make_product('CNRY deleted', [$tools], 4));
    foreach ([['Hits the nail.', 4, 1], ['CNRY held', 1, 0]] as [$text, $stars, $status]) {
        model('catalog/review')->addReview([
            'author' => 'Ada', 'product_id' => $hammer, 'text' => $text, 'rating' => $stars, 'status' => $status, 'date_added' => '2026-03-01 12:00:00',
        ]);
    }
    $customer = ['customer_group_id' => VISITORS, 'store_id' => 0, 'language_id' => 1, 'firstname' => 'CNRY', 'lastname' => 'CNRY',
        'email' => 'cnry.customer@canary.example', 'telephone' => '7919120', 'password' => 'CNRYpassword', 'newsletter' => 0, 'status' => 1, 'safe' => 0, 'commenter' => 0];
    model('customer/customer')->addCustomer($customer);
    $db->query("UPDATE `" . DB_PREFIX . "user` SET `email` = 'cnry@canary.example', `firstname` = 'CNRY', `lastname` = 'CNRY'");
}

function page(string $query): string
{
    return file_get_contents(getenv('OPENCART_URL') . "index.php?$query", false, stream_context_create(['http' => ['ignore_errors' => true]]));
}

function amount(?string $text): ?float
{
    return $text === null ? null : (float) preg_replace('/[^0-9.]/', '', $text);
}

function all(string $pattern, string $html): array
{
    return preg_match_all($pattern, $html, $found) ? array_map(fn ($each) => html_entity_decode(trim($each), ENT_QUOTES), $found[1]) : [];
}

/** The search and each product's page; prices without tax, as the page gives them beside those with tax. */
function shown(): void
{
    global $registry;
    $db = $registry->get('db');
    $listed = page('route=product/search&search=%25&limit=100&sort=p.date_added');
    $titles = all('~<h4><a [^>]*>(.*?)</a></h4>~s', $listed);
    $products = [];
    for ($id = 1; $id <= 200; $id++) {
        $html = page("route=product/product&product_id=$id");
        $title = all('~<h1>(.*?)</h1>~s', $html)[0] ?? '';
        if (!str_contains($html, 'name="product_id"') && !str_contains($html, 'id="form-product"')) {
            continue;
        }
        $old = all('~class="price-old">(.*?)</span>~s', $html)[0] ?? null;
        $new = all('~class="price-new">(.*?)</span>~s', $html)[0] ?? null;
        $net = all('~<li>Ex Tax:\s*(.*?)</li>~s', $html)[0] ?? null;
        $categories = $db->query("SELECT `category_id` FROM `" . DB_PREFIX . "product_to_category` WHERE `product_id` = '$id'")->rows;
        $products[] = [
            'id' => $id,
            'title' => $title,
            'url' => "/index.php?route=product/product&product_id=$id",
            'price' => amount($net ?? $new),
            // A special price may be higher than the one before.
            'regular' => max(amount($net ?? $new), amount($old) ?? 0),
            'categories' => array_map(fn ($each) => "c$each[category_id]", $categories),
        ];
    }
    $categories = [];
    foreach (array_unique(all('~route=product/category[^"]*?path=([0-9_]+)"~', page('route=information/sitemap'))) as $path) {
        $id = (int) array_reverse(explode('_', $path))[0];
        $name = all('~<h1>(.*?)</h1>~s', page("route=product/category&path=$id"))[0];
        $categories[] = ['slug' => "c$id", 'name' => $name, 'url' => "/index.php?route=product/category&path=$id"];
    }
    echo json_encode([
        'made' => ['opencart' => preg_match("/'VERSION', '([^']+)'/", file_get_contents('../index.php'), $found) ? $found[1] : '', 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => $db->query("SELECT `value` FROM `" . DB_PREFIX . "setting` WHERE `key` = 'config_currency'")->row['value'],
        'api' => $titles,
        'products' => $products,
        'categories' => $categories,
    ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

$argv[1] === 'make' ? make() : shown();
