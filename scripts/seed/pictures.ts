/**
 * Pictures of the invented shop's products and posts: small windows of programs that do not exist, drawn by code. The same address
 * always gives the same picture.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { between, reseed } from "./dice.ts";

const HUES = [172, 28, 215, 335, 90, 262, 48];

/** What all parts of one picture share. */
interface Palette {
  readonly paper: string;
  readonly shade: string;
  readonly ink: string;
  readonly soft: string;
  readonly strong: string;
}

function paletteOf(hue: number): Palette {
  const tone = (saturation: number, lightness: number, by = 0) =>
    `hsl(${(hue + by + 360) % 360} ${saturation}% ${lightness}%)`;
  return {
    paper: tone(46, 90),
    shade: tone(44, 76, 14),
    ink: tone(30, 38),
    soft: tone(38, 93),
    strong: tone(46, 58, -10),
  };
}

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 6) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

function lines(x: number, y: number, count: number, most: number, fill: string): string {
  return Array.from({ length: count }, (_, at) =>
    rect(x, y + at * 26, between(Math.round(most * 0.45), most), 10, fill, 5),
  ).join("");
}

function bars({ soft, strong }: Palette): string {
  return Array.from({ length: 9 }, (_, at) => {
    const height = between(40, 190);
    return rect(296 + at * 42, 388 - height, 26, height, at % 3 === 1 ? strong : soft, 5);
  }).join("");
}

function cards({ soft, strong, ink }: Palette): string {
  return Array.from({ length: 6 }, (_, at) => {
    const [x, y] = [296 + (at % 3) * 128, 176 + Math.floor(at / 3) * 112];
    const mark = at === between(0, 5) ? strong : ink;
    return (
      rect(x, y, 112, 96, soft, 10) +
      rect(x + 14, y + 16, 30, 30, mark, 8) +
      rect(x + 14, y + 62, 70, 10, ink, 5)
    );
  }).join("");
}

function curve({ strong, soft }: Palette): string {
  const points = Array.from({ length: 7 }, (_, at) => `${300 + at * 62},${between(200, 360)}`).join(" ");
  return (
    `<polygon points="300,392 ${points} 672,392" fill="${soft}"/>` +
    `<polyline points="${points}" fill="none" stroke="${strong}" stroke-width="7" stroke-linejoin="round" stroke-linecap="round"/>`
  );
}

function page(palette: Palette): string {
  const { soft, ink, strong } = palette;
  return (
    rect(296, 176, 376, 92, strong, 10) + lines(296, 292, 4, 370, ink) + rect(560, 292, 112, 96, soft, 10)
  );
}

const SCENES = [bars, cards, curve, page];

/** An SVG of 800 × 500. */
function drawPicture(address: string): string {
  reseed("pictures", address);
  const [, owner = "0", place = "1"] = /(\d+)(?:\/(\d+))?\.svg$/.exec(address) ?? [];
  const palette = paletteOf(HUES[Number(owner) % HUES.length] ?? 172);
  const { paper, shade, ink, soft, strong } = palette;
  const scene = SCENES[(Number(owner) + Number(place)) % SCENES.length] ?? bars;
  const dots = [0, 1, 2]
    .map((at) => `<circle cx="${112 + at * 22}" cy="120" r="6" fill="${shade}"/>`)
    .join("");
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 500" width="800" height="500">',
    `<linearGradient id="g" x1="0" y1="0" x2=".6" y2="1"><stop stop-color="${paper}"/><stop offset="1" stop-color="${shade}"/></linearGradient>`,
    '<rect width="800" height="500" fill="url(#g)"/>',
    `<circle cx="${between(560, 760)}" cy="${between(20, 140)}" r="${between(110, 190)}" fill="#fff" opacity=".28"/>`,
    rect(92, 98, 632, 340, ink, 18).replace("/>", ' opacity=".16"/>'),
    rect(84, 88, 632, 340, "#fff", 18),
    dots,
    rect(196, 112, between(120, 300), 16, soft, 8),
    rect(84, 152, 176, 2, soft, 0) + rect(258, 152, 2, 276, soft, 0) + rect(258, 152, 458, 2, soft, 0),
    rect(108, 176, 128, 28, strong, 8),
    lines(108, 226, 6, 126, soft),
    scene(palette),
    "</svg>\n",
  ].join("");
}

const PUBLIC = `
  SELECT url FROM product_media WHERE is_private = 0
  UNION SELECT cover_image FROM blog_posts WHERE cover_image IS NOT NULL`;

/** Draws the store's pictures into a folder that replaces `/media/`. */
export function drawPictures(store: string, folder: string): void {
  const db = new Database(store, { readonly: true });
  const addresses = db.prepare<[], string>(PUBLIC).pluck().all();
  db.close();
  const own = addresses.filter((address) => /^\/media\/[a-z]+(\/\d+)+\.svg$/.test(address));
  for (const address of own) {
    const file = join(folder, address.slice("/media/".length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawPicture(address));
  }
}
