<?php
/**
 * Magento 1 as OpenMage maintains it, installed without demo data in the folder $MAGENTO: `make` fills it through its own models,
 * `shown` prints what visitors see.
 */
error_reporting(E_ERROR);
chdir(getenv('MAGENTO'));
set_include_path(getcwd() . PATH_SEPARATOR . get_include_path());
require 'app/bootstrap.php';
require 'app/Mage.php';

const SHOP = 'https://shop.example/';
const VISITOR = 0;

function make_category(string $name, Mage_Catalog_Model_Category $parent, array $more = []): Mage_Catalog_Model_Category
{
    $category = Mage::getModel('catalog/category');
    $category->setStoreId(0)->setPath($parent->getPath());
    $category->addData($more + [
        'name' => $name, 'is_active' => 1, 'include_in_menu' => 1, 'is_anchor' => 1, 'display_mode' => 'PRODUCTS',
        'description' => '<p>' . htmlspecialchars($name) . '.</p>', 'meta_keywords' => 'CNRY',
    ])->save();
    return $category;
}

function make_product(string $name, array $categories, ?float $price, array $more = []): Mage_Catalog_Model_Product
{
    $product = Mage::getModel('catalog/product');
    $stock = $more['stock_data'] ?? ['use_config_manage_stock' => 1, 'qty' => 12, 'is_in_stock' => $more['is_in_stock'] ?? 1];
    unset($more['is_in_stock'], $more['stock_data']);
    $product->setStoreId(0)->addData($more + [
        'type_id' => 'simple', 'attribute_set_id' => $product->getDefaultAttributeSetId(), 'website_ids' => [1],
        'sku' => 'CNRY-' . crc32($name), 'name' => $name, 'price' => $price, 'cost' => 7919.12, 'weight' => 1,
        'short_description' => '<b>' . htmlspecialchars($name) . '</b>', 'description' => '<p>' . htmlspecialchars($name) . '.</p>',
        'status' => 1, 'visibility' => 4, 'tax_class_id' => 0, 'meta_keyword' => 'CNRY',
        'category_ids' => array_map(fn ($each) => $each->getId(), $categories), 'stock_data' => $stock,
    ])->save();
    return $product;
}

function make_review(Mage_Catalog_Model_Product $product, string $text, int $stars, int $status): void
{
    $review = Mage::getModel('review/review');
    $review->addData([
        'entity_id' => $review->getEntityIdByCode('product'), 'entity_pk_value' => $product->getId(), 'status_id' => $status,
        'title' => $text, 'detail' => $text, 'nickname' => 'Ada', 'store_id' => 1, 'stores' => [1],
    ])->save();
    $option = Mage::getModel('rating/rating_option')->getCollection()->addRatingFilter(1)->addFieldToFilter('value', $stars)->getFirstItem();
    Mage::getModel('rating/rating')->setRatingId(1)->setReviewId($review->getId())->addOptionVote($option->getId(), $product->getId());
    $review->aggregate();
}

/** A bundle of one of two parts: the first one for nothing more, the second one for 2.5 more, if the bundle has a price. */
function make_bundle(string $name, array $categories, ?float $price, array $parts, array $more): void
{
    $bundle = make_product($name, $categories, $price, $more + ['type_id' => 'bundle', 'price_view' => 0, 'sku_type' => 1, 'weight_type' => 1, 'shipment_type' => 0]);
    Mage::unregister('product');
    Mage::register('product', $bundle);
    $bundle = Mage::getModel('catalog/product')->setStoreId(0)->load($bundle->getId());
    $bundle->setCanSaveConfigurableAttributes(false)->setCanSaveCustomOptions(true)->setCanSaveBundleSelections(true)->setAffectBundleProductSelections(true);
    $bundle->setBundleOptionsData([['title' => 'Part', 'type' => 'select', 'required' => 1, 'position' => 0, 'delete' => '', 'option_id' => '']]);
    $bundle->setBundleSelectionsData([array_map(fn ($part, $place) => [
        'product_id' => $part->getId(), 'selection_qty' => 1, 'selection_can_change_qty' => 1, 'position' => $place, 'is_default' => 0,
        'selection_price_type' => 0, 'selection_price_value' => 2.5 * $place, 'delete' => '', 'selection_id' => '', 'option_id' => '',
    ], $parts, array_keys($parts))]);
    $bundle->save();
    Mage::unregister('product');
}

/** A product in colours, each of which costs more by an amount. */
function make_configurable(string $name, array $categories, float $price, array $colours): void
{
    $colour = Mage::getModel('catalog/resource_eav_attribute')->loadByCode('catalog_product', 'color');
    $setup = new Mage_Catalog_Model_Resource_Setup('core_setup');
    $setup->addAttributeToSet('catalog_product', 'Default', 'General', 'color');
    $colour->setIsConfigurable(1)->setIsGlobal(1)->setApplyTo('')->save();
    $setup->addAttributeOption(['attribute_id' => $colour->getId(), 'value' => array_map(fn ($each) => [0 => $each], array_combine(array_keys($colours), array_keys($colours)))]);
    Mage::getSingleton('eav/config')->clear();
    $ids = array_column(Mage::getResourceModel('eav/entity_attribute_option_collection')->setAttributeFilter($colour->getId())->setStoreFilter(0)->toOptionArray(), 'value', 'label');
    $values = [];
    $parts = [];
    foreach ($colours as $label => $more) {
        $part = make_product("CNRY $name $label", [], $price + 100, ['visibility' => 1, 'color' => $ids[$label]]);
        $values[] = ['value_index' => $ids[$label], 'label' => $label, 'is_percent' => 0, 'pricing_value' => $more, 'attribute_id' => $colour->getId()];
        $parts[$part->getId()] = [end($values)];
    }
    make_product($name, $categories, $price, [
        'type_id' => 'configurable', 'configurable_products_data' => $parts, 'can_save_configurable_attributes' => true,
        'configurable_attributes_data' => [['attribute_id' => $colour->getId(), 'attribute_code' => 'color', 'label' => 'Colour', 'position' => 0, 'values' => $values, 'use_default' => 1]],
    ]);
}

function make_rule(Mage_Catalog_Model_Product $product, string $action, float $amount, array $more = []): void
{
    Mage::getModel('catalogrule/rule')->loadPost($more + [
        'name' => 'CNRY rule', 'is_active' => 1, 'website_ids' => [1], 'customer_group_ids' => [VISITOR],
        'simple_action' => $action, 'discount_amount' => $amount, 'stop_rules_processing' => 0,
        'conditions' => [
            '1' => ['type' => 'catalogrule/rule_condition_combine', 'aggregator' => 'all', 'value' => '1', 'new_child' => ''],
            '1--1' => ['type' => 'catalogrule/rule_condition_product', 'attribute' => 'sku', 'operator' => '==', 'value' => $product->getSku()],
        ],
    ])->save();
}

function make(): void
{
    Mage::app('admin');
    foreach (['web/unsecure/base_url', 'web/secure/base_url'] as $path) {
        Mage::getConfig()->saveConfig($path, SHOP);
    }
    Mage::getConfig()->saveConfig('general/store_information/name', 'Ada & Sons');
    Mage::getConfig()->saveConfig('sales/msrp/enabled', '1');
    Mage::getConfig()->saveConfig('trans_email/ident_general/email', 'cnry@canary.example');
    Mage::getConfig()->reinit();
    Mage::app()->reinitStores();
    $root = Mage::getModel('catalog/category')->load(2);
    $tools = make_category('Tools & Parts', $root);
    $small = make_category('Small', $tools);
    $off = make_category('CNRY off', $root, ['is_active' => 0]);
    $below = make_category('CNRY below one that is off', $off);

    $hammer = make_product('Hammer <big>', [$tools], 19.99);
    $picture = Mage::getBaseDir('var') . '/hammer.png';
    imagepng(imagecreatetruecolor(4, 3), $picture);
    $hammer = Mage::getModel('catalog/product')->load($hammer->getId());
    $hammer->addImageToMediaGallery($picture, ['image', 'small_image'], false, false)->save();
    make_product('Größen-Übersicht', [$tools, $small], 1234.5);
    make_product('Free sample', [$small], 0);
    make_product('On sale', [$tools], 20, ['special_price' => 15.5, 'special_from_date' => '2020-01-01']);
    make_product('On sale for years', [$tools], 20, ['special_price' => 14, 'special_from_date' => '2020-01-01', 'special_to_date' => '2098-01-01']);
    make_product('Sale to come', [$tools], 20, ['special_price' => 12, 'special_from_date' => '2098-01-01']);
    make_product('Sale is over', [$tools], 20, ['special_price' => 11, 'special_from_date' => '2019-01-01', 'special_to_date' => '2020-01-01']);
    make_product('Dearer special price', [$tools], 20, ['special_price' => 25, 'special_from_date' => '2020-01-01']);
    make_product('Cheaper for friends', [$tools], 20, ['group_price' => [['website_id' => 0, 'cust_group' => 2, 'price' => 9]]]);
    make_product('Cheaper for visitors', [$tools], 20, ['group_price' => [['website_id' => 0, 'cust_group' => VISITOR, 'price' => 18]]]);
    make_product('Cheaper by the dozen', [$tools], 20, ['tier_price' => [['website_id' => 0, 'cust_group' => 32000, 'price_qty' => 12, 'price' => 8]]]);
    $byRule = make_product('Cheaper by a rule', [$tools], 20);
    make_product('Without a category', [], 5);
    make_product('In the first category', [$root], 5);
    make_product('In a category that is off', [$off], 6);
    make_product('In one below it', [$below], 6);
    make_product('In the catalog alone', [$tools], 4, ['visibility' => 2]);
    make_product('In the search alone', [$tools], 4, ['visibility' => 3]);
    make_product('CNRY out of stock', [$tools], 4, ['is_in_stock' => 0]);
    make_product('CNRY not visible', [$tools], 4, ['visibility' => 1]);
    make_product('CNRY off', [$tools], 4, ['status' => 2]);
    make_product('CNRY in no website', [$tools], 4, ['website_ids' => []]);
    make_product('CNRY deleted', [$tools], 4)->delete();
    make_product('A download', [$small], 7, ['type_id' => 'virtual']);
    $offHere = make_product('CNRY off in this store', [$tools], 4);
    Mage::getSingleton('catalog/product_action')->updateAttributes([$offHere->getId()], ['status' => 2], 1);
    $renamed = make_product('CNRY name of another store', [$tools], 4, ['url_key' => 'another-name', 'description' => 'Plain.', 'short_description' => '']);
    Mage::getSingleton('catalog/product_action')->updateAttributes([$renamed->getId()], ['name' => 'Name of this store'], 1);
    $part = make_product('CNRY part', [], 3, ['visibility' => 1]);
    $other = make_product('CNRY other part', [], 2.5, ['visibility' => 1]);
    make_product('Two parts', [$small], null, [
        'type_id' => 'grouped', 'grouped_link_data' => [$part->getId() => ['qty' => 1], $other->getId() => ['qty' => 1]],
    ]);
    // Sales by the day, in the store's time zone.
    $day = fn (string $when) => (new DateTimeImmutable($when, new DateTimeZone('Europe/Berlin')))->format('Y-m-d');
    make_product('Special to today', [$tools], 20, ['special_price' => 13, 'special_from_date' => '2020-01-01', 'special_to_date' => $day('today')]);
    make_product('Special to yesterday', [$tools], 20, ['special_price' => 13, 'special_from_date' => '2020-01-01', 'special_to_date' => $day('yesterday')]);
    make_product('Special from today', [$tools], 20, ['special_price' => 13, 'special_from_date' => $day('today')]);
    make_product('Special from tomorrow', [$tools], 20, ['special_price' => 13, 'special_from_date' => $day('tomorrow')]);
    make_product('Special of nothing', [$tools], 20, ['special_price' => 0, 'special_from_date' => '2020-01-01']);
    $both = fn (float $visitors, float $all) => [
        ['website_id' => 0, 'cust_group' => VISITOR, 'price_qty' => 1, 'price' => $visitors], ['website_id' => 0, 'cust_group' => 32000, 'price_qty' => 1, 'price' => $all],
    ];
    make_product('One piece cheaper', [$tools], 20, ['tier_price' => [['website_id' => 0, 'cust_group' => 32000, 'price_qty' => 1, 'price' => 16]]]);
    make_product('One piece cheaper for visitors than for all', [$tools], 20, ['tier_price' => $both(15, 17)]);
    make_product('One piece cheaper for all than for visitors', [$tools], 20, ['tier_price' => $both(17, 15)]);
    make_product('One piece cheaper for all, then for visitors', [$tools], 20, ['tier_price' => array_reverse($both(17, 15))]);
    make_product('Half a piece cheaper', [$tools], 20, ['tier_price' => [['website_id' => 0, 'cust_group' => 32000, 'price_qty' => 0.5, 'price' => 12]]]);
    make_product('One piece dearer', [$tools], 20, ['tier_price' => [['website_id' => 0, 'cust_group' => 32000, 'price_qty' => 1, 'price' => 22]]]);
    make_product('Special beside a lower group price', [$tools], 20, [
        'special_price' => 16, 'special_from_date' => '2020-01-01', 'group_price' => [['website_id' => 0, 'cust_group' => VISITOR, 'price' => 14]],
    ]);
    $toFixed = make_product('Fixed by a rule', [$tools], 20, ['special_price' => 19, 'special_from_date' => '2020-01-01']);
    $today = make_product('A rule of today', [$tools], 20);
    $later = make_product('A rule to come', [$tools], 20);
    $friends = make_product('A rule for friends', [$tools], 20);
    make_product('Price shown on a click', [$tools], 20, ['msrp' => 30, 'msrp_enabled' => 1, 'msrp_display_actual_price_type' => 1]);
    make_product('Price shown in the cart', [$tools], 20, ['msrp' => 30, 'msrp_enabled' => 1, 'msrp_display_actual_price_type' => 2]);
    make_product('Price shown in the order', [$tools], 20, ['msrp' => 30, 'msrp_enabled' => 1, 'msrp_display_actual_price_type' => 3]);
    make_product('Lower than advertised', [$tools], 20, ['msrp' => 10, 'msrp_enabled' => 1, 'msrp_display_actual_price_type' => 2]);
    // Stock.
    make_product('Sold without stock', [$tools], 4, ['stock_data' => ['use_config_manage_stock' => 0, 'manage_stock' => 0, 'qty' => 0, 'is_in_stock' => 0]]);
    make_product('On back order', [$tools], 4, ['stock_data' => [
        'use_config_manage_stock' => 1, 'qty' => 0, 'is_in_stock' => 1, 'use_config_backorders' => 0, 'backorders' => 1,
    ]]);
    make_product('CNRY none left', [$tools], 4, ['stock_data' => ['use_config_manage_stock' => 1, 'qty' => 0, 'is_in_stock' => 1]]);
    // Products of several.
    $gone = make_product('CNRY part that is gone', [], 1, ['visibility' => 1, 'is_in_stock' => 0]);
    make_product('One part of two is gone', [$small], null, [
        'type_id' => 'grouped', 'grouped_link_data' => [$part->getId() => ['qty' => 1], $gone->getId() => ['qty' => 1]],
    ]);
    make_product('All parts are gone', [$small], null, ['type_id' => 'grouped', 'grouped_link_data' => [$gone->getId() => ['qty' => 1]]]);
    $reduced = make_product('CNRY reduced part', [], 9, ['visibility' => 1, 'special_price' => 2, 'special_from_date' => '2020-01-01']);
    make_product('A reduced part', [$small], null, [
        'type_id' => 'grouped', 'grouped_link_data' => [$reduced->getId() => ['qty' => 1], $part->getId() => ['qty' => 1]],
    ]);
    make_bundle('A bundle by its parts', [$small], null, [$part, $other], ['price_type' => 0]);
    make_bundle('A bundle with a price', [$small], 30, [$part, $other], ['price_type' => 1]);
    make_bundle('A reduced bundle', [$small], 30, [$part, $other], ['price_type' => 1, 'special_price' => 80, 'special_from_date' => '2020-01-01']);
    make_configurable('In colours', [$tools], 25, ['Red' => 0, 'Blue' => 5]);
    make_product('A file', [$small], 8, ['type_id' => 'downloadable', 'links_purchased_separately' => 0]);
    make_product('With an engraving', [$tools], 12, ['has_options' => 1, 'required_options' => 1, 'product_options' => [[
        'title' => 'Engraving', 'type' => 'field', 'is_require' => 1, 'sort_order' => 0, 'price' => 3, 'price_type' => 'fixed', 'max_characters' => 9,
    ]], 'can_save_custom_options' => true]);
    // Another view of the store, and another website with its own root category.
    $view = Mage::getModel('core/store')->setData(['code' => 'de', 'website_id' => 1, 'group_id' => 1, 'name' => 'CNRY Deutsch', 'is_active' => 1, 'sort_order' => 9])->save();
    $outlet = Mage::getModel('core/website')->setData(['code' => 'outlet', 'name' => 'CNRY outlet', 'sort_order' => 9])->save();
    $outletRoot = make_category('CNRY root of the outlet', Mage::getModel('catalog/category')->load(1));
    $group = Mage::getModel('core/store_group')->setData(['website_id' => $outlet->getId(), 'name' => 'CNRY outlet', 'root_category_id' => $outletRoot->getId()])->save();
    Mage::getModel('core/store')->setData(['code' => 'outlet', 'website_id' => $outlet->getId(), 'group_id' => $group->getId(), 'name' => 'CNRY outlet', 'is_active' => 1])->save();
    Mage::app()->reinitStores();
    $outletTools = make_category('CNRY tools of the outlet', $outletRoot);
    make_product('CNRY of the outlet', [$outletTools], 4, ['website_ids' => [$outlet->getId()]]);
    make_product('In a category of the outlet', [$outletTools], 4, ['website_ids' => [1, $outlet->getId()]]);
    $german = make_product('CNRY off in the website', [$tools], 4);
    Mage::getSingleton('catalog/product_action')->updateAttributes([$german->getId()], ['status' => 2], $view->getId());
    $offHereAlone = make_category('CNRY off in this store', $root);
    $offHereAlone->setStoreId(1)->setIsActive(0)->save();
    make_product('In a category that is off in this store', [$offHereAlone], 4);
    make_product('With a directive', [$tools], 4, ['description' => 'Before {{widget type="CNRY"}} after.']);

    make_review($hammer, 'Hits the nail.', 4, 1);
    make_review($hammer, 'CNRY held', 1, 2);
    make_review($hammer, 'CNRY refused', 1, 3);

    make_rule($byRule, 'by_percent', 10, ['from_date' => '2020-01-01', 'to_date' => '2098-01-01']);
    make_rule($toFixed, 'to_fixed', 12);
    make_rule($today, 'by_fixed', 6, ['from_date' => $day('today'), 'to_date' => $day('today')]);
    make_rule($later, 'by_fixed', 6, ['from_date' => $day('tomorrow')]);
    make_rule($friends, 'by_fixed', 6, ['customer_group_ids' => [2]]);
    Mage::getModel('catalogrule/rule')->applyAll();
    $customer = Mage::getModel('customer/customer');
    $customer->addData([
        'website_id' => 1, 'store_id' => 1, 'group_id' => 1, 'email' => 'cnry.customer@canary.org', 'firstname' => 'CNRY', 'lastname' => 'CNRY',
    ])->setPassword('CNRYpassword')->save();
    foreach (Mage::getModel('index/process')->getCollection() as $process) {
        $process->reindexEverything();
    }
    Mage::app()->cleanCache();
}

/** What a visitor pays for one piece that is put into the cart, or null if something must be chosen first. */
function price_in_cart(int $id): ?float
{
    $quote = Mage::getModel('sales/quote')->setStoreId(1);
    $item = $quote->setIsSuperMode(true)->addProduct(Mage::getModel('catalog/product')->setStoreId(1)->load($id), new Varien_Object(['qty' => 1]));
    if (is_string($item)) {
        return null;
    }
    $quote->getShippingAddress();
    $quote->getBillingAddress();
    $quote->collectTotals();
    return (float) $item->getCalculationPrice();
}

/** The records that the shop's own REST API shows a guest, with the price that one piece has in the cart. */
function shown(): void
{
    Mage::app('default');
    Mage::app()->loadArea('frontend');
    $visibility = ['neq' => Mage_Catalog_Model_Product_Visibility::VISIBILITY_NOT_VISIBLE];
    $collection = Mage::getResourceModel('catalog/product_collection')
        ->addStoreFilter(1)
        ->addPriceData(VISITOR, 1)
        ->addAttributeToFilter('visibility', $visibility)
        ->addAttributeToFilter('status', Mage_Catalog_Model_Product_Status::STATUS_ENABLED)
        ->setOrder('entity_id', 'ASC');
    $products = [];
    foreach ($collection as $found) {
        $product = Mage::getModel('catalog/product')->setStoreId(1)->load($found->getId());
        // "Starting at" and "From" of grouped products and bundles.
        $lowest = in_array($product->getTypeId(), ['grouped', 'bundle'], true) ? (float) $found->getMinPrice() : null;
        $categories = $product->getCategoryCollection()->addAttributeToSelect('url_key');
        $products[] = [
            'id' => (int) $product->getId(),
            'title' => $product->getName(),
            'url' => $product->getProductUrl(),
            'price' => $lowest ?? price_in_cart((int) $product->getId()) ?? (float) $product->getFinalPrice(1),
            'regular' => $lowest ?? (float) $product->getPrice(),
            'categories' => array_values(array_filter(array_map(fn ($each) => $each->getUrlKey(), $categories->getItems()))),
        ];
    }
    $categories = [];
    $walk = function ($nodes) use (&$walk, &$categories) {
        foreach ($nodes as $node) {
            $category = Mage::getModel('catalog/category')->setStoreId(1)->load($node->getId());
            $categories[] = ['slug' => $category->getUrlKey(), 'name' => $category->getName(), 'url' => $category->getUrl()];
            $walk($node->getChildren());
        }
    };
    $walk(Mage::helper('catalog/category')->getStoreCategories());
    echo json_encode([
        'made' => ['openmage' => Mage::getOpenMageVersion(), 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'currency' => Mage::app()->getStore()->getBaseCurrencyCode(),
        'api' => array_map(fn ($each) => $each['title'], $products),
        'products' => $products,
        'categories' => $categories,
    ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

try {
    $argv[1] === 'make' ? make() : shown();
} catch (Throwable $error) {
    fwrite(STDERR, "$error\n");
    exit(1);
}
