/** The colours of the light and the dark theme, for the explorer and the reference. */
export const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  bg: ["#f6f6f3", "#111413"],
  surface: ["#ffffff", "#191d1c"],
  sunken: ["#efefeb", "#0c0f0e"],
  line: ["#e3e2dc", "#2a302e"],
  control: ["#84857d", "#6c7774"],
  text: ["#1c1d1b", "#e8ebe9"],
  text2: ["#53554f", "#b3bab7"],
  text3: ["#676962", "#959d9a"],
  accent: ["#0a6761", "#66cfc3"],
  "accent-soft": ["#e0f0ee", "#12302d"],
  "on-accent": ["#ffffff", "#05211e"],
  star: ["#a96a00", "#e3b052"],
  sale: ["#a3301f", "#ffa28f"],
  ok: ["#176a43", "#77d1a0"],
  "ok-soft": ["#e2f2e9", "#15301f"],
  warn: ["#7d5200", "#e6bb6a"],
  "warn-soft": ["#fbf0d9", "#332812"],
  "j-key": ["#0a6761", "#66cfc3"],
  "j-str": ["#7a4a00", "#e6bb6a"],
  "j-num": ["#2f55b5", "#9db8ff"],
  "j-lit": ["#8a3a8f", "#e2a3e6"],
};

/** `:root{color-scheme:light dark;--bg:light-dark(#f6f6f3,#111413);…}` */
export function colourRule(): string {
  const values = Object.entries(COLOURS).map(
    ([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`,
  );
  return `:root{color-scheme:light dark;${values.join(";")}}`;
}
