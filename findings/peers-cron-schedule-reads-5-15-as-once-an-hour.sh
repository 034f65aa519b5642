#!/usr/bin/env bash
# The schedule "5/15 * * * *" (each quarter of an hour, from minute 5 on) runs once an hour with cron-schedule, without an error. One would guess
# what cron, cron-parser, later and systemd's timers make of it: minutes 5, 20, 35 and 50; or a refusal, as of croner 11 and node-cron. In
# cron-schedule the step counts from a single number to that same number.
# A builder is moved to minute 5 so that not all jobs begin at once, and its line is taken along to another scheduler: prices and stock of a catalog
# that says "fresh to 15 minutes" are up to an hour old, and every run looks right. "5-59/15" is read alike by all of them.
# Version: cron-schedule@6.0.0, cron@4.4.0, cron-parser@5.10.5, later@1.2.0, croner@11.0.0, node-cron@4.6.0, seen on Node 24.21 and 20.20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --silent cron-schedule@6.0.0 cron@4.4.0 cron-parser@5.10.5 later@1.2.0 croner@11.0.0 node-cron@4.6.0 luxon@3.7.2 > /dev/null 2>&1
cat > "$dir/run.mjs" <<'J'
import { CronTime } from "cron";
import { CronExpressionParser } from "cron-parser";
import { parseCronExpression } from "cron-schedule";
import { Cron } from "croner";
import later from "later";
import { DateTime } from "luxon";
import { validate } from "node-cron";
const from = new Date("2026-11-02T12:00:00Z");
const minutesOf = {
  "cron-schedule": (line) => parseCronExpression(line).getNextDates(4, from),
  cron: (line) => {
    const time = new CronTime(line, "UTC");
    const runs = [DateTime.fromJSDate(from, { zone: "UTC" })];
    while (runs.length < 5) runs.push(time.getNextDateFrom(runs.at(-1), "UTC"));
    return runs.slice(1).map((run) => run.toJSDate());
  },
  "cron-parser": (line) => CronExpressionParser.parse(line, { currentDate: from, tz: "UTC" }).take(4).map((run) => run.toDate()),
  later: (line) => later.schedule(later.parse.cron(line)).next(4, from),
  croner: (line) => new Cron(line, { timezone: "UTC" }).nextRuns(4, from),
  "node-cron": (line) => (validate(line) ? [] : Promise.reject(new Error("invalid"))),
};
for (const line of ["5/15 * * * *", "5-59/15 * * * *"]) {
  const seen = {};
  for (const [name, runs] of Object.entries(minutesOf)) {
    const said = await Promise.resolve().then(() => runs(line)).then((dates) => dates.map((date) => date.getUTCMinutes()).join(" ") || "valid", () => "refused");
    (seen[said] ??= []).push(name);
  }
  console.log(`${line.split(" ")[0]}: ${Object.entries(seen).map(([said, names]) => `${said} (${names.join(", ")})`).join("; ")}`);
}
J
seen=$(cd "$dir" && node run.mjs)
echo "Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '5/15: 5 5 5 5 (cron-schedule); 5 20 35 50 (cron, cron-parser, later); refused (croner, node-cron)
5-59/15: 5 20 35 50 (cron-schedule, cron, cron-parser, later, croner); valid (node-cron)' ]
