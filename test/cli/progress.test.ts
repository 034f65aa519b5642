import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { CLOCK } from "../../src/base/clock.ts";
import type { Progress } from "../../src/base/log.ts";
import { Display, formatDuration, formatPace } from "../../src/cli/progress.ts";

/** A stream that remembers, and a clock that is set by hand. */
function stage(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 100 });
  let now = 0;
  const display = new Display(stream, { ...CLOCK, elapsed: () => now });
  const said = () => String(stream.read() ?? "");
  const at = (seconds: number, state: Progress) => {
    now = seconds * 1000;
    display.show(() => state);
    return said();
  };
  return { display, at, said };
}

const rendering = (done: number): Progress => ({ what: "rendering", done, of: 12_983, unit: "files" });

describe("progress", () => {
  it("on a terminal appears after half a second with a bar, rate and time left, and disappears at the end", () => {
    const { at, display, said } = stage(true);
    expect(at(0, "extracting")).toBe("");
    expect(at(0.5, "extracting")).toBe("\r\u001b[Kextracting …");
    expect(stripVTControlCharacters(at(1, rendering(0)))).toMatch(
      /rendering {2}░+ {4}0 % {2}0 of 12,983 files$/,
    );
    expect(stripVTControlCharacters(at(1.5, rendering(1200)))).toMatch(/1,200 of 12,983 files {2}2,400\/s$/);
    const bar = stripVTControlCharacters(at(3, rendering(8049)));
    expect(bar).toMatch(/rendering {2}█+░+ {2} 61 % {2}8,049 of 12,983 files {2}4,025\/s {2}0:01 left/);
    display.clear();
    expect(said()).toContain("\u001b[");
    expect(at(4, "comparing")).toBe("\r\u001b[Kcomparing …");
    display.clear();
    expect(said()).toBe("\r\u001b[K");
  });

  it("elsewhere is a line every ten seconds, without a carriage return", () => {
    const { at } = stage(false);
    expect(at(0, rendering(0)) + at(9.9, rendering(5000))).toBe("");
    expect(at(10, rendering(6000))).toBe("rendering 6,000 of 12,983 files  600/s  0:12 left\n");
    expect(at(15, rendering(7000))).toBe("");
    expect(at(20, "putting in place")).toBe("putting in place\n");
  });

  it("shows durations as clocks do, and no rate before it is known", () => {
    expect([0, 14.4, 61, 3723].map(formatDuration)).toEqual(["0:00", "0:14", "1:01", "1:02:03"]);
    expect(formatPace({ what: "x", done: 0, of: 9, unit: "files" }, 3)).toBe("");
    expect(formatPace({ what: "x", done: 3, of: 9, unit: "files" }, 0)).toBe("");
  });

  it("shows the time left from 15 % on", () => {
    const done = (count: number) => ({ what: "x", done: count, of: 100, unit: "files" });
    expect(formatPace(done(14), 10)).toBe("  1/s");
    expect(formatPace(done(20), 10)).toBe("  2/s  0:40 left");
    expect(formatPace(done(50), 10)).toBe("  5/s  0:10 left");
  });
});
