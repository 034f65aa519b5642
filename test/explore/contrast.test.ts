/** The colours of the pages: each text on each of its backgrounds, computed by WCAG's formula. */
import { describe, expect, it } from "vitest";
import { COLOURS } from "../../src/base/colours.ts";

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function ratio(text: string, ground: string, theme: "light" | "dark"): number {
  const at = theme === "light" ? 0 : 1;
  return contrast(COLOURS[text]?.[at] ?? "#000000", COLOURS[ground]?.[at] ?? "#000000");
}

const GROUNDS = ["bg", "surface", "sunken"];
const TEXTS = ["text", "text2", "text3", "accent", "sale", "ok", "warn", "j-key", "j-str", "j-num", "j-lit"];
/** Small print on the colour that belongs to it. */
const ON_OWN = [
  ...["ok", "warn", "accent"].map((name) => [name, `${name}-soft`] as const),
  ...["j-key", "j-str", "j-num", "j-lit"].map((name) => [name, "accent-soft"] as const),
  ["on-accent", "accent"] as const,
];

describe.each(["light", "dark"] as const)("the %s colours", (theme) => {
  it.each(TEXTS)("%s can be read on every background", (text) => {
    for (const ground of GROUNDS) expect(ratio(text, ground, theme), ground).toBeGreaterThanOrEqual(4.5);
  });

  it.each(ON_OWN)("%s can be read on %s", (text, ground) => {
    expect(ratio(text, ground, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["star", "control"])("%s differs enough from every background", (shape) => {
    for (const ground of GROUNDS) expect(ratio(shape, ground, theme), ground).toBeGreaterThanOrEqual(3);
  });
});
