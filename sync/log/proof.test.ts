import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { productUpdate } from "../entities/product.ts";
import type { PushRequest } from "../protocol/protocol.ts";
import { openShop } from "../shop.ts";
import {
	addMember,
	addMilk,
	message,
	openTestShop,
	openTestTill,
	type TestShop,
} from "../testing/shop.ts";
import type { Caller } from "./log.ts";
import { isProven, makeProof, noKeyring, type ProofKeyOf } from "./proof.ts";

const keyFor = (businessId: string, deviceId: string, userId: string) =>
	`key of ${businessId} ${deviceId} ${userId}`;

/** Members have keys, and a former member has none. */
const proofKeyOf: ProofKeyOf = async (_tx, owner) =>
	owner.userId === "left"
		? undefined
		: keyFor(owner.businessId, owner.deviceId, owner.userId);

const made = {
	id: "m-1",
	name: "product.update",
	args: '{"id":"milk"}',
	argsVersion: 1,
	at: "2026-11-20T08:00:00.000Z",
};
const owner = { businessId: "shop-1", userId: "owner" };
const key = {
	userId: "owner",
	deviceId: "till.1",
	key: keyFor("shop-1", "till.1", "owner"),
};

/** Returns a function that checks a proof against the shop's database. */
async function openAsk() {
	const { store } = await openTestShop();
	return (
		proof: unknown,
		what: object = {},
		who: object = {},
		keys: ProofKeyOf | undefined = proofKeyOf,
	) =>
		store.read((tx) =>
			isProven(tx, keys, { ...owner, ...who }, { ...made, ...what }, proof),
		);
}

describe("a proof", () => {
	test("a proof has the format of every released till: the device, and an HMAC over the mutation [PERM-4]", () => {
		const { id, name, args, argsVersion, at } = made;
		const mac = createHmac("sha256", key.key)
			.update(JSON.stringify([id, name, argsVersion, args, at]))
			.digest("base64url");
		expect(makeProof(key, made)).toBe(`till.1.${mac}`);
	});

	test("a proof holds for its maker's mutation on that device and for nothing else [PERM-4]", async () => {
		const ask = await openAsk();
		const proof = makeProof(key, made);
		expect(await ask(proof)).toBe(true);
		for (const what of [
			{ id: "m-2" },
			{ name: "product.delete" },
			{ args: '{"id":"bread"}' },
			{ argsVersion: 2 },
			{ at: "2026-11-20T08:00:00.001Z" },
		])
			expect([what, await ask(proof, what)]).toEqual([what, false]);
		for (const who of [
			{ businessId: "shop-2" },
			{ userId: "juma" },
			{ userId: "left" },
		])
			expect([who, await ask(proof, {}, who)]).toEqual([who, false]);
		expect(await ask(proof, {}, {}, async () => undefined)).toBe(false);
	});

	test("a server without keys accepts no proof", async () => {
		const { store } = await openTestShop();
		const proof = makeProof(key, made);
		expect(
			await store.read((tx) => isProven(tx, undefined, owner, made, proof)),
		).toBe(false);
	});

	test("a malformed proof proves nothing and is not reported as a bug", async () => {
		const ask = await openAsk();
		const proof = makeProof(key, made);
		for (const odd of [
			undefined,
			null,
			7,
			"",
			{},
			proof.slice(0, -1),
			`${proof}A`,
			proof.slice("till.1.".length),
			`.${proof.slice("till.1.".length)}`,
			`till.2.${proof.slice("till.1.".length)}`,
			`${"x".repeat(65)}.${proof.slice("till.1.".length)}`,
		])
			expect([odd, await ask(odd)]).toEqual([odd, false]);
	});
});

/** A shop with proof keys, an owner and a cashier. */
async function openStaffedShop() {
	const server = await openTestShop();
	await addMilk(server);
	const { store, env } = server;
	await store.write(async (tx) => {
		for (const [id, role] of [
			["owner", "OWNER"],
			["juma", "CASHIER"],
		] as const)
			await addMember(tx, "shop-1", id, role);
	});
	const shop = openShop({ store, env, proofKeyOf });
	const juma: Caller = { ...server.caller, userId: "juma", role: "CASHIER" };
	const push = (caller: Caller, request: Partial<PushRequest>) =>
		shop.push(caller, { mutations: [], ...request });
	return { server, juma, push };
}

describe("a price that a cashier carries for the owner", () => {
	const set = { sellingPrice: 70 };
	const args = { id: "milk", set };
	const item = message("m-1", productUpdate.name, args, { by: "owner" });
	const provable = { ...made, args: '{"id":"milk","set":{"sellingPrice":70}}' };

	test("a price change that a cashier carries with the owner's proof is applied in the owner's name", async () => {
		const { server, juma, push } = await openStaffedShop();
		const proof = makeProof(key, provable);
		const { results } = await push(juma, { mutations: [{ ...item, proof }] });
		expect(results).toMatchObject([{ status: "applied" }]);
		expect(
			await server.rows(
				"SELECT user_id, carrier_id FROM mutations WHERE id = 'm-1'",
			),
		).toEqual([{ user_id: "owner", carrier_id: "juma" }]);
	});

	test.each([
		["without a proof", undefined],
		["with a proof for another price", makeProof(key, made)],
		[
			"with the cashier's own proof",
			makeProof(
				{ ...key, userId: "juma", key: keyFor("shop-1", "till.1", "juma") },
				provable,
			),
		],
	])(
		"a price change that a cashier carries waits for the owner %s",
		async (_what, proof) => {
			const { server, juma, push } = await openStaffedShop();
			const { results } = await push(juma, { mutations: [{ ...item, proof }] });
			expect(results).toMatchObject([
				{ status: "deferred", error: { code: "awaits_permission" } },
			]);
			expect(await server.rows("SELECT selling_price FROM products")).toEqual([
				{ selling_price: 50_000_000 },
			]);
		},
	);

	test("a price change with a proof waits if its maker may not change prices either", async () => {
		const { juma, push } = await openStaffedShop();
		const caller = { ...juma, userId: "another" };
		const theirs = { ...key, key: keyFor("shop-1", "till.1", "juma") };
		const proof = makeProof(theirs, provable);
		const { results } = await push(caller, {
			mutations: [{ ...item, by: "juma", proof }],
		});
		expect(results).toMatchObject([
			{ status: "deferred", error: { code: "awaits_permission" } },
		]);
	});
});

describe("the key to make proofs with", () => {
	const wants = { deviceId: "till-1", wantsProofKey: true };

	test("a member gets the proof key for their device on request", async () => {
		const { juma, push } = await openStaffedShop();
		expect((await push(juma, wants)).proofKey).toEqual({
			userId: "juma",
			key: keyFor("shop-1", "till-1", "juma"),
		});
	});

	test.each([
		["without a request", { deviceId: "till-1" }, {}],
		["for no device", { wantsProofKey: true }, {}],
		["for a caller without an account", wants, { userId: null }],
		["for a member who has left", wants, { userId: "left" }],
	])("no proof key is issued %s", async (_what, request, who) => {
		const { juma, push } = await openStaffedShop();
		const answer = await push({ ...juma, ...who } as Caller, {
			...request,
			mutations: [message("m-1", "nothing.known", {})],
		});
		expect(answer).not.toHaveProperty("proofKey");
	});

	test("a server without keys issues none", async () => {
		const server: TestShop = await openTestShop();
		expect(
			await server.shop.push(server.caller, { mutations: [], ...wants }),
		).not.toHaveProperty("proofKey");
	});

	test("a till that makes no proofs requests no key", async () => {
		const till = await openTestTill(await openTestShop());
		await till.till.sync();
		expect(till.line.pushes).toHaveLength(1);
		expect(till.line.pushes[0]).not.toHaveProperty("wantsProofKey");
		expect(noKeyring.read()).toBeUndefined();
	});
});
