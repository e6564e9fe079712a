import { expect, test } from "vitest";
import { thin } from "./thin.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const at = (text: string) => Date.parse(text);
const now = at("2026-11-20T12:00:00Z");
const every = (ms: number, count: number) =>
	Array.from({ length: count }, (_, i) => now - i * ms);

test.each([
	{
		what: "one backup stays, however old",
		times: [at("2020-01-01T00:00:00Z")],
		stay: ["2020-01-01T00:00:00.000Z"],
	},
	{
		what: "of one hour the newest stays",
		times: [now, now - 600_000, now - 660_000],
		stay: ["2026-11-20T12:00:00.000Z", "2026-11-20T11:50:00.000Z"],
	},
	{
		what: "a day without any backup costs none of the others",
		times: [now, now - 40 * dayMs, now - 80 * dayMs],
		stay: [
			"2026-11-20T12:00:00.000Z",
			"2026-10-11T12:00:00.000Z",
			"2026-09-01T12:00:00.000Z",
		],
	},
	{
		what: "of one day far back the newest stays",
		times: [
			...every(hourMs, 24),
			at("2026-11-01T08:00:00Z"),
			at("2026-11-01T09:00:00Z"),
		],
		stay: [
			...every(hourMs, 24).map((time) => new Date(time).toISOString()),
			"2026-11-01T09:00:00.000Z",
		],
	},
	{
		what: "backups of a clock that was ahead are thinned apart",
		times: [at("2030-01-01T00:10:00Z"), at("2030-01-01T00:20:00Z"), now],
		stay: ["2030-01-01T00:20:00.000Z", "2026-11-20T12:00:00.000Z"],
	},
	{
		what: "a clock that is behind costs only what would go anyway",
		times: [now + dayMs, now + 2 * dayMs],
		stay: ["2026-11-21T12:00:00.000Z", "2026-11-22T12:00:00.000Z"],
	},
])("$what", ({ times, stay }) => {
	const gone = new Set(thin(times, now));
	const left = times.filter((time) => !gone.has(time));
	expect(left.map((time) => new Date(time).toISOString())).toEqual(stay);
});

test("two years of hourly backups come to 24 hours, 7 days, 4 weeks and 12 months", () => {
	let times: number[] = [];
	for (let hour = 2 * 365 * 24; hour >= 0; hour -= 1) {
		const made = now - hour * hourMs;
		times.push(made);
		const gone = new Set(thin(times, made));
		times = times.filter((time) => !gone.has(time));
	}
	const ages = times.map((time) => (now - time) / hourMs).sort((a, b) => a - b);
	expect(ages.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, i) => i));
	const days = ages.slice(24).map((age) => Math.round(age / 24));
	// At the ends of days, then of weeks (Sundays), then of months.
	expect(days).toEqual([
		...[2, 3, 4, 5, 6, 12, 19],
		...[20, 51, 81, 112, 143, 173, 204, 234, 265, 293, 324],
	]);
});
