#!/usr/bin/env bash
# Symfony's XmlEncoder reads the version "1.10" in an attribute as the number 1.1 and a barcode there as a whole number; the same texts in an element stay texts. "00123" stays in both. One would guess one
# rule for a document that has no types, and texts. The context XML_TYPE_CAST_ATTRIBUTES: false leaves them.
# A product feed whose ids are attributes (<offer id="1.10">, as in Yandex' and Heureka's kind) gets other ids and versions on its way into a shop; one with elements does not.
# Version: symfony/serializer 5.4.53 with PHP 8.2 (Debian's packages php-symfony-serializer and php8.2-xml).
set -euo pipefail
autoload=/usr/share/php/Symfony/Component/Serializer/autoload.php
[ -f "$autoload" ] && php -r 'exit(extension_loaded("dom") ? 0 : 1);' || { echo "needs Debian's packages php-symfony-serializer and php8.2-xml"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/run.php" <<'PHP'
<?php
require $argv[1];
$xml = '<feed><offer version="1.10" gtin="4006381333931" sku="00123"><version>1.10</version><gtin>4006381333931</gtin><sku>00123</sku></offer></feed>';
$encoder = new Symfony\Component\Serializer\Encoder\XmlEncoder();
echo json_encode($encoder->decode($xml, 'xml')['offer']), ' ';
echo $encoder->decode($xml, 'xml', ['xml_type_cast_attributes' => false])['offer']['@version'];
PHP
seen=$(php "$dir/run.php" "$autoload")
echo "symfony/serializer $(dpkg-query -W -f '${Version}' php-symfony-serializer), PHP $(php -r 'echo PHP_VERSION;')"
echo "seen: $seen"
[ "$seen" = '{"@version":1.1,"@gtin":4006381333931,"@sku":"00123","version":"1.10","gtin":"4006381333931","sku":"00123"} 1.10' ]
