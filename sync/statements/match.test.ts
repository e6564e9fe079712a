import { expect, test } from "vitest";
import { openRandom } from "../simulation/random.ts";
import { type Claim, matchCodes, matchStates, type Received } from "./match.ts";

const covered = {
	from: "2026-09-03T06:00:00.000Z",
	to: "2026-09-03T18:00:00.000Z",
};
const at = "2026-09-03T10:00:00.000Z";
const line = (code: string, amount = 50, more: object = {}): Received => ({
	...{ code, amount, at, payer: null, ...more },
});
const claim = (
	code: string,
	amount = 50,
	more: object = {},
): Claim & { code: string } => ({
	...{ kind: "sale", id: `sale of ${code}`, receiptNumber: null },
	...{ code, amount, at, ...more },
});
const uncoded = (id: string, more: object = {}): Claim => ({
	...{ kind: "sale", id, code: null, amount: 50, at, receiptNumber: null },
	...more,
});

test("each code has one state, by its amounts and by what the statements cover", () => {
	const matches = matchCodes(
		[line("SAME"), line("LESS", 40), line("ALONE"), line("SHARED", 80)],
		[
			...[claim("SAME"), claim("LESS"), claim("GONE")],
			claim("EARLY", 50, { at: "2026-09-03T05:59:59.999Z" }),
			claim("LATE", 50, { at: "2026-09-03T18:00:00.001Z" }),
			...[claim("SHARED", 30), claim("SHARED", 50, { id: "other" })],
		],
		covered,
	);
	expect(
		Object.fromEntries(matches.map(({ code, state }) => [code, state])),
	).toEqual({
		...{ SAME: "confirmed", LESS: "differs", GONE: "missing" },
		...{ ALONE: "unclaimed", SHARED: "confirmed" },
		...{ EARLY: "uncovered", LATE: "uncovered" },
	});
	expect(matches.map(({ code }) => code)).toEqual([
		...["LATE", "SHARED", "SAME", "LESS", "GONE", "ALONE", "EARLY"],
	]);
	expect(matches.find(({ code }) => code === "SHARED")).toMatchObject({
		...{ received: 80, claimed: 80, claims: [{ amount: 30 }, { amount: 50 }] },
	});
	expect(matchCodes([], [claim("GONE")], undefined)).toMatchObject([
		{ state: "uncovered", received: null, claimed: 50 },
	]);
});

test("a payment that is claimed twice differs from what was received", () => {
	expect(
		matchCodes(
			[line("TWICE")],
			[claim("TWICE"), claim("TWICE", 50, { id: "other" })],
			covered,
		),
	).toMatchObject([{ state: "differs", received: 50, claimed: 100 }]);
});

test("no code is taken for another among 10,000 that differ in one sign", () => {
	const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const random = openRandom(27);
	const sign = () => random.pick([...signs]);
	const received = new Set<string>();
	while (received.size < 10_000)
		received.add(`UI3${Array.from({ length: 7 }, sign).join("")}`);
	const claimed = new Set<string>();
	for (const code of received) {
		const place = random.below(10);
		let other = code;
		while (received.has(other) || claimed.has(other))
			other = code.slice(0, place) + sign() + code.slice(place + 1);
		claimed.add(other);
	}
	// Equal amounts at the same moment make each of them look like the other.
	const matches = matchCodes(
		[...received].map((code) => line(code)),
		[...claimed].map((code) => claim(code)),
		covered,
	);
	expect(
		matchStates.map((state) => [
			state,
			matches.filter((match) => match.state === state).length,
		]),
	).toEqual([
		["confirmed", 0],
		["differs", 0],
		["missing", 10_000],
		["unclaimed", 10_000],
		["uncovered", 0],
	]);
});

test("what has the same amount at nearly the same time is suggested, the nearest first", () => {
	const minutes = (count: number) =>
		new Date(Date.parse(at) + count * 60_000).toISOString();
	const matches = matchCodes(
		[line("UI1A"), line("UI70", 70)],
		[claim("UI1B", 50, { at: minutes(3) }), claim("UI90", 90)],
		covered,
		[
			uncoded("near", { at: minutes(-1) }),
			uncoded("edge", { at: minutes(15) }),
			uncoded("far", { at: minutes(-16) }),
			uncoded("dear", { amount: 51 }),
		],
	);
	const suggested = (code: string) =>
		matches
			.find((match) => match.code === code)
			?.suggestions.map(({ id, code }) => id ?? code);
	expect(suggested("UI1A")).toEqual(["near", "sale of UI1B", "edge"]);
	expect(suggested("UI1B")).toEqual(["UI1A"]);
	expect(suggested("UI70")).toEqual([]);
	expect(suggested("UI90")).toEqual([]);
	// They change nothing.
	expect(matches.map(({ state }) => state).sort()).toEqual([
		...["missing", "missing", "unclaimed", "unclaimed"],
	]);
});
