import { expect, test } from "vitest";
import type { PushRequest } from "../protocol/protocol.ts";
import { openTestShop } from "../testing/shop.ts";
import {
	isForked,
	type KnownDevice,
	registerDevice,
	saveProgress,
} from "./devices.ts";
import { prefixOf } from "./prefix.ts";

const at = "2026-11-20T09:00:00.000Z";
const prefix = prefixOf("shop-1", "till");
const newDevice = {
	...{ business_id: "shop-1", id: "till", prefix, last_number: 0 },
	...{ last_mutation_id: null, last_receipt: 0, created_at: at },
	...{ last_seen_at: at, counted: 0, counted_at: null },
	...{ program: null, reached: null },
};

async function openTill() {
	const { store, env, rows } = await openTestShop();
	const greet = (id = "till") =>
		store.write((tx) => registerDevice(tx, "shop-1", id, env));
	return {
		store,
		env,
		greet,
		rows: () => rows("SELECT * FROM devices ORDER BY id DESC"),
	};
}

test("a new device has counted nothing and is known from then on [DEV-1]", async () => {
	const { greet, rows } = await openTill();
	const known: KnownDevice = {
		...{ id: "till", prefix, lastNumber: 0, counted: undefined },
	};
	expect(await greet()).toEqual(known);
	expect(await rows()).toEqual([newDevice]);
	expect(await greet()).toEqual(known);
	expect(await rows()).toEqual([newDevice]);
});

test("a device of a missing business is not registered", async () => {
	const { store, env, rows } = await openTill();
	await expect(
		store.write((tx) => registerDevice(tx, "nobody", "till", env)),
	).rejects.toMatchObject({ code: "not_found" });
	expect(await rows()).toEqual([]);
});

const x = { id: "x", number: 3 };
const y = { id: "y", number: 4 };
const z = { id: "z", number: 5 };

/** For a device that had counted to 2. */
test.each<
	[
		string,
		Omit<PushRequest, "mutations">,
		{ id: string; number?: number }[],
		string,
		[last: number, id: string | null, counted: number] | undefined,
	]
>([
	["the next mutation", { settled: 2, settles: 3 }, [x], "a", [3, "x", 3]],
	["the next of several", { settled: 2, lastNumber: 5 }, [x], "a", [3, "x", 5]],
	["one with a lower lastNumber", { lastNumber: 2 }, [x], "a", [3, "x", 3]],
	["a rejected one", { settled: 2, settles: 3 }, [x], "r", [3, "x", 3]],
	["one after a gap", { settled: 2, settles: 2 }, [y], "a", undefined],
	["one without settled numbers", {}, [y], "a", [4, "y", 4]],
	["a deferred one", { settled: 2, settles: 3 }, [x], "d", undefined],
	[
		"three with a deferred one",
		{ settled: 2, settles: 5 },
		[x, y, z],
		"ada",
		[3, "x", 3],
	],
	[
		"the last of those that were deferred before, and a new deferred one",
		{ settled: 2, settles: 9 },
		[x, z, { id: "v", number: 8 }],
		"aad",
		[7, "x", 7],
	],
	[
		"a deferred one behind another in the batch before",
		{ settled: 2, settles: 2 },
		[z],
		"d",
		undefined,
	],
	["nothing", { settled: 2, settles: 2 }, [], "", undefined],
	["nothing, with all settled", { settled: 4 }, [], "", [4, null, 4]],
	["nothing, with settles", { settles: 4 }, [], "", [4, null, 4]],
	["a lower settled number", { settled: 1, settles: 1 }, [], "", undefined],
	["a repeat", {}, [{ id: "w", number: 2 }], "a", undefined],
	["one without a number", { settles: 3 }, [{ id: "u" }], "d", [3, null, 3]],
	["three", { settled: 2, settles: 5 }, [x, y, z], "aaa", [5, "z", 5]],
	["a new and an old one", {}, [x, { id: "w", number: 2 }], "aa", [3, "x", 3]],
	["three with a gap", { settled: 2, settles: 2 }, [x, z], "aa", [3, "x", 3]],
])(
	"a server saves the progress of a device that pushes %s",
	async (_what, request, mutations, outcomes, remembered) => {
		const { store, env, greet, rows } = await openTill();
		await greet();
		await greet("other");
		await store.write((tx) =>
			tx.run("UPDATE devices SET last_number = 2 WHERE id = 'till'"),
		);
		env.pass(1_000);
		const statuses = { a: "applied", r: "rejected", d: "deferred" } as const;
		const device = await greet();
		await store.write((tx) =>
			saveProgress(
				tx,
				"shop-1",
				device,
				{ mutations, ...request },
				{
					results: mutations.map(({ id }, i) => ({
						id,
						status: statuses[outcomes[i] as "a" | "r" | "d"],
					})),
					now: env.now(),
				},
			),
		);
		const [last, id, counted] = remembered ?? [2, null, 0];
		const countedAt = remembered ? "2026-11-20T09:00:01.000Z" : null;
		expect(await rows()).toEqual([
			{
				...{ ...newDevice, last_number: last, last_mutation_id: id },
				...{ counted, counted_at: countedAt },
			},
			{ ...newDevice, id: "other", prefix: prefixOf("shop-1", "other") },
		]);
		expect(await greet()).toEqual({
			...{ id: "till", prefix, lastNumber: last },
			counted:
				countedAt === null ? undefined : { number: counted, at: countedAt },
		});
	},
);

test("a server saves no progress for a device without mutations", async () => {
	const { store, env, greet, rows } = await openTill();
	for (const mutations of [[], [{ id: "u" }]])
		await store.write(async (tx) =>
			saveProgress(
				...([
					tx,
					"shop-1",
					await registerDevice(tx, "shop-1", "till", env),
				] as const),
				{ mutations },
				{
					results: mutations.map(({ id }) => ({ id, status: "applied" })),
					now: env.now(),
				},
			),
		);
	expect(await greet()).toMatchObject({ lastNumber: 0 });
	expect(await rows()).toEqual([newDevice]);
});

test("a device's last numbered mutation stays known while later ones have no number", async () => {
	const { store, env, greet, rows } = await openTill();
	const remember = async (mutations: unknown[], settles: number) => {
		const device = await greet();
		await store.write((tx) =>
			saveProgress(
				...([tx, "shop-1", device, { mutations, settles }] as const),
				{
					results: mutations.map(() => ({ id: "x", status: "applied" })),
					now: env.now(),
				},
			),
		);
	};
	await remember([{ id: "x", number: 1 }], 1);
	await remember([], 2);
	expect(await rows()).toMatchObject([
		{ last_number: 2, last_mutation_id: "x" },
	]);
});

test("items without a number show no fork", async () => {
	const { store, greet } = await openTill();
	const device = { ...(await greet()), lastNumber: 5 };
	const forked = (mutation: unknown) =>
		store.write((tx) => isForked(tx, "shop-1", device, [mutation], 5));
	for (const odd of [null, undefined, 7, "x", { number: 3 }, { id: "x" }])
		expect([odd, await forked(odd)]).toEqual([odd, false]);
	for (const number of ["3", 2.5, 6])
		expect([number, await forked({ id: "x", number })]).toEqual([
			number,
			false,
		]);
	expect(await forked({ id: "x", number: 5 })).toBe(true);
});
