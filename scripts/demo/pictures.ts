/** Draws the demo's pictures as WebP: a cover for each product and post, more of what is shown first, the logo. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { reseed } from "../seed/dice.ts";
import { DRAWINGS, type Palette } from "./shapes.ts";
import { BLOG, featuresOf, PRODUCTS, type ProductText, picturesOf, SHOP } from "./texts.ts";

const SIZE = { width: 800, height: 500 };
const QUALITY = 82;

/** `text` is the title's colour, on `paper`; `ink` is for what is drawn on cards. */
interface Look extends Palette {
  readonly text?: string;
  readonly serif?: true;
}

const WHITE = "#ffffff";
/** A look for each category. */
const LOOKS: Readonly<Record<string, Look>> = {
  scripts: {
    paper: "#0f3b3c",
    text: "#f0f7f3",
    ink: "#12403f",
    accent: "#46bf9d",
    soft: "#1b5152",
    card: "#f3faf6",
    line: "#c6dcd3",
  },
  plugins: {
    paper: "#392a5c",
    text: "#f6f1ff",
    ink: "#33254f",
    accent: "#a678f2",
    soft: "#4b3a75",
    card: "#faf7ff",
    line: "#d9cdf0",
  },
  themes: {
    paper: "#f1e6d6",
    ink: "#332c24",
    accent: "#d76b48",
    soft: "#e7d6bf",
    line: "#ddcfbb",
    serif: true,
    card: WHITE,
  },
  "email-templates": {
    paper: "#d9eaf6",
    ink: "#14344f",
    accent: "#2c7dc0",
    soft: "#b9d6ea",
    line: "#c9dbe8",
    card: WHITE,
  },
  templates: {
    paper: "#f8eecb",
    ink: "#40351a",
    accent: "#c08a1e",
    soft: "#eadba8",
    line: "#e6dcbd",
    serif: true,
    card: WHITE,
  },
  "ui-kits": {
    paper: "#e1e4fb",
    ink: "#22245c",
    accent: "#5257d5",
    soft: "#cfd4f7",
    line: "#cdd1f2",
    card: WHITE,
  },
  icons: {
    paper: "#dcf1df",
    ink: "#153f27",
    accent: "#2c9a59",
    soft: "#c4e4ca",
    line: "#bfdcc6",
    card: WHITE,
  },
  ebooks: {
    paper: "#6f2b2b",
    text: "#fff2e8",
    ink: "#4a1a1a",
    accent: "#f6b07f",
    soft: "#55201f",
    card: "#fff7f0",
    line: "#8f4a45",
    serif: true,
  },
  licences: {
    paper: "#13233f",
    text: "#ebf2ff",
    ink: "#172a4a",
    accent: "#4c8df0",
    soft: "#21385e",
    card: "#f5f9ff",
    line: "#cbd8ec",
  },
  services: {
    paper: "#fae0e5",
    ink: "#571b2d",
    accent: "#d04a6c",
    soft: "#f3cbd4",
    line: "#eac6cf",
    card: WHITE,
  },
  bundles: {
    paper: "#25282d",
    text: "#fafafa",
    ink: "#25282d",
    accent: "#ffcf5c",
    soft: "#4a505a",
    line: "#d9dde3",
    card: WHITE,
  },
};

const lookOf = (category: string) => {
  const look = LOOKS[category];
  if (look === undefined) throw new Error(`Pictures have no look for the category ${category}`);
  return look;
};

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A title in lines of at most so many letters. */
function wrap(title: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

interface Words {
  readonly label: string;
  readonly title: string;
  readonly most: number;
  readonly size: number;
}

function words({ label, title, most, size }: Words, { ink, text = ink, accent, serif }: Look): string {
  const family = serif === true ? "DejaVu Serif" : "DejaVu Sans";
  const lines = wrap(title, most).map(
    (line, at) =>
      `<text x="54" y="${194 + at * size * 1.12}" font-family="${family}" font-stretch="condensed" font-weight="bold" font-size="${size}" letter-spacing="-1" fill="${text}">${escapeXml(line)}</text>`,
  );
  return (
    `<rect x="54" y="114" width="34" height="6" rx="3" fill="${accent}"/>` +
    `<text x="100" y="124" font-family="DejaVu Sans" font-stretch="condensed" font-size="19" letter-spacing="1" fill="${text}" opacity=".8">${escapeXml(label)}</text>` +
    lines.join("")
  );
}

const picture = (paper: string, inside: string, { width, height } = SIZE) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${paper}"/>${inside}</svg>`;

function cover({ slug, name, category }: ProductText): string {
  const look = lookOf(category);
  const draw = DRAWINGS[slug];
  if (draw === undefined) throw new Error(`Pictures have no drawing for ${slug}`);
  const [label = ""] = SHOP.categories[category] ?? [];
  const longest = Math.max(...wrap(name, 12).map((line) => line.length));
  return picture(
    look.paper,
    `<circle cx="640" cy="330" r="250" fill="${look.soft}" opacity=".55"/>` +
      `<g transform="translate(424 152) rotate(-5) scale(0.96)">${draw(look)}</g>` +
      words({ label, title: name, most: 12, size: longest > 10 ? 50 : 58 }, look),
  );
}

/** The drawing alone, large. */
function closeUp({ slug, category }: ProductText): string {
  const look = lookOf(category);
  return picture(
    look.soft,
    `<g transform="translate(160 50) scale(1.22)">${DRAWINGS[slug]?.(look) ?? ""}</g>`,
  );
}

/** The product's own list of features. */
function features(product: ProductText): string {
  const look = lookOf(product.category);
  const lines = featuresOf(product)
    .slice(0, 4)
    .flatMap((text) => {
      const [first = "", second] = wrap(text, 46);
      return [`• ${first}`, ...(second === undefined ? [] : [second])];
    });
  return picture(
    look.paper,
    words({ label: "What you get", title: product.name, most: 40, size: 40 }, look) +
      lines
        .map(
          (line, at) =>
            `<text x="${line.startsWith("•") ? 54 : 78}" y="${250 + at * 36}" font-family="DejaVu Sans" font-stretch="condensed" font-size="25" fill="${look.text ?? look.ink}">${escapeXml(line)}</text>`,
        )
        .join(""),
  );
}

const VIEWS = [cover, closeUp, features];

/** Hills and a sky in the colours of a category: a post's title is shown beside it anyway. */
function landscape(category: string, at: number): string {
  const looks = Object.values(LOOKS);
  const look = looks[(at * 3 + category.length) % looks.length] ?? lookOf("scripts");
  const { paper, soft, accent, line } = look;
  const size = { width: 960, height: 480 };
  const hill = (base: number, height: number, shift: number, fill: string) => {
    const points = Array.from({ length: 9 }, (_, step) => {
      const wave = Math.sin(step * 1.7 + shift) * 0.5 + Math.sin(step * 0.9 + shift * 2) * 0.5;
      return `${step * 120},${Math.round(base - height * wave)}`;
    });
    return `<polygon points="0,480 ${points.join(" ")} 960,480" fill="${fill}"/>`;
  };
  return picture(
    paper,
    `<circle cx="${180 + ((at * 211) % 600)}" cy="${120 + ((at * 37) % 60)}" r="${46 + ((at * 13) % 30)}" fill="${accent}"/>` +
      hill(300, 70, at, line) +
      hill(350, 50, at + 2, soft) +
      hill(420, 34, at + 4, accent),
    size,
  );
}

const LOGO = (size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0f3b3c"/>` +
  '<path d="M14 46c6-24 12-24 18 0s12 24 18 0" fill="none" stroke="#6fd3b5" stroke-width="6" stroke-linecap="round" transform="translate(0 -10)"/>' +
  '<circle cx="46" cy="18" r="6" fill="#ffcf5c"/></svg>';

/** Every picture by its file's name below the folder. */
function* drawAll(): Generator<[name: string, svg: string]> {
  for (const product of PRODUCTS)
    for (const [at, name] of picturesOf(product).entries()) {
      reseed("demo", name);
      yield [name, VIEWS[at]?.(product) ?? ""];
    }
  for (const [at, { slug, category }] of BLOG.entries()) yield [`blog/${slug}.webp`, landscape(category, at)];
  yield ["logo.webp", LOGO(192)];
  yield ["favicon.webp", LOGO(64)];
}

/** Returns how many pictures there are, and their bytes. */
export async function makePictures(folder: string): Promise<{ count: number; sizeBytes: number }> {
  rmSync(folder, { recursive: true, force: true });
  let [count, sizeBytes] = [0, 0];
  for (const [name, svg] of drawAll()) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    const { size } = await sharp(Buffer.from(svg)).webp({ quality: QUALITY, effort: 6 }).toFile(file);
    count += 1;
    sizeBytes += size;
  }
  return { count, sizeBytes };
}
