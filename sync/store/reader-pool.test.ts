import { expect, test } from "vitest";
import { ReaderPool } from "./reader-pool.ts";

interface Reader {
	name: number;
	isBroken: boolean;
}

function openTestPool() {
	const opened: Reader[] = [];
	const closed: number[] = [];
	const state = { isDown: false };
	const pool = new ReaderPool<Reader>({
		open() {
			if (state.isDown) throw new Error("Down");
			const reader = { name: opened.length + 1, isBroken: false };
			opened.push(reader);
			return reader;
		},
		close: ({ name }) => {
			closed.push(name);
		},
		discardBroken: ({ isBroken }) => isBroken,
	});
	return { pool, opened, closed, state };
}

test("a connection is reused after its read", async () => {
	const { pool, opened } = openTestPool();
	expect(await pool.use(async ({ name }) => name)).toBe(1);
	expect(await pool.use(async ({ name }) => name)).toBe(1);
	expect(opened).toHaveLength(1);
});

test("a broken connection is not reused, and its place is free", async () => {
	const { pool, opened } = openTestPool();
	for (let i = 0; i < 20; i += 1)
		await pool.use(async (reader) => {
			reader.isBroken = true;
		});
	expect(opened).toHaveLength(20);
});

test("at most eight reads have a connection, and the others wait, even if one breaks", async () => {
	const { pool, opened } = openTestPool();
	let most = 0;
	let now = 0;
	await Promise.all(
		Array.from({ length: 30 }, (_, i) =>
			pool.use(async (reader) => {
				now += 1;
				most = Math.max(most, now);
				await new Promise((resolve) => setTimeout(resolve, 1));
				reader.isBroken = i === 3;
				now -= 1;
			}),
		),
	);
	expect(most).toBe(8);
	expect(opened).toHaveLength(9);
});

test("a read fails if its connection can't be opened, and the next one tries again", async () => {
	const { pool, state } = openTestPool();
	state.isDown = true;
	const all = Array.from({ length: 20 }, () => pool.use(async () => 1));
	expect(await Promise.allSettled(all)).toEqual(
		all.map(() => expect.objectContaining({ status: "rejected" })),
	);
	state.isDown = false;
	expect(await pool.use(async ({ name }) => name)).toBe(1);
});

test("a closed pool closes idle connections at once, and the others after their reads", async () => {
	const { pool, closed } = openTestPool();
	await Promise.all([pool.use(async () => {}), pool.use(async () => {})]);
	await pool.use(async () => {
		await pool.close();
		expect(closed).toHaveLength(1);
	});
	expect(closed.sort()).toEqual([1, 2]);
});
