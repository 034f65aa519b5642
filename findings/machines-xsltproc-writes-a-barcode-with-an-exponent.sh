#!/usr/bin/env bash
# libxml2 (xsltproc, xmlstarlet, xmllint) writes the number 4006381333931 as 4.006381333931e+12 and the sum 1990000000.60 as 1.9900000006e+09; up to 2147483646 whole numbers have no exponent. XPath 1.0 4.2 says that string() of a number is in decimal form without an
# exponent, however large it is. xmllint --xpath even rounds a number to six digits: 1.99e+09.
# A stylesheet that makes a table of a product feed and touches a barcode as a number (g:gtin * 1, min, sum of prices in Korean won) writes exponents, from the first product above two thousand million; format-number() does not.
# Version: libxml2 2.9.14, libxslt 1.1.35 (Debian's packages xsltproc, libxml2-utils and xmlstarlet).
set -euo pipefail
for tool in xsltproc xmllint xmlstarlet; do command -v $tool > /dev/null || { echo "needs Debian's packages xsltproc libxml2-utils xmlstarlet"; exit 1; }; done
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
echo '<feed><gtin>4006381333931</gtin><id>2147483646</id><price>1990000000.50</price><price>0.10</price></feed>' > "$dir/feed.xml"
cat > "$dir/table.xsl" <<'XSL'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="text"/>
<xsl:template match="/feed"><xsl:value-of select="gtin * 1"/> <xsl:value-of select="concat(' ', id * 1, ' ', sum(price), ' ', format-number(sum(price), '0.00'))"/></xsl:template>
</xsl:stylesheet>
XSL
seen=$(echo "xsltproc $(xsltproc "$dir/table.xsl" "$dir/feed.xml")"
  echo "xmlstarlet $(xmlstarlet sel -t -v 'sum(//price)' "$dir/feed.xml")"
  echo "xmllint $(xmllint --xpath 'sum(//price)' "$dir/feed.xml")")
xsltproc --version | head -n 1
echo "seen: $seen"
[ "$seen" = 'xsltproc 4.006381333931e+12 2147483646 1.9900000006e+09 1990000000.60
xmlstarlet 1.9900000006e+09
xmllint 1.99e+09' ]
