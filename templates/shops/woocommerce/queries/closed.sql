-- Why visitors are shown nothing of the shop: a row where it has not launched yet, whether the whole site waits or its shop alone.
SELECT 'WooCommerce is in coming soon mode (WooCommerce, Settings, Site visibility)' AS reason
FROM wp_options AS o
WHERE o.option_name = 'woocommerce_coming_soon' AND o.option_value = 'yes'
