import { expect, test } from "vitest";
import type { Store } from "../../../sync/store/store.ts";
import { openTestShop } from "../../../sync/testing/shop.ts";
import { aiAccess } from "../access.ts";
import type { Payer } from "../meter.ts";
import type { ResponseObject } from "./answer-writer.ts";
import { openItemStore } from "./item-store.ts";
import { forgetResponses } from "./kept-responses.ts";

const businessId = "shop-1";
const asked = (content: string) => [{ role: "user", content }];
const response = (n: number): ResponseObject => ({
	id: `resp_${n}`,
	status: "completed",
	output: [{ id: `msg_${n}`, type: "message" }],
});

async function payerOf(
	store: Pick<Store, "read">,
	userId: string,
): Promise<Payer> {
	const access = await store.read((tx) => aiAccess(tx).find(businessId));
	if (!access) throw new Error("The business is gone");
	return {
		...{ businessId, userId, role: null, key: null, accounts: [], access },
	};
}

test("responses outlive the process for a day where the owner wants that, for their caller alone", async () => {
	const { store, env, rows } = await openTestShop();
	let now = env.now();
	const faults: unknown[] = [];
	const open = () =>
		openItemStore(store, { ...env, now: () => now }, (error) =>
			faults.push(error),
		);
	const before = await payerOf(store, "asha");
	open().add(before, response(1), asked("One"), undefined);
	await expect(open().get(before, "resp_1")).rejects.toThrow("not found");

	await store.write((tx) =>
		aiAccess(tx).change(businessId, { keepsResponses: true }),
	);
	const asha = await payerOf(store, "asha");
	const first = open();
	first.add(asha, response(2), asked("Two"), undefined);
	first.add(asha, response(3), asked("Three"), "resp_2");
	const kept = () =>
		rows("SELECT id FROM ai_responses ORDER BY id").then((found) =>
			found.map(({ id }) => id),
		);
	await expect.poll(kept).toEqual(["resp_2", "resp_3"]);
	expect(await open().resolve(asha, asked("Four"), "resp_3")).toEqual([
		...asked("Two"),
		{ id: "msg_2", type: "message" },
		...asked("Three"),
		{ id: "msg_3", type: "message" },
		...asked("Four"),
	]);
	expect(await open().resolve(asha, [{ id: "msg_2" }], undefined)).toEqual([
		{ id: "msg_2", type: "message" },
	]);
	const baraka = await payerOf(store, "baraka");
	await expect(open().get(baraka, "resp_2")).rejects.toThrow("not found");
	await open().remove(asha, "resp_2");
	expect(await kept()).toEqual(["resp_3"]);

	now += 86_400_000;
	await expect(open().get(asha, "resp_3")).rejects.toThrow("not found");
	first.add(asha, response(4), asked("Four"), undefined);
	await expect.poll(kept).toEqual(["resp_4"]);
	const large = asked("x".repeat(6_000_000));
	for (const n of [5, 6]) first.add(asha, response(n), large, undefined);
	await expect.poll(kept).toEqual(["resp_6"]);
	await store.write((tx) => forgetResponses(tx, businessId));
	expect(await kept()).toEqual([]);
	expect(faults).toEqual([]);
});

test("a response is kept no more whose owner changed that while its request ran", async () => {
	const { store, env, rows } = await openTestShop();
	const keep = (keepsResponses: boolean) =>
		store.write((tx) => aiAccess(tx).change(businessId, { keepsResponses }));
	await keep(true);
	const asha = await payerOf(store, "asha");
	const items = openItemStore(store, env, () => {});
	await keep(false);
	await store.write((tx) => forgetResponses(tx, businessId));
	items.add(asha, response(1), asked("One"), undefined);
	// Once it is over, so is the one before it.
	await store.write(async () => {});
	expect(await rows("SELECT id FROM ai_responses")).toEqual([]);
	expect((await items.get(asha, "resp_1")).id).toBe("resp_1");
});

test("a search in the database loses nothing that is in memory, and brings nothing back that is deleted", async () => {
	const { store, env } = await openTestShop();
	await store.write((tx) =>
		aiAccess(tx).change(businessId, { keepsResponses: true }),
	);
	const asha = await payerOf(store, "asha");
	let isBusy = false;
	const busy = async () => {
		throw new Error("The disk is busy");
	};
	const items = openItemStore(
		{
			...store,
			read: (work) => (isBusy ? busy() : store.read(work)),
			write: (work) => (isBusy ? busy() : store.write(work)),
		},
		env,
		() => {},
	);
	items.add(asha, response(1), asked("One"), undefined);
	await store.write(async () => {});
	isBusy = true;
	items.add(asha, response(2), asked("Two"), undefined);
	await expect(items.get(asha, "resp_9")).rejects.toThrow("busy");
	isBusy = false;
	expect((await items.get(asha, "resp_2")).id).toBe("resp_2");

	await Promise.allSettled([
		items.remove(asha, "resp_1"),
		items.get(asha, "resp_9"),
	]);
	await expect(items.get(asha, "resp_1")).rejects.toThrow("not found");
});
