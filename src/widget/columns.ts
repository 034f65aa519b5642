/** The number of columns of a grid of cards, so that no card is alone in the last row. Pure. */

/** Widths in pixels. */
const CARD = 220;
const GAP = 16;
const MOST_COLUMNS = 4;

/**
 * As many columns as fit and leave more than one card in the last row. With an odd number of cards in two columns, the first
 * card is as wide as both.
 */
export function columnsOf(
  cards: number,
  width: number,
): { readonly columns: number; readonly isFirstWide: boolean } {
  const fitting = Math.floor((width + GAP) / (CARD + GAP));
  // Two cards must not each fill half a page.
  const most = cards === 1 ? 1 : Math.min(MOST_COLUMNS, Math.max(3, cards));
  let columns = Math.max(1, Math.min(fitting, most));
  while (columns > 2 && cards % columns === 1) columns--;
  return { columns, isFirstWide: columns === 2 && cards % 2 === 1 };
}
