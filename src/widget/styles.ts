/**
 * The widgets' style sheets. They are constructed, so a page's `style-src` does not forbid them, and adopted by a widget's
 * shadow root, so the page's rules do not affect them. Colours and contrasts come from the design system.
 */
const CSS = `:host{all:initial;display:block;max-width:640px;color-scheme:light;color:inherit;font-family:var(--vitrine-font,inherit);--s:var(--vitrine-star,light-dark(#a96a00,#e3b052));--f:var(--vitrine-surface,light-dark(#fff,#191d1c));--t:light-dark(#1c1d1b,#e8ebe9);--r:var(--vitrine-radius,14px);--g:color-mix(in srgb,currentColor 12%,transparent)}
:host(:not(:last-child)){margin-bottom:12px}
@media screen{:host([theme=dark]){color-scheme:dark;color:var(--t)}
:host([theme=auto]){color-scheme:light dark;color:var(--t)}}
section{font-size:15px;line-height:1.5;overflow-wrap:anywhere}
*{box-sizing:border-box}
h2,h3,p,ul{margin:0;padding:0;list-style:none;white-space:pre-line}
h2{font-size:18px}
h3{font-size:16px}
small,s{font-size:13px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:0 8px}
.box{color:var(--t);border:1px solid var(--vitrine-line,light-dark(#e3e2dc,#2a302e));border-radius:var(--r);background:var(--f)}
.box small,s{color:light-dark(#53554f,#b3bab7)}
svg{display:block;height:18px;width:90px;fill:none;stroke:var(--s);stroke-width:1.5}
[dir=rtl] :not(svg)>svg{scale:-1 1}
svg svg{fill:var(--s)}
.more{font:inherit;cursor:pointer;display:inline-flex;align-items:center;min-height:40px;padding:0 16px;margin-top:8px;margin-inline-end:12px;border:1px solid;border-radius:min(var(--r),20px);background:var(--f);color:var(--vitrine-accent,light-dark(#0a6761,#66cfc3));font-size:14px;text-decoration:none}
i{background:var(--g)}
:focus-visible:focus{outline:2px solid;outline-offset:2px}
[aria-busy=true] :not(h2:lang(en),ul,li,.box){visibility:hidden}
@media(forced-colors:active){svg{--s:currentColor}}
@media(prefers-contrast:more){.box{border-color:currentColor}}
@media print{.more{display:none}section{min-height:0!important}.box{break-inside:avoid}}
`;

/** Styles of reviews. The columns of the bars are those of their group: a number of any length leaves all bars one length. */
export const REVIEWS_CSS = `li{margin:12px 0;padding:12px 16px}
h3{margin-top:4px}
p{margin-top:6px}
article small{display:block;margin-top:8px}
em{display:inline-block;font-style:normal;color:light-dark(#176a43,#77d1a0)}
img,i{display:inline-block;width:24px;height:24px;border-radius:50%;vertical-align:middle;margin-inline-end:6px;object-fit:cover}
[role=group]{display:grid;grid-template-columns:auto 1fr auto;margin-top:8px}
[aria-pressed]{font:inherit;color:inherit;background:none;border:0;border-radius:6px;display:grid;grid-template-columns:subgrid;grid-column:1/-1;align-items:center;gap:10px;min-height:28px;padding:0 6px;text-align:start}
button svg{width:100%;height:8px;border-radius:9px;background:var(--g);stroke:none}
rect{fill:var(--s)}
:enabled{cursor:pointer}
small span{position:absolute;clip-path:inset(50%);width:1px;overflow:hidden;white-space:pre}
[aria-pressed=true]{font-weight:600;background:var(--g);outline:1.5px solid;outline-offset:-2px}
ul~a{display:inline-block;margin-top:8px;color:var(--vitrine-accent,inherit)}
[hidden]{display:none}`;

/** Styles of products, as one card or many. A row of a grid is as high as its highest card, and prices stand in one line. */
export const PRODUCTS_CSS = `.box{display:flex;flex-direction:column;height:100%;padding:14px 16px}
ul{display:grid;gap:16px}
li:only-child{max-width:320px}
[data-wide]{grid-column:1/-1}
[data-wide] img{aspect-ratio:32/10}
header{margin-top:4px}
p{margin-top:auto;padding-top:8px}
img,i{flex:none;width:100%;aspect-ratio:16/10;object-fit:contain;margin-bottom:10px;border-radius:calc(var(--r)/2)}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}`;

/**
 * In a flex row, a float or an inline block, a grid has the width that its content would like to have. That is one line of two
 * dots, as wide as four cards: with the width of the cards, their columns would follow from themselves.
 */
export const GRID_CSS = `:host{max-width:none}
ul{contain:inline-size}
section:after{content:". .";display:block;height:0;overflow:hidden;word-spacing:1320px;visibility:hidden}`;

/** Styles of questions. */
export const FAQ_CSS = `.box{margin:8px 0}
summary{padding:12px 16px;font-weight:600;cursor:pointer;outline-offset:-2px!important;border-radius:var(--r)}
p{padding:0 16px 14px}
@media print{::details-content{content-visibility:visible;block-size:auto}}`;

/**
 * Gives a shadow root its styles, again after it has moved to another document, which takes them. Browsers without constructable
 * style sheets show the records unstyled.
 */
export function addStyles(root: ShadowRoot, css: string): void {
  const view = root.ownerDocument.defaultView;
  if (view === null || root.adoptedStyleSheets?.length !== 0) return;
  // A document adopts only its window's sheets.
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(CSS + css);
  root.adoptedStyleSheets = [sheet];
}
