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
    $stock = ['use_config_manage_stock' => 1, 'qty' => 12, 'is_in_stock' => $more['is_in_stock'] ?? 1];
    unset($more['is_in_stock']);
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

function make(): void
{
    Mage::app('admin');
    foreach (['web/unsecure/base_url', 'web/secure/base_url'] as $path) {
        Mage::getConfig()->saveConfig($path, SHOP);
    }
    Mage::getConfig()->saveConfig('general/store_information/name', 'Ada & Sons');
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
    make_review($hammer, 'Hits the nail.', 4, 1);
    make_review($hammer, 'CNRY held', 1, 2);
    make_review($hammer, 'CNRY refused', 1, 3);

    Mage::getModel('catalogrule/rule')->loadPost([
        'name' => 'CNRY rule', 'is_active' => 1, 'website_ids' => [1], 'customer_group_ids' => [VISITOR],
        'simple_action' => 'by_percent', 'discount_amount' => 10, 'stop_rules_processing' => 0,
        'conditions' => [
            '1' => ['type' => 'catalogrule/rule_condition_combine', 'aggregator' => 'all', 'value' => '1', 'new_child' => ''],
            '1--1' => ['type' => 'catalogrule/rule_condition_product', 'attribute' => 'sku', 'operator' => '==', 'value' => $byRule->getSku()],
        ],
    ])->save();
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

/** The records that the shop's own REST API shows a guest. */
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
        $isGrouped = $product->getTypeId() === 'grouped';
        $categories = $product->getCategoryCollection()->addAttributeToSelect('url_key');
        $products[] = [
            'id' => (int) $product->getId(),
            'title' => $product->getName(),
            'url' => $product->getProductUrl(),
            'price' => (float) ($isGrouped ? $found->getMinPrice() : $product->setCustomerGroupId(VISITOR)->getFinalPrice(1)),
            'regular' => (float) ($isGrouped ? $found->getMinPrice() : $product->getPrice()),
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
