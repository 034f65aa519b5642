/** The report's style sheet: both themes, as the reader has it. */
import { colourRule } from "../base/colours.ts";

export const STYLE = `${colourRule()}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:960px;margin:0 auto;padding:36px 24px 56px}
h1{font-size:28px;font-weight:650;letter-spacing:-.022em;line-height:1.2;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:18px;margin:36px 0 12px}
p,ul{max-width:68ch;margin:0 0 12px;color:var(--text2)}
li{margin:4px 0}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(200px,40%),1fr));gap:12px;margin:20px 0 0}
dl div{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:12px 16px}
dt{font-size:13px;color:var(--text3)}
dd{margin:0;font-size:18px;font-weight:600}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;background:var(--surface);border:1px solid var(--line)}
th,td{text-align:start;padding:8px 12px;border-top:1px solid var(--line);vertical-align:baseline}
th{font-size:13px;font-weight:600;color:var(--text2)}
.n{text-align:end;white-space:nowrap}
.chip{border-radius:99px;padding:2px 10px;font-size:13px;white-space:nowrap;background:var(--warn-soft);color:var(--warn)}
.chip.file{background:var(--ok-soft);color:var(--ok)}
td:has(.bar){width:50%}
.bar{display:block;width:100%;min-width:40px;height:12px;fill:var(--accent);background:var(--sunken)}
@media(max-width:720px){main{padding:20px 16px 36px}h1{font-size:24px}th,td{padding:8px 6px}td:has(.bar){width:25%}}
@media print{:root{color-scheme:light}body{background:#fff}.scroll{overflow:visible}}`;
