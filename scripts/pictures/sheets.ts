/** Contact sheets of the explorer: one picture of many views, each in a width and a theme. */
import type { Browser } from "playwright-core";

const HEIGHTS: Readonly<Record<number, number>> = { 360: 780, 768: 1000, 1280: 800, 1920: 1080 };

interface Shot {
  readonly address: string;
  readonly width: number;
  readonly theme: "light" | "dark";
  /** The size in which it is shown. */
  readonly scale: number;
}

async function shoot(browser: Browser, { address, width, theme }: Shot): Promise<string> {
  const viewport = { width, height: HEIGHTS[width] ?? 800 };
  const page = await browser.newPage({ viewport, colorScheme: theme, locale: "en-GB" });
  await page.goto(address);
  await page
    .locator(":is(.req-meta .status:not(.wait), .row .card, .state)")
    .first()
    .waitFor({ state: "attached", timeout: 10_000 });
  await page.waitForLoadState("networkidle");
  await page.evaluate("document.activeElement?.blur()");
  const bytes = await page.screenshot();
  await page.close();
  return bytes.toString("base64");
}

/** A page that shows all of them in rows; it is as large as they are together. */
export async function contactSheet(browser: Browser, rows: readonly (readonly Shot[])[]) {
  const lines: string[] = [];
  for (const row of rows) {
    const images: string[] = [];
    for (const shot of row)
      images.push(
        `<img width="${Math.round(shot.width * shot.scale)}" src="data:image/png;base64,${await shoot(browser, shot)}">`,
      );
    lines.push(`<div>${images.join("")}</div>`);
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 400 } });
  await page.setContent(
    `<style>body{margin:0;padding:10px;background:#8a908d;display:grid;gap:10px;width:max-content}
     div{display:flex;gap:10px;align-items:flex-start}img{border-radius:4px}</style>${lines.join("")}`,
  );
  const { width, height } = (await page.locator("body").boundingBox()) ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) });
  return page;
}

/** The widths that the explorer is made for, with some views of one shop. */
export function widthsOf(origin: string): Shot[][] {
  const scales = [
    [360, 0.5],
    [768, 0.36],
    [1280, 0.36],
    [1920, 0.27],
  ] as const;
  const views = [
    ["/", "light"],
    ["/products", "dark"],
    ["/product/invoice-kit", "light"],
    ["/product/invoice-kit?tab=reviews", "dark"],
  ] as const;
  return views.map(([view, theme]) =>
    scales.map(([width, scale]) => ({ address: `${origin}/explore/#${view}`, width, theme, scale })),
  );
}

/** Shops that differ from the demo, on a phone and on a desktop: two of them in a row. */
export function shopsOf(addresses: readonly string[]): Shot[][] {
  const pair = (address: string, at: number): Shot[] => {
    const theme = at % 3 === 1 ? "dark" : "light";
    return [
      { address, theme, width: 360, scale: 0.5 },
      { address, theme, width: 1280, scale: 0.36 },
    ];
  };
  const shots = addresses.map(pair);
  return shots.flatMap((shot, at) => (at % 2 === 0 ? [[...shot, ...(shots[at + 1] ?? [])]] : []));
}
