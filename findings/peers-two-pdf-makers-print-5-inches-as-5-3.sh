#!/usr/bin/env bash
# pdfkit and jsPDF print a sign that their standard fonts lack as its two bytes, each as a letter of its own: 5″ (the inch sign U+2033) becomes "5 3", −5 °C (a minus) becomes `"5 °C`, № 5 becomes "! 5" and ₹500 becomes "¹500". One would guess an empty box, a question mark or an error;
# € and the other signs of Windows-1252 are right, so a test with 19,90 € passes.
# Labels, price lists and invoices that are made from a catalog print another size, another temperature or an exponent before the price, in letters that look meant. A font that is embedded prints them right.
# Version: pdfkit 0.20.2, jspdf 4.2.1, read with pdftotext 22.12 (Debian's package poppler-utils), seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund pdfkit@0.20.2 jspdf@4.2.1
cat > run.js <<'JS'
import { createWriteStream, writeFileSync } from "node:fs";
import PDFDocument from "pdfkit";
import { jsPDF } from "jspdf";

const labels = ["19,90 €", "5″", "−5 °C", "№ 5", "₹500"];
const kit = new PDFDocument();
kit.pipe(createWriteStream("pdfkit.pdf"));
for (const label of labels) kit.text(label);
kit.end();
const js = new jsPDF();
labels.forEach((label, index) => js.text(label, 10, 10 + 10 * index));
writeFileSync("jspdf.pdf", Buffer.from(js.output("arraybuffer")));
JS
node run.js
seen=$(for maker in pdfkit jspdf; do echo "$maker:" $(pdftotext -bbox "$maker.pdf" - | sed -n 's/.*>\(.*\)<\/word>.*/\1/p'); done)
echo "pdfkit 0.20.2, jspdf 4.2.1, $(pdftotext -v 2>&1 | head -1)"
echo "seen: $seen"
[ "$seen" = 'pdfkit: 19,90 € 5 3 &quot;5 °C ! 5 ¹500
jspdf: 19,90 € 5 3 &quot;5 °C ! 5 ¹500' ]
