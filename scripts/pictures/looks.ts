/** The review widget in the looks of six shops, as one page. */

interface Look {
  /** The page's own style around the widget. */
  readonly style: string;
  readonly attributes: string;
}

const LOOKS: readonly Look[] = [
  { style: "", attributes: 'data-review-url="https://shop.example/review"' },
  { style: "background: #111413", attributes: 'data-theme="dark"' },
  {
    style:
      "background: #fdf3e0; font-family: serif; --vitrine-accent: #9a3412; --vitrine-star: #d97706; --vitrine-surface: #fffdf8; " +
      "--vitrine-line: #f0dfc2; --vitrine-radius: 2px",
    attributes: 'data-lang="de"',
  },
  {
    style:
      "background: #f0edfc; --vitrine-accent: #4c1d95; --vitrine-star: #db2777; --vitrine-line: #ddd6fe; --vitrine-radius: 22px",
    attributes: 'data-lang="nl"',
  },
  {
    style:
      "font-family: monospace; --vitrine-accent: #111; --vitrine-star: #111; --vitrine-line: #111; --vitrine-radius: 0px",
    attributes: 'data-lang="fr"',
  },
  { style: "", attributes: 'data-lang="ar"' },
];

/** `script`: the address of the widget. */
export function looksPage(script: string): string {
  const looks = LOOKS.map(
    ({ style, attributes }, at) =>
      `<div style="${style}"><div id="look${at}"></div></div>
<script async src="${script}" data-product-slug="invoice-kit" data-limit="1" data-container="look${at}" ${attributes}></script>`,
  );
  return `<!doctype html><html lang="en"><style>
    body { margin: 0; padding: 12px; background: #8a908d; display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; font-family: system-ui, sans-serif }
    body > div { padding: 20px; background: #f6f6f3; border-radius: 4px }
  </style>${looks.join("\n")}</html>`;
}

export const LOOK_COUNT = LOOKS.length;
