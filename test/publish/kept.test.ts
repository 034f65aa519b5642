/** Which older releases are kept: by number, and by time, thinned with age. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReleaseRecord } from "../../src/publish/documents.ts";
import { keptOf, SPARE } from "../../src/publish/kept.ts";
import { type Keep, parseKeep } from "../../src/publish/options.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = new Date("2026-11-20T12:30:00Z");
const WEEK = { seconds: 7 * DAY };

/** A release that went live at a time, in seconds, which its id contains. */
function releaseAt(seconds: number): ReleaseRecord {
  return {
    id: String(seconds),
    at: new Date(seconds * 1000).toISOString(),
    by: "",
    files: 0,
    sizeBytes: 0,
    put: 0,
    deleted: 0,
    catalogDigest: "",
    readAt: "2026-01-01T00:00:00.000Z",
    catalogFormat: 1,
    index: "",
  };
}

/** Older releases with these ages, newest first. */
const aged = (...ages: readonly number[]) => ages.map((age) => releaseAt(NOW.getTime() / 1000 - age));
const agesOf = (records: readonly ReleaseRecord[]) =>
  records.map(({ at }) => (NOW.getTime() - Date.parse(at)) / 1000);
const every = (seconds: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, at) => from + at * seconds);

/** The span of which one release is kept, as the help describes it. */
function spanOf(at: string, now: Date): string {
  const ageSeconds = (now.getTime() - Date.parse(at)) / 1000;
  const span = ageSeconds <= HOUR ? 60 : ageSeconds <= DAY ? HOUR : DAY;
  return `${span} ${Math.floor(Date.parse(at) / 1000 / span)}`;
}

/** A place after one publish at each of these times, in order: older releases, newest first, and how many publishes forgot any. */
function simulate(times: readonly number[], keep: Keep) {
  let older: readonly ReleaseRecord[] = [];
  let live: ReleaseRecord | null = null;
  let forgetting = 0;
  let most = 0;
  for (const seconds of times) {
    const before = live === null ? older : [live, ...older];
    older = keptOf(before, keep, new Date(seconds * 1000));
    live = releaseAt(seconds);
    forgetting += Number(older.length < before.length);
    most = Math.max(most, older.length + 1);
  }
  return { older, forgetting, most };
}

describe("how long releases are kept", () => {
  it.each([
    ["1", 1],
    ["10", 10],
    ["36h", { seconds: 129_600 }],
    ["7d", { seconds: 604_800 }],
    ["90d", { seconds: 7_776_000 }],
  ])("is written %s", (text, keep) => expect(parseKeep(text)).toEqual(keep));

  it.each(["0", "0d", "91d", "7w", "d", "1.5d", "-1", "", "7 d", "2161h", "10r"])(
    "is not written like %j",
    (text) =>
      expect(() => parseKeep(text)).toThrow(
        /does not say which releases to keep: write how long, .* like 7d or 12h/,
      ),
  );
});

describe("releases that are kept", () => {
  const CASES: readonly (readonly [string, Keep, readonly number[], readonly number[]])[] = [
    ["by number, including the live one", 3, [1, 2, 3, 4], [1, 2]],
    ["none before the live one", 1, [1, 2], []],
    ["all", Number.POSITIVE_INFINITY, [1, 2, 90 * DAY], [1, 2, 90 * DAY]],
    ["the newest ten however old", WEEK, every(1, 8 * DAY, 8 * DAY + 40), every(1, 8 * DAY, 8 * DAY + 8)],
    [
      "the first one of each minute in the last hour",
      WEEK,
      [...every(1, 1, 9), ...every(1, 601, 659)],
      [...every(1, 1, 9), 659],
    ],
    [
      "the first one of each hour in the last day",
      WEEK,
      [...every(1, 1, 9), ...every(60, 1.5 * HOUR + 60, 2.5 * HOUR - 60)],
      [...every(1, 1, 9), 2.5 * HOUR - 60],
    ],
    [
      "the first one of each earlier day",
      WEEK,
      [...every(1, 1, 9), ...every(900, 36.5 * HOUR + 900, 60.5 * HOUR - 900)],
      [...every(1, 1, 9), 60.5 * HOUR - 900],
    ],
    [
      "a few more, until there are enough to forget",
      WEEK,
      every(1, 100, 100 + SPARE + 7),
      every(1, 100, 127),
    ],
    [
      "none that should have been forgotten long ago",
      { seconds: DAY },
      [...every(1, 1, 9), 2 * DAY],
      every(1, 1, 9),
    ],
  ];
  it.each(CASES)("%s", (_, keep, ages, kept) => {
    expect(agesOf(keptOf(aged(...ages), keep, NOW))).toEqual(kept);
  });

  const places = fc
    .uniqueArray(fc.integer({ min: 1, max: 10 * DAY }), { minLength: 1, maxLength: 400 })
    .map((ages) => aged(...ages.sort((a, b) => a - b)));

  it("include the one before the live one, stay few, grow with the time to keep, and do not change by themselves", () => {
    fc.assert(
      fc.property(places, fc.integer({ min: HOUR, max: 8 * DAY }), (older, seconds) => {
        const kept = keptOf(older, { seconds }, NOW);
        expect(kept[0]).toBe(older[0]);
        expect(kept.length).toBeLessThanOrEqual(10 + 61 + 25 + Math.ceil(seconds / DAY) + 1 + SPARE);
        expect(keptOf(kept, { seconds }, NOW)).toEqual(kept);
        // The release of 1970 has expired in any case, so no surplus stays.
        const forgets = [...older, releaseAt(0)];
        const longer = keptOf(forgets, { seconds: seconds + 8 * DAY }, NOW);
        for (const record of keptOf(forgets, { seconds }, NOW)) {
          const isLonger = longer.some(
            ({ at }) => at <= record.at && spanOf(at, NOW) === spanOf(record.at, NOW),
          );
          expect(isLonger || older.indexOf(record) < 9).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("reach back from each moment of a week: with gaps of a minute for the last hour, an hour for a day, a day before", () => {
    const end = NOW.getTime() / 1000;
    const publishes = fc
      .uniqueArray(fc.integer({ min: 0, max: 8 * DAY }), { minLength: 20, maxLength: 600 })
      .map((ages) => ages.sort((a, b) => b - a).map((age) => end - age));
    fc.assert(
      fc.property(publishes, (times) => {
        const kept = simulate(times, WEEK).older.map(({ at }) => Date.parse(at) / 1000);
        const now = times.at(-1) as number;
        for (const time of times.slice(0, -1)) {
          const age = now - time;
          if (age > 6 * DAY) continue;
          const span = age <= HOUR ? 60 : age <= DAY ? HOUR : DAY;
          expect(kept.some((at) => at <= time && time - at < span)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("with a publish every 20 s for a day, cover an hour by the minute and a day by the hour, and one in twenty publishes forgets", () => {
    const { older, forgetting, most } = simulate(
      every(20, NOW.getTime() / 1000 - DAY, NOW.getTime() / 1000),
      WEEK,
    );
    const ages = agesOf(older);
    expect(ages.filter((age) => age <= HOUR).length).toBeGreaterThanOrEqual(60);
    expect(ages.filter((age) => age > HOUR + 20 * SPARE).length).toBeGreaterThanOrEqual(22);
    expect(Math.max(...ages)).toBe(DAY);
    expect(most).toBeLessThanOrEqual(10 + 61 + 25 + SPARE);
    expect(forgetting).toBeLessThan(4320 / 10);
  });
});
