/** The drawings of the demo's pictures: a small one per product, in a box of 360 × 360. */
import { between } from "../seed/dice.ts";

/** `paper`: the ground; `ink`: text; `accent`: what catches the eye; `soft`: what lies behind. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly accent: string;
  readonly soft: string;
  readonly card: string;
  readonly line: string;
}
type Draw = (palette: Palette) => string;

const box = (x: number, y: number, width: number, height: number, fill: string, radius = 6) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const dot = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const stroke = (path: string, colour: string, width = 6) =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const shape = (path: string, fill: string) => `<path d="${path}" fill="${fill}"/>`;
const times = (count: number, draw: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => draw(at)).join("");
const lines = (x: number, y: number, count: number, most: number, fill: string, step = 24) =>
  times(count, (at) => box(x, y + at * step, between(Math.round(most * 0.55), most), 9, fill, 4));
const card = ({ card: fill }: Palette, x = 20, y = 0, width = 320, height = 400) =>
  box(x, y, width, height, fill, 16);
const tick = (x: number, y: number, colour: string, size = 1) =>
  stroke(`M${x} ${y}l${12 * size} ${12 * size} ${24 * size} ${-26 * size}`, colour, 7 * size);

/** A window with three dots; what is in it is drawn from (0, 52). */
const window = (palette: Palette, inside: string) =>
  box(0, 0, 420, 360, palette.card, 16) +
  times(3, (at) => dot(28 + at * 22, 27, 6, palette.line)) +
  box(110, 18, 180, 18, palette.line, 9) +
  inside;

/** The book's own title is on the picture already: its cover has a mark. */
const book =
  (mark: Draw): Draw =>
  (palette) =>
    box(58, 8, 260, 360, palette.soft, 6) +
    box(44, 0, 260, 360, palette.accent, 6) +
    box(44, 0, 26, 360, palette.ink, 6).replace("/>", ' opacity=".22"/>') +
    `<g transform="translate(88 90)">${mark({ ...palette, accent: palette.paper })}</g>`;

const envelope = (palette: Palette, letter: string) =>
  box(10, 120, 360, 240, palette.soft, 14) +
  `<g transform="translate(44 10)">${box(0, 0, 292, 260, palette.card, 10)}${letter}</g>` +
  shape("M10 190 L190 300 L370 190 V346 Q370 360 356 360 H24 Q10 360 10 346 Z", palette.accent) +
  stroke("M14 354 L150 276 M366 354 L230 276", palette.line, 4);

const sheet = (palette: Palette, inside: string) =>
  box(52, 14, 290, 390, palette.soft, 10) + box(28, 0, 290, 390, palette.card, 10) + inside;

export const DRAWINGS: Readonly<Record<string, Draw>> = {
  "invoice-kit": (p) =>
    sheet(
      p,
      box(56, 32, 60, 60, p.accent, 12) +
        lines(180, 40, 3, 110, p.line, 20) +
        times(
          4,
          (at) =>
            box(56, 136 + at * 34, between(90, 150), 10, p.line, 5) +
            box(240, 136 + at * 34, 48, 10, p.line, 5),
        ) +
        box(56, 282, 234, 3, p.ink, 1) +
        box(56, 300, 70, 14, p.ink, 5) +
        box(212, 296, 78, 22, p.accent, 6),
    ),
  bookline: (p) =>
    card(p) +
    box(20, 0, 320, 64, p.accent, 16) +
    times(7, (at) => box(46 + at * 40, 84, 22, 7, p.line, 3)) +
    times(28, (at) =>
      box(
        42 + (at % 7) * 40,
        106 + Math.floor(at / 7) * 50,
        32,
        40,
        [9, 12, 17, 25].includes(at) ? p.accent : p.line,
        7,
      ),
    ) +
    tick(247, 222, p.card, 0.6),
  "form-relay": (p) =>
    card(p) +
    times(
      3,
      (at) => box(48, 36 + at * 72, 80, 9, p.line, 4) + stroke(`M52 ${56 + at * 72}h256v30h-256z`, p.line, 4),
    ) +
    box(48, 262, 120, 44, p.accent, 10) +
    stroke("M84 284h40m-14-14l14 14-14 14", p.card, 6),
  "sitemap-keeper": (p) =>
    stroke("M180 62v70M180 132H70v60M180 132h110v60M180 132v60M70 240v60M290 240v60M180 240v60", p.line, 5) +
    box(130, 10, 100, 60, p.accent, 12) +
    times(3, (at) => box(28 + at * 110, 186, 84, 56, p.card, 10)) +
    times(3, (at) => box(28 + at * 110, 296, 84, 56, at === 1 ? p.soft : p.card, 10)) +
    stroke("M208 312l28 24m0-24l-28 24", p.accent, 6),
  "image-press": (p) =>
    box(0, 0, 270, 200, p.card, 12) +
    shape("M12 188V150L80 80 140 140 180 104 258 188Z", p.accent) +
    dot(210, 52, 24, p.line) +
    box(288, 0, 150, 112, p.card, 10) +
    shape("M296 104V86L330 52 362 84 384 64 430 104Z", p.accent) +
    box(288, 130, 90, 70, p.card, 8) +
    shape("M294 194V180L314 160 334 178 346 168 372 194Z", p.accent) +
    box(0, 218, 378, 140, p.soft, 12) +
    lines(26, 246, 4, 300, p.line),
  "stock-sync": (p) =>
    times(2, (side) =>
      times(
        3,
        (row) =>
          box(side * 240, 90 + row * 110, 150, 10, p.line, 3) +
          times(3, (at) =>
            (row + at + side) % 4 === 3
              ? ""
              : box(8 + side * 240 + at * 46, 42 + row * 110, 38, 48, at === 1 ? p.accent : p.card, 6),
          ),
      ),
    ) + stroke("M166 150h56m-16-16l16 16-16 16M222 230h-56m16-16l-16 16 16 16", p.accent, 8),
  "webhook-relay": (p) =>
    stroke("M40 180H380", p.line, 6) +
    times(4, (at) => box(16 + at * 100, 144, 72, 72, at === 3 ? p.accent : p.card, 16)) +
    times(3, (at) => tick(34 + at * 100, 180, p.accent, 0.9)) +
    stroke("M352 130C340 60 240 50 226 122m-16-16l16 18 20-14", p.accent, 7) +
    lines(16, 258, 3, 330, p.line, 28),
  "csv-bridge": (p) =>
    times(
      2,
      (side) =>
        box(side * 240, 20, 160, 320, p.card, 12) +
        times(
          8,
          (row) =>
            box(18 + side * 240, 44 + row * 36, 50, 10, row === 0 ? p.accent : p.line, 4) +
            box(84 + side * 240, 44 + row * 36, between(36, 58), 10, row === 0 ? p.accent : p.line, 4),
        ),
    ) + stroke("M160 90C200 90 200 200 240 200M160 200C200 200 200 90 240 90M160 280H240", p.accent, 5),
  "quiet-status": (p) =>
    card(p, 0, 20, 420, 320) +
    dot(42, 66, 14, p.accent) +
    box(70, 58, 220, 16, p.ink, 6) +
    times(
      3,
      (row) =>
        box(28, 112 + row * 74, 90, 9, p.line, 4) +
        times(40, (at) =>
          box(28 + at * 9.2, 130 + row * 74, 6, 32, (at * 7 + row * 11) % 37 === 5 ? p.ink : p.accent, 2),
        ),
    ),
  "backup-courier": (p) =>
    box(30, 130, 300, 220, p.card, 18) +
    stroke("M100 130V96a80 80 0 0 1 160 0v34", p.accent, 22) +
    dot(180, 226, 30, p.accent) +
    box(170, 236, 20, 54, p.accent, 8) +
    stroke("M370 200a90 90 0 0 1-10 110m-22 2l22 0 4-22", p.accent, 9),
  "short-links": (p) =>
    card(p, 30, 10, 330, 330) +
    times(121, (at) => {
      const [x, y] = [at % 11, Math.floor(at / 11)];
      const isCorner = (x < 4 && y < 4) || (x > 6 && y < 4) || (x < 4 && y > 6);
      return isCorner || between(0, 1) === 0 ? "" : box(52 + x * 26, 32 + y * 26, 24, 24, p.ink, 4);
    }) +
    ["52 32", "260 32", "52 240"]
      .map((at) => {
        const [x = 0, y = 0] = at.split(" ").map(Number);
        return (
          box(x, y, 78, 78, p.accent, 12) +
          box(x + 14, y + 14, 50, 50, p.card, 8) +
          box(x + 26, y + 26, 26, 26, p.accent, 5)
        );
      })
      .join(""),
  "price-watch": (p) =>
    card(p, 0, 20, 420, 320) +
    times(4, (at) => box(28, 80 + at * 62, 364, 3, p.line, 1)) +
    stroke("M30 250L90 220 150 236 210 160 270 178 330 110 390 130", p.accent, 8) +
    stroke("M30 200L90 210 150 190 210 240 270 232 330 270 390 262", p.line, 8) +
    dot(330, 110, 14, p.ink),
  "woo-vat-check": (p) =>
    shape("M180 6L330 56V180C330 280 250 340 180 370 110 340 30 280 30 180V56Z", p.accent) +
    shape("M180 40L300 80V180C300 260 236 310 180 334 124 310 60 260 60 180V80Z", p.card) +
    tick(122, 190, p.accent, 3),
  "opening-hours": (p) =>
    dot(190, 180, 180, p.card) +
    dot(190, 180, 152, p.line) +
    shape("M190 180V30A150 150 0 0 1 320 255Z", p.accent) +
    stroke("M190 180V76M190 180L258 220", p.ink, 12) +
    dot(190, 180, 14, p.ink),
  "quiet-comments": (p) =>
    box(0, 10, 300, 130, p.card, 26) +
    shape("M50 130L50 176 96 138Z", p.card) +
    lines(36, 48, 3, 220, p.line, 26) +
    box(90, 196, 300, 120, p.accent, 26) +
    shape("M340 306L340 350 292 314Z", p.accent) +
    lines(126, 232, 2, 220, p.card, 28),
  "order-export": (p) =>
    card(p, 20, 0, 280, 330) +
    times(6, (row) =>
      times(3, (at) =>
        box(46 + at * 80, 40 + row * 44, between(36, 62), 11, row === 0 ? p.accent : p.line, 5),
      ),
    ) +
    dot(300, 290, 74, p.accent) +
    stroke("M300 256v64m-26-26l26 28 26-28", p.card, 11),
  "gift-cards": (p) =>
    `<g transform="rotate(8 200 180)">${box(10, 70, 380, 230, p.soft, 20)}</g>` +
    box(0, 60, 380, 230, p.card, 20) +
    box(90, 60, 34, 230, p.accent, 0) +
    box(0, 156, 380, 34, p.accent, 0) +
    shape(
      "M107 172C60 110 20 120 34 156 44 182 84 180 107 172ZM107 172C154 110 194 120 180 156 170 182 130 180 107 172Z",
      p.ink,
    ) +
    box(236, 228, 116, 18, p.line, 6),
  "size-guide": (p) =>
    shape("M120 40L40 90 70 160 104 144V340H276V144L310 160 340 90 260 40C240 74 140 74 120 40Z", p.card) +
    box(84, 208, 212, 36, p.accent, 6) +
    times(13, (at) => box(94 + at * 16, 208, 3, at % 3 === 0 ? 20 : 12, p.paper, 1)),
  "redirect-ledger": (p) =>
    box(0, 30, 190, 64, p.card, 14) +
    box(200, 270, 190, 64, p.accent, 14) +
    lines(24, 56, 1, 140, p.line) +
    lines(224, 296, 1, 140, p.card) +
    stroke("M96 104V210C96 280 120 302 180 302m-22-24l24 24-24 24", p.accent, 10) +
    stroke("M230 62h100m30 0h20", p.line, 8),
  "reading-list": (p) =>
    times(
      3,
      (at) => box(10, 10 + at * 118, 350, 100, p.card, 14) + lines(36, 42 + at * 118, 2, 210, p.line, 28),
    ) +
    shape("M290 10H340V92L315 70 290 92Z", p.accent) +
    shape("M290 246H340V328L315 306 290 328Z", p.accent),
  fjord: (p) =>
    window(
      p,
      box(24, 66, 372, 150, p.soft, 8) +
        shape("M24 216V180L110 104 170 160 236 90 330 176 396 130V208Q396 216 388 216Z", p.accent) +
        times(
          3,
          (at) => box(24 + at * 128, 236, 116, 74, p.soft, 8) + box(24 + at * 128, 320, 70, 9, p.line, 4),
        ),
    ),
  "paper-and-ink": (p) =>
    window(
      p,
      box(60, 78, 220, 24, p.ink, 5) +
        lines(60, 126, 9, 240, p.line, 22) +
        box(324, 150, 66, 8, p.accent, 4) +
        box(324, 166, 50, 8, p.accent, 4) +
        box(324, 182, 60, 8, p.accent, 4),
    ),
  atelier: (p) =>
    window(
      p,
      [
        [24, 66, 120, 130],
        [154, 66, 242, 130],
        [24, 206, 190, 130],
        [224, 206, 80, 130],
        [314, 206, 82, 130],
      ]
        .map(([x = 0, y = 0, w = 0, h = 0], at) =>
          box(x, y, w, h, [p.accent, p.soft, p.line, p.accent, p.soft][at] ?? p.line, 4),
        )
        .join(""),
    ),
  saltwater: (p) =>
    window(
      p,
      box(130, 72, 160, 20, p.ink, 5) +
        times(
          5,
          (at) =>
            box(50, 124 + at * 40, between(120, 200), 11, p.line, 5) +
            box(330, 124 + at * 40, 40, 11, p.accent, 5),
        ) +
        stroke("M24 334q24-22 48 0t48 0 48 0 48 0 48 0 48 0 48 0 48 0", p.accent, 6),
    ),
  "long-read": (p) =>
    window(
      p,
      box(24, 70, 372, 30, p.ink, 5) +
        box(24, 116, 180, 120, p.accent, 4) +
        lines(24, 252, 4, 180, p.line, 22) +
        lines(224, 120, 10, 76, p.line, 21) +
        lines(320, 120, 10, 76, p.line, 21),
    ),
  "notebook-docs": (p) =>
    window(
      p,
      box(0, 52, 104, 308, p.soft, 0) +
        lines(20, 80, 8, 66, p.line, 28) +
        box(128, 76, 150, 20, p.ink, 5) +
        lines(128, 116, 3, 180, p.line, 22) +
        box(128, 190, 190, 100, p.ink, 10) +
        lines(146, 210, 3, 130, p.accent, 24) +
        lines(340, 84, 4, 56, p.line, 22),
    ),
  "order-mail-set": (p) =>
    envelope(
      p,
      box(28, 26, 60, 60, p.accent, 12) +
        tick(42, 56, p.card, 0.9) +
        lines(108, 36, 2, 150, p.line) +
        lines(28, 112, 3, 230, p.line, 28),
    ),
  "newsletter-frames": (p) =>
    envelope(
      p,
      box(28, 24, 236, 84, p.accent, 8) + times(2, (at) => box(28 + at * 124, 122, 112, 60, p.line, 6)),
    ),
  "onboarding-letters": (p) =>
    envelope(p, box(28, 30, 120, 16, p.ink, 5) + lines(28, 66, 5, 236, p.line, 24)),
  "event-mails": (p) =>
    envelope(
      p,
      box(28, 26, 236, 130, p.ink, 12) +
        dot(28, 91, 16, p.card) +
        dot(264, 91, 16, p.card) +
        times(17, (at) => box(66 + at * 9, 60, [5, 3, 6][at % 3] ?? 3, 62, p.accent, 1)),
    ),
  "freelance-contracts": (p) =>
    sheet(
      p,
      box(58, 36, 150, 18, p.ink, 5) +
        lines(58, 84, 8, 220, p.line, 24) +
        stroke("M60 320c20-40 40 20 56-6s20-22 30 4 30 6 44-10", p.accent, 7) +
        box(58, 338, 140, 3, p.ink, 1),
    ),
  "proposal-deck": (p) =>
    times(3, (at) =>
      box(60 - at * 30, at * 62, 340, 210, at === 2 ? p.card : p.soft, 14).replace(
        "/>",
        ` opacity="${0.45 + at * 0.27}"/>`,
      ),
    ) +
    box(28, 154, 140, 20, p.ink, 5) +
    times(3, (at) => box(28 + at * 96, 204, 82, 100, at === 1 ? p.accent : p.line, 10)),
  "client-handbook": (p) =>
    sheet(
      p,
      times(
        6,
        (at) =>
          box(58, 40 + at * 52, 28, 28, at < 4 ? p.accent : p.line, 7) +
          (at < 4 ? tick(63, 53 + at * 52, p.card, 0.5) : "") +
          box(104, 50 + at * 52, between(110, 180), 10, p.line, 5),
      ),
    ),
  "privacy-pages": (p) =>
    sheet(
      p,
      lines(58, 44, 4, 220, p.line, 24) +
        shape("M173 150L242 176V236C242 284 206 312 173 326 140 312 104 284 104 236V176Z", p.accent) +
        dot(173, 224, 18, p.card) +
        box(166, 230, 14, 40, p.card, 6),
    ),
  "brand-sheet": (p) =>
    sheet(
      p,
      dot(173, 110, 66, p.accent) +
        times(5, (at) =>
          box(58 + at * 48, 206, 40, 54, [p.accent, p.ink, p.line, p.soft, p.paper][at] ?? p.line, 8),
        ) +
        box(58, 290, 160, 26, p.ink, 6) +
        lines(58, 338, 2, 220, p.line, 20),
    ),
  "fieldnotes-forms": (p) =>
    card(p, 0, 10, 400, 340) +
    box(32, 46, 90, 9, p.line, 4) +
    stroke("M36 70h324v46h-324z", p.accent, 5) +
    box(52, 88, 160, 10, p.ink, 5) +
    box(32, 142, 110, 9, p.line, 4) +
    times(
      3,
      (at) =>
        dot(46 + at * 110, 178, 15, p.line) +
        (at === 0 ? dot(46, 178, 8, p.accent) : "") +
        box(70 + at * 110, 173, 48, 10, p.line, 5),
    ) +
    times(
      2,
      (at) =>
        box(32, 214 + at * 36, 26, 26, at === 0 ? p.accent : p.line, 7) +
        box(72, 222 + at * 36, 200, 10, p.line, 5),
    ) +
    tick(37, 227, p.card, 0.5) +
    box(32, 292, 150, 42, p.accent, 10),
  "ledger-dashboard": (p) =>
    card(p, 0, 10, 430, 340) +
    times(
      3,
      (at) =>
        box(24 + at * 132, 36, 118, 84, p.soft, 10) +
        box(38 + at * 132, 54, 50, 8, p.line, 4) +
        box(38 + at * 132, 76, 80, 22, at === 0 ? p.accent : p.ink, 5),
    ) +
    times(6, (row) =>
      times(4, (at) => {
        const width = between(34, 76);
        return box(
          24 + at * 100 + (at === 0 ? 0 : 80 - width),
          148 + row * 32,
          width,
          10,
          at === 3 ? p.accent : p.line,
          5,
        );
      }),
    ),
  "checkout-patterns": (p) =>
    times(3, (at) => dot(60 + at * 130, 34, 26, at < 2 ? p.accent : p.line)) +
    stroke("M92 34h66M222 34h66", p.line, 5) +
    tick(44, 34, p.card, 0.9) +
    box(20, 90, 340, 210, p.accent, 20) +
    box(20, 126, 340, 42, p.ink, 0) +
    times(4, (at) => box(48 + at * 74, 206, 56, 16, p.card, 6)) +
    box(48, 250, 100, 12, p.card, 5),
  "settings-screens": (p) =>
    card(p, 0, 10, 400, 340) +
    times(
      5,
      (at) =>
        box(32, 50 + at * 60, between(120, 190), 12, p.line, 5) +
        box(288, 38 + at * 60, 78, 36, at % 2 === 0 ? p.accent : p.line, 18) +
        dot(at % 2 === 0 ? 348 : 306, 56 + at * 60, 14, p.card),
    ),
  "northlight-icons": (p) => {
    const icons = [
      "M4 12h16M12 4v16",
      "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
      "M5 13l4 4L19 7",
      "M4 6h16v12H4zM4 10h16",
      "M12 4l8 14H4z",
      "M4 12a8 8 0 1 0 3-6M4 4v5h5",
      "M6 4h12v16l-3-2-3 2-3-2-3 2z",
      "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c2-6 14-6 16 0",
      "M4 7h16M4 12h10M4 17h13",
      "M5 10l7-6 7 6v10H5z",
      "M12 5v9m-4-4l4 4 4-4M5 19h14",
      "M4 4h7v7H4zM13 13h7v7h-7zM13 4h7v7h-7z",
    ];
    return icons
      .map((path, at) => {
        const [x, y] = [(at % 4) * 102, Math.floor(at / 4) * 118];
        return (
          box(x, y, 90, 104, at === 5 ? p.accent : p.card, 16) +
          `<g transform="translate(${x + 18} ${y + 24}) scale(2.25)">${stroke(path, at === 5 ? p.card : p.ink, 1.6)}</g>`
        );
      })
      .join("");
  },
  "payment-marks": (p) =>
    times(12, (at) => {
      const [x, y] = [(at % 3) * 134, Math.floor(at / 3) * 90];
      const mark =
        [
          dot(x + 46, y + 37, 20, p.accent) + dot(x + 72, y + 37, 20, p.line),
          box(x + 24, y + 28, 70, 18, p.accent, 6),
          stroke(`M${x + 34} ${y + 48}l14-24 14 24 14-24`, p.accent, 7),
          box(x + 22, y + 20, 74, 12, p.ink, 2) + box(x + 22, y + 42, 40, 9, p.line, 4),
        ][(at * 5) % 4] ?? "";
      return box(x, y, 118, 74, p.card, 12) + mark;
    }),
  "weather-spots": (p) =>
    dot(130, 110, 70, p.accent) +
    times(8, (at) => {
      const angle = (at * Math.PI) / 4;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      return stroke(`M${130 + x * 88} ${110 + y * 88}L${130 + x * 112} ${110 + y * 112}`, p.accent, 9);
    }) +
    shape("M120 250a60 60 0 0 1 20-116 90 90 0 0 1 170-10 64 64 0 0 1 20 126Z", p.card) +
    times(5, (at) =>
      stroke(`M${136 + at * 44} ${286 + (at % 2) * 26}v24m-10-19l20 14m0-14l-20 14`, p.ink, 5),
    ),
  "pricing-small-software": book(
    (p) => stroke("M0 150L60 100 110 120 190 30", p.accent, 14) + stroke("M150 26h42v42", p.accent, 14),
  ),
  "first-plugin": book(
    (p) =>
      stroke("M40 60v90a50 50 0 0 0 100 0V60M64 60V10M116 60V10M90 200v50", p.accent, 16) +
      box(24, 52, 132, 20, p.accent, 8),
  ),
  "calm-support": book(
    (p) =>
      box(0, 20, 180, 110, p.accent, 40) +
      shape("M40 120V176L96 124Z", p.accent) +
      stroke("M44 76q22-26 46 0t46 0", p.ink, 10),
  ),
  "sql-for-shopkeepers": book(
    (p) =>
      `<ellipse cx="90" cy="30" rx="84" ry="28" fill="${p.accent}"/>` +
      times(2, (at) => stroke(`M6 ${70 + at * 56}c0 38 168 38 168 0`, p.accent, 14)) +
      stroke("M6 30V140c0 38 168 38 168 0V30", p.accent, 12),
  ),
  tidewatch: (p) =>
    window(
      p,
      times(
        6,
        (at) =>
          dot(40, 86 + at * 44, 11, at === 3 ? p.ink : p.accent) +
          box(66, 80 + at * 44, between(110, 180), 11, p.line, 5) +
          stroke(
            `M290 ${92 + at * 44}q14-${18 + ((at * 7) % 9)} 28 0t28 0 28 0`,
            at === 3 ? p.line : p.accent,
            5,
          ),
      ),
    ),
  proofdesk: (p) =>
    window(
      p,
      box(24, 66, 372, 270, p.soft, 8) +
        box(50, 92, 150, 26, p.line, 5) +
        box(50, 136, 190, 170, p.line, 8) +
        [
          [226, 150],
          [96, 240],
          [340, 270],
        ]
          .map(
            ([x = 0, y = 0], at) =>
              shape(`M${x} ${y + 34}c-30-30-26-58 0-58s30 28 0 58Z`, p.accent) +
              dot(x, y + 2, 9, at === 0 ? p.ink : p.card),
          )
          .join("") +
        box(262, 100, 110, 54, p.card, 10) +
        lines(276, 118, 2, 80, p.line, 18),
    ),
  labelmaker: (p) =>
    dot(100, 190, 120, p.soft) +
    dot(100, 190, 44, p.paper) +
    box(100, 70, 330, 150, p.card, 8) +
    times(22, (at) => box(126 + at * 8.6, 96, [4, 2, 6, 3][at % 4] ?? 3, 62, p.ink, 0)) +
    lines(126, 176, 2, 180, p.line, 18) +
    box(344, 100, 60, 60, p.accent, 10),
  shelfcount: (p) =>
    times(
      3,
      (row) =>
        box(0, 100 + row * 110, 420, 12, p.line, 4) +
        times(6, (at) =>
          box(10 + at * 68, 42 + row * 110, 54, 58, (at + row) % 5 === 0 ? p.accent : p.card, 8),
        ),
    ) +
    box(220, 110, 130, 240, p.ink, 22) +
    box(232, 126, 106, 208, p.paper, 10) +
    tick(262, 226, p.accent, 1.4),
  installation: (p) =>
    card(p, 0, 30, 400, 300) +
    times(
      3,
      (at) =>
        box(28, 62 + at * 84, 344, 64, p.soft, 12) +
        dot(58, 94 + at * 84, 11, p.accent) +
        box(86, 89 + at * 84, between(110, 190), 11, p.line, 5),
    ) +
    dot(360, 300, 66, p.accent) +
    tick(332, 302, p.card, 1.6),
  "theme-day": (p) =>
    dot(200, 190, 130, p.accent) +
    times(12, (at) => {
      const angle = (at * Math.PI) / 6;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      return stroke(`M${200 + x * 154} ${190 + y * 154}L${200 + x * 182} ${190 + y * 182}`, p.accent, 11);
    }) +
    stroke("M200 190V104M200 190L262 226", p.paper, 14),
  migration: (p) =>
    box(0, 150, 240, 150, p.card, 14) +
    shape("M250 190H330L390 246V300H250Z", p.accent) +
    dot(80, 306, 38, p.ink) +
    dot(80, 306, 15, p.card) +
    dot(310, 306, 38, p.ink) +
    dot(310, 306, 15, p.card) +
    times(3, (at) => box(24 + at * 68, 176, 56, 56, at === 1 ? p.accent : p.line, 8)) +
    stroke("M20 90h110M60 50h150", p.line, 8),
  "freelancer-bundle": (p) => stack(p, 4),
  "new-shop-bundle": (p) => stack(p, 4),
  "writer-bundle": (p) => stack(p, 4),
};

/** So many cards, one behind the other. */
function stack(p: Palette, count: number): string {
  const fills = [p.soft, p.line, p.accent, p.card];
  return (
    times(
      count,
      (at) =>
        `<g transform="translate(${150 - at * 44} ${at * 40}) rotate(${9 - at * 4})">${box(0, 0, 240, 250, fills[at] ?? p.card, 18)}</g>`,
    ) +
    `<g transform="translate(18 120) rotate(-3)">${box(28, 30, 64, 64, p.accent, 14)}${lines(28, 124, 4, 180, p.line, 26)}</g>`
  );
}
