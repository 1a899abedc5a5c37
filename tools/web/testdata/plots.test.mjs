// What plots say: their labels, when their buckets end, and that each row is in one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { count, shortDuration, shortMoney } from "../../../web/src/format";
import { buckets, stacked } from "../../../web/src/series";
import { end, isOpen, places } from "../../../web/src/ui/draw";

const plot = (xs, values, more) => ({ title: "t", kind: "bars", grain: "day", zone: "UTC", xs, until: new Date(), series: [{ name: "a", values }], format: count, width: 900, ...more });
const date = (text) => new Date(text);

test("labels of levels are their values", () => {
  const read = [
    [count, (label) => Number(label.replaceAll(",", ""))],
    [shortMoney, (label) => Number(label.replace("$", "").replaceAll(",", "")) * 1e9],
    [shortDuration, (label) => Number.parseFloat(label) * { ms: 1e3, s: 1e6, min: 60e6 }[label.split(" ")[1] ?? "ms"]],
  ];
  for (const [axis, value] of read) {
    for (const most of [1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 24, 99, 1010, 2400, 10_000, 11_000, 250_000, 1_050_000, 9_700_000, 10_500_000, 230_000_000]) {
      const at = places(plot([date("2026-03-01")], [most], { axis }));
      for (const level of at.levels) {
        assert.ok(Math.abs(at.y(value(level.label)) - level.at) <= 1, `${axis.name} to ${most}: ${level.label} is at ${level.at}, not ${at.y(value(level.label))}`);
      }
      assert.equal(new Set(at.levels.map((level) => level.label)).size, at.levels.length);
      assert.ok(at.levels.length >= 2 && at.levels.length <= 6, `${at.levels.length} levels to ${most}`);
    }
  }
});

test("the last bucket ends where its day or month does", () => {
  for (const [grain, zone, from, to, ends] of [
    ["day", "Europe/Berlin", "2026-03-27T23:00:00Z", "2026-03-29T22:00:00Z", "2026-03-29T22:00:00Z"], // a day of 23 hours
    ["day", "Europe/Berlin", "2026-10-23T22:00:00Z", "2026-10-25T10:00:00Z", "2026-10-25T23:00:00Z"], // of 25
    ["month", "UTC", "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"],
    ["hour", "Asia/Kolkata", "2026-03-01T10:30:00Z", "2026-03-01T11:30:00Z", "2026-03-01T11:30:00Z"],
  ]) {
    const xs = buckets(date(from), date(to), grain, zone);
    const drawn = plot(xs, xs.map(() => 1), { grain, zone, until: date(ends) });
    assert.deepEqual(end(drawn, xs.length - 1), date(ends), `${grain} in ${zone}`);
    assert.equal(isOpen(drawn, xs.length - 1), false);
  }
});

test("a row of an hour that was summed in another time zone is in a bucket", () => {
  const xs = buckets(date("2026-03-01T10:30:00Z"), date("2026-03-01T14:30:00Z"), "hour", "Asia/Kolkata");
  const rows = ["2026-03-01T11:00:00Z", "2026-03-01T11:30:00Z", "2026-03-01T14:00:00Z"].map((hour, i) => ({ hour, model: "m", cost_nanodollars: 10 ** i }));
  const series = stacked({ rows, xs, zone: "Asia/Kolkata", group: (row) => row.model, value: (row) => row.cost_nanodollars });
  assert.deepEqual(series, [{ name: "m", values: [1, 10, 0, 100] }]);
});

test("a day that begins at one o'clock has its label", () => {
  const xs = buckets(date("2026-04-22T12:00:00Z"), date("2026-04-25T12:00:00Z"), "hour", "Africa/Cairo");
  const labels = places(plot(xs, xs.map(() => 1), { grain: "hour", zone: "Africa/Cairo", width: 1800 })).times.map((time) => time.label);
  assert.deepEqual(labels.filter((label) => label.includes("Apr")), ["23 Apr", "24 Apr", "25 Apr"]);
});
