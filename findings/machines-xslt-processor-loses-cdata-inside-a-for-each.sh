#!/usr/bin/env bash
# In the XSLT processor of npm, value-of select="c/d" gives the text of a description in CDATA. value-of select="." within for-each or a template for d gives nothing of it, as do string(), concat(), string-length() and a comparison: "Mug <![CDATA[5 < 6]]>
# blue" is "Mug  blue" there. One would guess one text in all of them: to XPath CDATA is a way to write text, and no node of its own.
# RSS and product feeds put their descriptions into CDATA: a stylesheet that loops over the items, as each does, shows titles and prices and no descriptions, while a try with the whole path shows them.
# Version: xslt-processor 5.1.2, seen on Node 20 and 24; xsltproc of libxslt 1.1.35 (Debian's package xsltproc).
set -euo pipefail
command -v xsltproc > /dev/null || { echo "needs Debian's package xsltproc"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund xslt-processor@5.1.2
cat > run.js <<'JS'
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { Xslt, XmlParser } = require("xslt-processor");

const feed = "<c><d>Mug <![CDATA[5 < 6]]> blue</d></c>";
writeFileSync("feed.xml", feed);
async function run() {
  for (const body of [
    '<xsl:value-of select="c/d"/>',
    '<xsl:for-each select="c/d"><xsl:value-of select="."/></xsl:for-each>',
    '<xsl:apply-templates select="c/d"/>',
    '<xsl:value-of select="concat(c/d, \'!\')"/>',
    '<xsl:value-of select="string-length(c/d)"/>',
  ]) {
    const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output omit-xml-declaration="yes"/><xsl:template match="/"><o>${body}</o></xsl:template></xsl:stylesheet>`;
    writeFileSync("sheet.xsl", sheet);
    const parser = new XmlParser();
    const own = await new Xslt().xsltProcess(parser.xmlParse(feed), parser.xmlParse(sheet));
    console.log(body, own, "|", execFileSync("xsltproc", ["sheet.xsl", "feed.xml"], { encoding: "utf8" }).trim());
  }
}
run();
JS
seen=$(node run.js)
echo "xslt-processor@$(node -p 'JSON.parse(fs.readFileSync("node_modules/xslt-processor/package.json")).version'), $(xsltproc --version | head -n 1)"
echo "seen: $seen"
[ "$seen" = "<xsl:value-of select=\"c/d\"/> <o>Mug 5 &lt; 6 blue</o> | <o>Mug 5 &lt; 6 blue</o>
<xsl:for-each select=\"c/d\"><xsl:value-of select=\".\"/></xsl:for-each> <o>Mug  blue</o> | <o>Mug 5 &lt; 6 blue</o>
<xsl:apply-templates select=\"c/d\"/> <o>Mug  blue</o> | <o>Mug 5 &lt; 6 blue</o>
<xsl:value-of select=\"concat(c/d, '!')\"/> <o>Mug  blue!</o> | <o>Mug 5 &lt; 6 blue!</o>
<xsl:value-of select=\"string-length(c/d)\"/> <o>9</o> | <o>14</o>" ]
