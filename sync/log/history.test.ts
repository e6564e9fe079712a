import { expect, test } from "vitest";
import { openTestShop } from "../testing/shop.ts";
import { beginNewHistory, readHistory, recordHistoryLoss } from "./history.ts";

const dayMs = 24 * 3_600_000;

async function openHistory() {
	const { store, env } = await openTestShop();
	return {
		env,
		read: () => store.read((tx) => readHistory(tx, env.now())),
		restore: () => store.write((tx) => beginNewHistory(tx, env)),
		lose: () => store.write((tx) => recordHistoryLoss(tx, env)),
	};
}

test("a new database has an epoch and is not healing [EPOCH-1]", async () => {
	const { read } = await openHistory();
	expect(await read()).toEqual({
		epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
		healing: false,
	});
});

test("a restored database has a new epoch and is healing for 90 days [EPOCH-1] [EPOCH-2]", async () => {
	const { env, read, restore } = await openHistory();
	const { epoch } = await read();
	await restore();
	const restored = await read();
	expect(restored).toEqual({
		epoch: expect.not.stringContaining(epoch),
		healing: true,
	});
	env.pass(90 * dayMs - 1);
	expect(await read()).toEqual(restored);
	env.pass(1);
	expect(await read()).toEqual({ ...restored, healing: false });
	await restore();
	expect(await read()).toEqual({
		epoch: expect.not.stringContaining(restored.epoch),
		healing: true,
	});
});

test("a loss that a till reveals starts healing under the same epoch, from its first sign on [EPOCH-2]", async () => {
	const { env, read, lose } = await openHistory();
	const { epoch } = await read();
	await lose();
	expect(await read()).toEqual({ epoch, healing: true });
	env.pass(50 * dayMs);
	await lose();
	env.pass(40 * dayMs - 1);
	expect(await read()).toEqual({ epoch, healing: true });
	env.pass(1);
	expect(await read()).toEqual({ epoch, healing: false });
	await lose();
	expect(await read()).toEqual({ epoch, healing: true });
});
