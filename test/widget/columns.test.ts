/** The columns of the product grid, at every width and with every number of cards. */
import { expect, it } from "vitest";
import { columnsOf } from "../../src/widget/columns.ts";

const WIDTHS = Array.from({ length: 150 }, (_, at) => 120 + 10 * at);
const COUNTS = Array.from({ length: 20 }, (_, at) => at + 1);

it.each(COUNTS)(
  "%i cards never leave one alone in the last row, and are never narrower than 220 pixels",
  (cards) => {
    for (const width of WIDTHS) {
      const { columns, isFirstWide } = columnsOf(cards, width);
      const last = (cards + (isFirstWide ? columns - 1 : 0)) % columns;
      if (cards > 1 && columns > 1) expect(last, `${width}`).not.toBe(1);
      if (columns > 1) expect((width - (columns - 1) * 16) / columns, `${width}`).toBeGreaterThanOrEqual(220);
      expect(columns, `${width}`).toBeGreaterThanOrEqual(Math.min(cards, width >= 456 ? 2 : 1));
      expect(columns).toBeLessThanOrEqual(4);
    }
  },
);

it.each([
  [4, 720, 2],
  [4, 928, 4],
  [3, 720, 3],
  [5, 1000, 3],
  [8, 1000, 4],
  [9, 1000, 3],
  [1, 1000, 1],
  [4, 160, 1],
])("%i cards in %i pixels have %i columns", (cards, width, columns) => {
  expect(columnsOf(cards, width)).toEqual({ columns, isFirstWide: false });
});

it("makes the first card wide for an odd number of cards in two columns", () => {
  for (const [cards, width] of [
    [3, 500],
    [5, 600],
    [7, 800],
    [13, 1200],
  ] as const)
    expect(columnsOf(cards, width)).toEqual({ columns: 2, isFirstWide: true });
});
