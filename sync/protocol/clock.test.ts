import { expect, onTestFinished, test, vi } from "vitest";
import {
	addDays,
	businessDay,
	localHours,
	localTimes,
	momentOf,
} from "./clock.ts";

test.each([
	["2026-11-20T08:00:00.000Z", "Africa/Nairobi", 0, "2026-11-20"],
	["2026-11-20T20:59:59.999Z", "Africa/Nairobi", 0, "2026-11-20"],
	["2026-11-20T21:00:00.000Z", "Africa/Nairobi", 0, "2026-11-21"],
	// A bar's night belongs to the day before until three.
	["2026-11-20T23:59:00.000Z", "Africa/Nairobi", 3, "2026-11-20"],
	["2026-11-21T00:00:00.000Z", "Africa/Nairobi", 3, "2026-11-21"],
	["2026-12-31T23:30:00.000Z", "Africa/Nairobi", 3, "2026-12-31"],
	// Daylight saving time starts on 8 March and ends on 1 November.
	["2026-03-08T02:30:00.000Z", "America/New_York", 0, "2026-03-07"],
	["2026-03-08T06:59:00.000Z", "America/New_York", 2, "2026-03-07"],
	["2026-03-08T07:00:00.000Z", "America/New_York", 2, "2026-03-08"],
	["2026-11-01T05:30:00.000Z", "America/New_York", 2, "2026-10-31"],
	["2026-11-01T07:00:00.000Z", "America/New_York", 2, "2026-11-01"],
	["2026-01-01T09:59:00.000Z", "Pacific/Kiritimati", 0, "2026-01-01"],
	["2026-01-01T10:00:00.000Z", "Pacific/Kiritimati", 0, "2026-01-02"],
	["2026-01-01T11:59:00.000Z", "Etc/GMT+12", 0, "2025-12-31"],
	["2026-06-30T18:29:00.000Z", "Asia/Kolkata", 0, "2026-06-30"],
	["0001-01-01T00:00:00.000Z", "UTC", 0, "0001-01-01"],
])("%s in %s with a cut-off at %d belongs to %s", (at, zone, cutOff, day) => {
	expect(businessDay(at, zone, cutOff)).toBe(day);
});

test.each([
	["Africa/Nairobi", "2026-11-01"],
	["Asia/Kathmandu", "2026-11-01"],
	["UTC", "2026-12-20"],
	// Zones whose clocks go back and forward, by an hour and by half an hour.
	["America/New_York", "2026-10-20"],
	["America/New_York", "2026-02-28"],
	["Australia/Lord_Howe", "2026-03-25"],
	["Australia/Lord_Howe", "2026-09-25"],
	["Pacific/Apia", "2011-12-20"],
])("local hours in %s from %s are those on the clocks there", (zone, from) => {
	const format = new Intl.DateTimeFormat("en", {
		timeZone: zone,
		hourCycle: "h23",
		hour: "2-digit",
	});
	const hourOf = localHours(zone);
	for (let i = 0; i < 20 * 96; i += 1) {
		const at = new Date(Date.parse(`${from}T00:00Z`) + i * 15 * 60_000);
		const quarter = at.toISOString().slice(0, 16);
		expect(`${quarter} ${hourOf(quarter)}`).toBe(
			`${quarter} ${Number(format.format(at))}`,
		);
	}
});

test.each([
	["2026-11-20", 2],
	["2026-11-01", 2 + 96],
])(
	"local hours of %s take %i zone lookups: two, and one per quarter hour on the day of a clock change",
	(day, times) => {
		const asked = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
		onTestFinished(() => asked.mockRestore());
		const hourOf = localHours("America/New_York");
		for (let i = 0; i < 96; i += 1) {
			const at = new Date(Date.parse(day) + i * 15 * 60_000);
			hourOf(at.toISOString().slice(0, 16));
		}
		expect(asked).toHaveBeenCalledTimes(times);
	},
);

test.each([
	["2026-03-01", -1, "2026-02-28"],
	["2028-02-28", 1, "2028-02-29"],
	["2026-12-31", 1, "2027-01-01"],
	["2026-11-20", -30, "2026-10-21"],
])("%s and %i days is %s", (day, days, sum) => {
	expect(addDays(day, days)).toBe(sum);
});

test.each([
	["Africa/Nairobi", "2026-11-20 12:05"],
	["America/New_York", "2026-11-20 04:05"],
])("local times in %s are those on the clocks there", (zone, time) => {
	expect(localTimes(zone)("2026-11-20T09:05:59.000Z")).toBe(time);
});

test.each([
	["2026-11-20T12:00:00", "Africa/Nairobi", "2026-11-20T09:00:00.000Z"],
	["2026-11-20T12:00:59", "Asia/Kathmandu", "2026-11-20T06:15:59.000Z"],
	["2026-03-08T01:59:00", "America/New_York", "2026-03-08T06:59:00.000Z"],
	["2026-03-08T03:00:00", "America/New_York", "2026-03-08T07:00:00.000Z"],
	// The clocks show this time twice.
	["2026-11-01T01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
	["2026-11-01T02:00:00", "America/New_York", "2026-11-01T07:00:00.000Z"],
])("clocks show %s in %s at %s", (local, timeZone, at) => {
	expect(momentOf(local, timeZone)).toBe(at);
});
