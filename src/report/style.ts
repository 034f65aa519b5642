/** The report's style sheet: the design system's colours, light and dark, as the reader has it. */
export const STYLE = `:root{color-scheme:light dark;--bg:light-dark(#f6f6f3,#111413);--surface:light-dark(#fff,#191d1c);--line:light-dark(#e3e2dc,#2a302e);--text:light-dark(#1c1d1b,#e8ebe9);--text2:light-dark(#53554f,#b3bab7);--text3:light-dark(#676962,#959d9a);--accent:light-dark(#0a6761,#66cfc3);--ok:light-dark(#176a43,#77d1a0);--ok-soft:light-dark(#e2f2e9,#15301f);--warn:light-dark(#7d5200,#e6bb6a);--warn-soft:light-dark(#fbf0d9,#332812)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1200px;margin:0 auto;padding:36px 24px 56px}
h1{font-size:28px;font-weight:650;letter-spacing:-.022em;line-height:1.2;margin:0 0 8px}
h2{font-size:18px;margin:36px 0 12px}
p{max-width:68ch;margin:0 0 12px;color:var(--text2)}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:16px;margin:20px 0 0}
dl div{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:12px 16px}
dt{font-size:13px;color:var(--text3)}
dd{margin:0;font-size:18px;font-weight:600}
.scroll{overflow-x:auto}
.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;background:var(--surface);border:1px solid var(--line)}
th,td{text-align:start;padding:8px 12px;border-top:1px solid var(--line);vertical-align:baseline}
th{font-size:13px;font-weight:600;color:var(--text2)}
.n{text-align:end;white-space:nowrap}
details{margin:0 0 4px}
summary{cursor:pointer;padding:4px 0}
.chip{border-radius:99px;padding:2px 10px;font-size:13px;white-space:nowrap}
.file{background:var(--ok-soft);color:var(--ok)}
.fallback{background:var(--warn-soft);color:var(--warn)}
svg{display:block;width:100%;height:auto}
.map{min-width:640px}
.map text{font-size:12px;fill:light-dark(#1c1d1b,#e8ebe9);pointer-events:none}
.map .head{font-weight:600}
.group{opacity:.45}.tile{stroke:var(--surface)}
.t0 rect{fill:light-dark(#cfe3e0,#1f4541)}.t1 rect{fill:light-dark(#e6dcc6,#453a22)}.t2 rect{fill:light-dark(#d5dbee,#2b3556)}.t3 rect{fill:light-dark(#e9d5d2,#4b2c28)}.t4 rect{fill:light-dark(#dce6cd,#33431f)}.t5 rect{fill:light-dark(#e3d7e8,#412f4a)}
.bar{fill:var(--accent)}
.bars text{font-size:12px;fill:var(--text2)}
.middle{text-anchor:middle}
.bars .faint{fill:var(--text3)}
progress{width:100%;height:12px;accent-color:var(--accent)}
@media(max-width:720px){main{padding:20px 16px 36px}h1{font-size:24px}}
@media print{body{background:#fff}}`;
