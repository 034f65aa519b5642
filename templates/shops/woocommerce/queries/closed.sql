-- Returns a row if the shop has not launched yet, the whole site or only its shop, so that visitors can't see it.
SELECT 'WooCommerce is in coming soon mode (WooCommerce, Settings, Site visibility)' AS reason
FROM wp_options AS o
WHERE o.option_name = 'woocommerce_coming_soon' AND o.option_value = 'yes'
