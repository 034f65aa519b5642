/**
 * The widgets' style sheets. They are constructed, so a page's `style-src` does not forbid them, and adopted by a widget's
 * shadow root, so the page's rules do not affect them. Colours and contrasts come from the design system.
 */
const CSS = `:host{all:initial;display:block;max-width:640px;color-scheme:light;font-family:var(--vitrine-font,inherit);--a:var(--vitrine-accent,light-dark(#0a6761,#66cfc3));--s:var(--vitrine-star,light-dark(#a96a00,#e3b052));--f:var(--vitrine-surface,light-dark(#fff,#191d1c));--l:var(--vitrine-line,light-dark(#e3e2dc,#2a302e));--r:var(--vitrine-radius,14px)}
:host(:not(:last-child)){margin-block-end:12px}
:host([theme=dark]){color-scheme:dark}
:host([theme=auto]){color-scheme:light dark}
section{font-size:15px;line-height:1.5;color:light-dark(#1c1d1b,#e8ebe9);overflow-wrap:anywhere}
h2,h3,p,ul{margin:0;padding:0;list-style:none;white-space:pre-line}
h2{font-size:18px}
h3{font-size:16px}
small,s{font-size:13px;color:light-dark(#53554f,#b3bab7)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:0 8px}
a{color:var(--a)}
svg{display:block;flex:none;height:18px;width:90px;forced-color-adjust:none;fill:light-dark(#d9d8d1,#3a413f)}
[dir=rtl] svg{scale:-1 1}
[dir=rtl] svg svg{scale:none}
svg svg{fill:var(--s)}
:focus-visible{outline:2px solid var(--a);outline-offset:2px}
`;

/** Styles of reviews. */
export const REVIEWS_CSS = `li,hr{margin:12px 0;padding:12px 16px;border:1px solid var(--l);border-radius:var(--r);background:var(--f)}
em{display:inline-block;font-style:normal;color:light-dark(#176a43,#77d1a0)}
hr{height:92px}
hr:first-of-type{margin-top:195px}
img{width:24px;height:24px;border-radius:50%;vertical-align:middle;margin-inline-end:6px;object-fit:cover}
[role=group]{min-height:140px;max-width:360px;margin-top:8px}
button{font:inherit;font-size:13px;color:inherit;cursor:pointer;background:none;border:0;border-radius:6px;display:grid;grid-template-columns:1ch 1fr 5ch;align-items:center;gap:10px;width:100%;min-height:28px;padding:0 6px;text-align:start}
button svg{width:100%;height:8px;border-radius:9px;background:light-dark(#d9d8d1,#3a413f)}
button path{fill:var(--s)}
button:disabled{cursor:default}
.heard{position:absolute;clip-path:inset(50%);width:1px;overflow:hidden;white-space:pre}
[aria-pressed=true]{box-shadow:inset 0 0 0 1.5px var(--a);color:var(--a)}
.more{display:inline-flex;width:auto;align-items:center;min-height:40px;padding:0 16px;margin-block-start:8px;margin-inline-end:12px;box-sizing:border-box;border:1px solid var(--a);border-radius:min(var(--r),20px);color:var(--a);font-size:14px;text-decoration:none}
ul~a{display:inline-block;margin-block-start:8px}
[hidden]{display:none}`;

/** Styles of products, as one card or many. */
export const PRODUCTS_CSS = `article,hr{box-sizing:border-box;height:100%;margin:0;padding:14px 16px;border:1px solid var(--l);border-radius:var(--r);background:var(--f)}
ul{display:grid;gap:16px}
li:only-child{max-width:320px}
[data-wide]{grid-column:1/-1}
[data-wide] img{aspect-ratio:32/10}
article{display:flex;flex-direction:column}
article p{margin-top:auto}
img{flex:none;width:100%;aspect-ratio:16/10;object-fit:contain;margin-bottom:10px;border-radius:calc(var(--r)/2)}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
hr{height:300px}`;

/** Styles of questions. */
export const FAQ_CSS = `details,hr{margin:8px 0;border:1px solid var(--l);border-radius:var(--r);background:var(--f)}
summary{padding:12px 16px;font-weight:600;cursor:pointer;outline-offset:-2px!important;border-radius:var(--r)}
p{padding:0 16px 14px}
hr{height:46px}`;

/**
 * Gives a shadow root its styles, again after it has moved to another document, which takes them. Browsers without constructable
 * style sheets show the records unstyled.
 */
export function addStyles(root: ShadowRoot, css: string): void {
  const view = root.ownerDocument.defaultView;
  if (view === null || root.adoptedStyleSheets?.length !== 0) return;
  // A document adopts only sheets of its own window.
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(CSS + css);
  root.adoptedStyleSheets = [sheet];
}
