/**
 * The widget's style sheet: constructed, which a page's `style-src` does not forbid, and adopted by the widget's shadow
 * root, which a page's own rules do not reach. Colours and their contrasts are the design system's.
 */
const CSS = `:host{all:initial;display:block;min-height:8em;max-width:640px;color-scheme:light}
:host([data-theme=dark]){color-scheme:dark}
:host([data-theme=auto]){color-scheme:light dark}
section{font:15px/1.5 system-ui,sans-serif;color:light-dark(#1c1d1b,#e8ebe9);overflow-wrap:anywhere}
h2,h3,p,ul{font-size:16px;margin:0;padding:0;list-style:none;white-space:pre-line}
h2{font-size:18px}
p{font-size:15px}
li{margin:12px 0;padding:12px 16px;border:1px solid light-dark(#e3e2dc,#2a302e);border-radius:14px;background:light-dark(#fff,#191d1c)}
small{font-size:13px;color:light-dark(#53554f,#b3bab7)}
header{display:flex;align-items:center;gap:8px}
em{font-style:normal;color:light-dark(#176a43,#77d1a0)}
a{color:light-dark(#0a6761,#66cfc3)}
svg{display:block;height:18px;width:90px;forced-color-adjust:none;fill:light-dark(#d9d8d1,#3a413f)}
[dir=rtl] [role=img]{scale:-1 1}
svg svg{fill:light-dark(#a96a00,#e3b052)}
hr{border:0;height:1em;margin:12px 0;border-radius:6px;background:light-dark(#efefeb,#2a302e)}`;

/** Dresses a shadow root. Browsers without constructable style sheets show the reviews plain. */
export function dress(root: ShadowRoot): void {
  if (!("adoptedStyleSheets" in root)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
}
