import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import {
	makeProof,
	type ProofKey,
	type ProofKeyring,
} from "../../sync/log/proof.ts";
import { pushResponse } from "../../sync/protocol/protocol.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { message, saleArgs, testDir } from "../../sync/testing/shop.ts";
import { members } from "../accounts/members.ts";
import type { TestServer, TestUser } from "../testing/server.ts";
import { openMilkShop } from "../testing/tills.ts";

async function push({ ask }: TestServer, as: TestUser, body: object) {
	const answer = await ask("POST", "/api/sync", { as, body });
	return pushResponse.parse(answer.body);
}

const tokenOf = ({ bearer }: TestUser) => bearer.replace("Bearer ", "");

/** A till at which members sign in and out, as on the desktop till. */
async function openSharedTill(url: string, first: TestUser) {
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	let token = tokenOf(first);
	let key: ProofKey | undefined;
	const keyring: ProofKeyring = {
		read: () => key,
		isWanted: () => key === undefined,
		write(given) {
			key = given;
		},
	};
	const till = await openReplica({
		store,
		businessId: first.businessId,
		transport: httpTransport({
			baseUrl: url,
			businessId: first.businessId,
			token: () => token,
		}),
		keyring,
	});
	await till.sync();
	return {
		till,
		keyring,
		async signIn(user: TestUser) {
			token = tokenOf(user);
			key = undefined;
			await till.resume();
		},
	};
}

async function openStaffedShop() {
	const { server, asha, line } = await openMilkShop();
	const into = { businessId: asha.businessId };
	const juma = await server.addUser("Juma", { ...into, role: "CASHIER" });
	const till = await openSharedTill(line.url, asha);
	const logged = (name: string) =>
		server.rows(
			"SELECT status, user_id, carrier_id FROM mutations WHERE name = ? ORDER BY version DESC LIMIT 1",
			name,
		);
	return { server, asha, juma, till, logged };
}

const setPrice = (sellingPrice: number) => ({
	id: "milk",
	set: { sellingPrice },
});

test("an owner's price change is applied in a cashier's session with the owner's proof [PERM-3]", async () => {
	const { asha, juma, till, logged } = await openStaffedShop();
	await till.till.mutate(asha.caller, productUpdate, setPrice(77));
	await till.signIn(juma);
	await till.till.sync();
	expect(await logged("product.update")).toEqual([
		{ status: "applied", user_id: asha.id, carrier_id: juma.id },
	]);
	expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
});

test("a change without a proof waits, blocks no later mutation, and is applied once an owner carries it [PERM-3]", async () => {
	const { server, asha, juma, till, logged } = await openStaffedShop();
	await till.signIn(juma);
	// She signed in offline, so the till has no proof key of hers.
	await till.till.mutate(asha.caller, productUpdate, setPrice(77));
	await till.till.mutate(juma.caller, saleCreate, saleArgs("s-1"));
	await till.till.sync();
	expect(await till.till.waiting()).toMatchObject([
		{
			name: "product.update",
			userId: asha.id,
			error: { code: "awaits_permission" },
		},
	]);
	expect(await till.till.rejected()).toEqual([]);
	expect(await server.rows("SELECT user_id FROM sales")).toEqual([
		{ user_id: juma.id },
	]);
	await till.till.sync();
	expect(await till.till.waiting()).toHaveLength(1);
	await till.signIn(asha);
	await till.till.sync();
	expect(await till.till.waiting()).toEqual([]);
	expect(await logged("product.update")).toEqual([
		{ status: "applied", user_id: asha.id, carrier_id: null },
	]);
});

test("a till makes no proof for a member who is not signed in at it [PERM-6]", async () => {
	const { asha, juma, till } = await openStaffedShop();
	await till.signIn(juma);
	await till.till.sync();
	expect(till.keyring.read()?.userId).toBe(juma.id);
	await till.till.mutate(asha.caller, productUpdate, setPrice(77));
	await till.till.store.write((tx) =>
		tx.run(
			"INSERT INTO former_members (business_id, user_id, left_at) VALUES (?, ?, '')",
			...[asha.businessId, asha.id],
		),
	);
	await till.till.take(juma.caller, [
		{ ...message("m-1", saleCreate.name, saleArgs("s-1")), by: asha.id },
	] as never);
	const proofs = await till.till.store.read((tx) =>
		tx.all("SELECT proof FROM outbox ORDER BY position"),
	);
	expect(proofs).toEqual([{ proof: null }, { proof: null }]);
});

test("a proof key is issued on request, only to its member and for one device [PERM-5]", async () => {
	const { server, asha, juma } = await openStaffedShop();
	const ask = async (user: TestUser, body: object) => {
		const answer = await push(server, user, { mutations: [], ...body });
		return answer.proofKey;
	};
	const wants = { wantsProofKey: true, deviceId: "till-1" };
	const key = await ask(asha, wants);
	expect(key).toEqual({ userId: asha.id, key: expect.any(String) });
	expect(await ask(asha, wants)).toEqual(key);
	expect((await ask(juma, wants))?.key).not.toBe(key?.key);
	expect((await ask(asha, { ...wants, deviceId: "till-2" }))?.key).not.toBe(
		key?.key,
	);
	expect(await ask(asha, { deviceId: "till-1" })).toBeUndefined();
	expect(await ask(asha, { wantsProofKey: true })).toBeUndefined();
});

test("no forged, borrowed or revoked proof lets its carrier exceed their role [PERM-4] [PERM-5]", async () => {
	const { server, asha, juma, till } = await openStaffedShop();
	const into = { businessId: asha.businessId };
	const boss = await server.addUser("Boss", { ...into, role: "OWNER" });
	const baraka = await server.addUser("Baraka");
	const keyOf = async (user: TestUser): Promise<ProofKey> => {
		await till.signIn(user);
		await till.till.sync();
		return till.keyring.read() as ProofKey;
	};
	const bossKey = await keyOf(boss);
	const jumaKey = await keyOf(juma);
	let made = 0;
	async function bring(
		change: object,
		prove: (item: Parameters<typeof makeProof>[1]) => unknown,
		by: string = boss.id,
	) {
		made += 1;
		const item = message(`m-${made}`, productUpdate.name, setPrice(made));
		const proof = prove({
			...item,
			args: `{"id":"milk","set":{"sellingPrice":${made}}}`,
			argsVersion: 1,
		} as never);
		const mutations = [{ ...item, by, proof, ...change }];
		const { results } = await push(server, juma, { mutations });
		return results[0]?.error?.code ?? results[0]?.status;
	}
	const byBoss = (item: Parameters<typeof makeProof>[1]) =>
		makeProof(bossKey, item);

	const waits = "awaits_permission";
	expect(await bring({}, byBoss)).toBe("applied");
	expect(await bring({}, (item) => makeProof(jumaKey, item))).toBe(waits);
	expect(await bring({}, () => `till.${"A".repeat(43)}`)).toBe(waits);
	expect(await bring({}, () => 7)).toBe(waits);
	expect(await bring({}, () => undefined)).toBe(waits);
	expect(await bring({ args: setPrice(1) }, byBoss)).toBe(waits);
	expect(await bring({ at: "2026-11-19T08:00:00.000Z" }, byBoss)).toBe(waits);
	expect(await bring({ id: "another" }, byBoss)).toBe(waits);
	expect(
		await bring({}, (item) =>
			makeProof({ ...bossKey, deviceId: "another-till" }, item),
		),
	).toBe(waits);
	expect(await bring({}, byBoss, asha.id)).toBe(waits);
	expect(await bring({}, byBoss, baraka.id)).toBe(waits);
	expect(await bring({}, byBoss, "invented")).toBe(waits);
	expect(await bring({}, byBoss, juma.id)).toBe("forbidden");

	const change = (what: object) =>
		server.shop.store.write((tx) =>
			members(tx).change(asha.businessId, boss.id, { ...what, now: 0 }),
		);
	await change({ role: "CASHIER" });
	expect(await bring({}, byBoss)).toBe(waits);
	await change({ role: "OWNER" });
	expect(await bring({}, byBoss)).toBe("applied");
	await change({ disabled: true });
	expect(await bring({}, byBoss)).toBe(waits);
	await change({ disabled: false });
	expect(await bring({}, byBoss)).toBe("applied");
	await change({ passwordHash: "another" });
	expect(await bring({}, byBoss)).toBe(waits);
	await server.shop.store.write((tx) =>
		members(tx).remove(asha.businessId, boss.id, 0),
	);
	expect(await bring({}, byBoss)).toBe(waits);
});
