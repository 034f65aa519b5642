#!/usr/bin/env bash
# Eleventy's image plugin tells synchronous templates by statsSync "where the files will end up". For a photo that a phone took upright (its pixels lie, and its EXIF orientation says "turn") it says …-600.jpeg, 600 × 400;
# the file that is written is …-400.jpeg, 400 × 600, as the writing turns the picture and statsSync does not. For 100 pixels the names agree, and the heights do not: 66 and 150. One would guess that both read the
# orientation, as their options and their hash are the same.
# The product's page has a broken picture (its largest) and a stretched one, only for the photos of one seller with a phone, and the build says nothing.
# What to do: await Image() and use what it returns, or turn the photos before.
# Versions: @11ty/eleventy-img 6.0.4, sharp 0.35.5, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy-img@6.0.4 sharp@0.35.5
cat > run.js <<'JS'
import { existsSync } from "node:fs";
import Image from "@11ty/eleventy-img";
import sharp from "sharp";

const photo = () => sharp({ create: { width: 600, height: 400, channels: 3, background: "red" } }).jpeg();
await photo().toFile("camera.jpg");
await photo().withMetadata({ orientation: 6 }).toFile("phone.jpg");
for (const source of ["camera.jpg", "phone.jpg"]) {
  const options = { widths: [100, "auto"], formats: ["jpeg"], outputDir: "out" };
  await Image(source, options);
  const said = Image.statsSync(source, options).jpeg.map(async ({ width, height, outputPath }) => {
    if (!existsSync(outputPath)) return `${width}x${height} is not there`;
    const real = await sharp(outputPath).metadata();
    return `${width}x${height} is ${real.width}x${real.height}`;
  });
  console.log(`${source}: ${(await Promise.all(said)).join(", ")}`);
}
JS
seen=$(node run.js)
echo "@11ty/eleventy-img 6.0.4, sharp 0.35.5"
echo "seen: $seen"
[ "$seen" = 'camera.jpg: 100x66 is 100x67, 600x400 is 600x400
phone.jpg: 100x66 is 100x150, 600x400 is not there' ]
