import { expect, test } from "vitest";
import { openRandom, type Random } from "../simulation/random.ts";
import { testSeed } from "../testing/lane.ts";
import {
	type CountedLook,
	type CountLine,
	correctionOf,
	linesOf,
} from "./count-lines.ts";

/*
 * A shop of one product as a model: each replica is its log, replayed. A till has the server's log up to its cursor, and behind it
 * what it has made itself.
 */

interface Look extends CountedLook {
	/** The ids of the goods' movements that it knew. */
	seen: ReadonlySet<string>;
}
type Entry =
	| { kind: "goods"; id: string; delta: number }
	| { kind: "look"; look: Look }
	| { kind: "entry"; lookId: string; counted: number }
	| { kind: "close"; lines: (CountLine & { first: Look; newest: Look })[] };

function replay(log: readonly Entry[]) {
	const goods = new Map<string, number>();
	const looks = new Map<string, Look>();
	let [corrected, by] = [0, undefined as Look | undefined];
	let last: (CountLine & { first: Look; newest: Look }) | undefined;
	for (const entry of log)
		if (entry.kind === "goods") goods.set(entry.id, entry.delta);
		else if (entry.kind === "look") looks.set(entry.look.id, entry.look);
		else if (entry.kind === "entry") {
			const look = looks.get(entry.lookId);
			if (look) looks.set(look.id, { ...look, counted: entry.counted });
		} else
			for (const line of entry.lines) {
				// A later look has corrected the stock, or this one.
				if (by && line.newest.createdAt <= by.createdAt) continue;
				corrected += correctionOf(line, corrected);
				by = line.newest;
				last = line;
			}
	const moved = [...goods.values()].reduce((sum, delta) => sum + delta, 0);
	return { goods, looks, corrected, stock: moved + corrected, last };
}

interface Till {
	name: string;
	cursor: number;
	pending: Entry[];
}

function act(till: Till, server: Entry[], random: Random, n: number): void {
	const here = replay([...server.slice(0, till.cursor), ...till.pending]);
	const id = `${till.name}${n}`;
	const open = [...here.looks.values()];
	const kind = random.next();
	if (kind < 0.35)
		till.pending.push({ kind: "goods", id, delta: random.below(21) - 12 });
	else if (kind < 0.5)
		till.pending.push({
			kind: "look",
			look: {
				...{ id, productId: "milk", shelf: random.pick([null, null, "Store"]) },
				...{ expected: here.stock, corrected: here.corrected, counted: null },
				createdAt: String(n).padStart(4, "0"),
				seen: new Set(here.goods.keys()),
			},
		});
	else if (kind < 0.7 && open.length > 0) {
		const [lookId, counted] = [random.pick(open).id, random.below(30)];
		till.pending.push({ kind: "entry", lookId, counted });
	} else if (kind < 0.8)
		till.pending.push({ kind: "close", lines: linesOf(open) });
	else {
		if (random.chance(0.9)) server.push(...till.pending.splice(0));
		till.cursor = server.length;
	}
}

test("after a count, the stock is what was counted and all that the look had not seen, in whatever order tills sync [FACT-13]", () => {
	let [counted, late] = [0, 0];
	for (let seed = testSeed; seed < testSeed + 1_000; seed += 1) {
		const random = openRandom("counts", seed);
		const server: Entry[] = [];
		const tills = ["a", "b", "c"].map(
			(name): Till => ({ name, cursor: 0, pending: [] }),
		);
		for (let n = 0; n < 60; n += 1) act(random.pick(tills), server, random, n);
		for (const { pending } of tills) server.push(...pending);
		const { goods, stock, last } = replay(server);
		if (!last) continue;
		const unseen = [...goods].filter(([id]) => !last.first.seen.has(id));
		const since = unseen.reduce((sum, [, delta]) => sum + delta, 0);
		expect(stock, `seed ${seed}`).toBe(last.counted + since);
		counted += 1;
		late += Number(
			unseen.some(([id]) => !id.startsWith(last.newest.id[0] ?? "")),
		);
	}
	expect(counted).toBeGreaterThan(500);
	expect(late).toBeGreaterThan(100);
});

test("looks at different shelves add up, and of several at one shelf the newest with an entry counts", () => {
	const look = (
		id: string,
		shelf: string | null,
		counted: number | null,
		expected: number,
	) => ({
		...{ id, productId: "milk", shelf, counted, expected },
		...{ corrected: 2, createdAt: id },
	});
	const looks = [
		look("3", "Store", 24, 40),
		look("1", "Store", 20, 42),
		look("2", null, 7, 41),
		look("4", null, null, 39),
	];
	expect(linesOf(looks)).toEqual([
		{
			...{ lookId: "3", productId: "milk", counted: 31, goods: 39 },
			...{ first: looks[2], newest: looks[0] },
		},
	]);
	expect(linesOf([look("5", null, null, 3)])).toEqual([]);
});
