import { expect, test } from "vitest";
import { makePinKey } from "../../sync/protocol/pin-key.ts";
import { openTestServer, type TestUser } from "../testing/server.ts";

const key = await makePinKey("1234");
const long = { ...key, digits: 6 };

/** A shop with an owner, a manager and two cashiers, and another shop. */
async function openStaffedServer() {
	const server = await openTestServer();
	const njeri = await server.addUser("Njeri");
	const join = (name: string, role: "MANAGER" | "CASHIER") =>
		server.addUser(name, { businessId: njeri.businessId, role });
	return {
		server,
		njeri,
		wanjiru: await join("Wanjiru", "MANAGER"),
		otieno: await join("Otieno", "CASHIER"),
		mumbi: await join("Mumbi", "CASHIER"),
		baraka: await server.addUser("Baraka"),
		setPin: (as: TestUser, of: { id: string }, body: object = key) =>
			server.ask("POST", `/api/members/${of.id}/pin`, { as, body }),
		removePin: (as: TestUser, of: { id: string }) =>
			server.ask("DELETE", `/api/members/${of.id}/pin`, { as }),
		staffOf: async (as: TestUser) => {
			const { body } = await server.ask("GET", "/api/till/staff", { as });
			return (body as { people: { name: string }[] }).people;
		},
	};
}

test("a cashier sets, replaces and removes their own PIN, and every till of the shop gets its key", async () => {
	const { otieno, wanjiru, baraka, setPin, removePin, staffOf } =
		await openStaffedServer();
	expect(await setPin(otieno, otieno)).toMatchObject({
		status: 200,
		body: { ok: true },
	});
	const person = { id: otieno.id, name: "Otieno", role: "CASHIER", ...key };
	expect(await staffOf(otieno)).toEqual([person]);
	expect(await staffOf(wanjiru)).toEqual([person]);
	expect(await staffOf(baraka)).toEqual([]);
	const other = { ...key, publicKey: "ab".repeat(32) };
	await setPin(otieno, otieno, other);
	expect(await staffOf(wanjiru)).toEqual([{ ...person, ...other }]);
	await removePin(otieno, otieno);
	expect(await staffOf(wanjiru)).toEqual([]);
});

test("an owner sets and removes any member's PIN; managers and cashiers only their own", async () => {
	const { njeri, wanjiru, otieno, mumbi, setPin, removePin, staffOf } =
		await openStaffedServer();
	for (const who of [wanjiru, mumbi])
		for (const ask of [setPin, removePin])
			expect((await ask(who, otieno)).status).toBe(403);
	expect((await setPin(njeri, otieno)).status).toBe(200);
	expect((await setPin(wanjiru, wanjiru, long)).status).toBe(200);
	expect((await staffOf(mumbi)).map(({ name }) => name)).toEqual([
		...["Otieno", "Wanjiru"],
	]);
	expect((await removePin(njeri, otieno)).status).toBe(200);
});

test("a PIN can't be set for another shop's member or for nobody", async () => {
	const { njeri, baraka, setPin } = await openStaffedServer();
	for (const of of [baraka, { id: "none" }])
		expect(await setPin(njeri, of)).toMatchObject({
			status: 404,
			body: { error: "Member not found" },
		});
});

test.each([
	["a PIN", { pin: "1234" }],
	["a short salt", { ...key, salt: "00" }],
	["a key that is not hexadecimal", { ...key, publicKey: "z".repeat(64) }],
	["an unknown derivation", { ...key, kdf: "md5" }],
])("%s is refused as a key", async (_what, body) => {
	const { otieno, setPin, staffOf } = await openStaffedServer();
	expect((await setPin(otieno, otieno, body)).status).toBe(400);
	expect(await staffOf(otieno)).toEqual([]);
});

test("a member who is blocked or removed leaves the list, and one who comes back needs a new PIN", async () => {
	const { server, njeri, otieno, setPin, staffOf } = await openStaffedServer();
	await setPin(otieno, otieno);
	const path = `/api/members/${otieno.id}`;
	const block = (disabled: boolean) =>
		server.ask("PATCH", path, { as: njeri, body: { disabled } });
	await block(true);
	expect(await staffOf(njeri)).toEqual([]);
	await block(false);
	expect(await staffOf(njeri)).toHaveLength(1);
	await server.ask("DELETE", path, { as: njeri });
	expect(await server.rows("SELECT * FROM staff_keys")).toEqual([]);
});

test("a cashier who becomes a manager needs a longer PIN, as it approves what others do", async () => {
	const { server, njeri, otieno, mumbi, setPin, staffOf } =
		await openStaffedServer();
	await setPin(otieno, otieno);
	await setPin(mumbi, mumbi, long);
	const promote = (id: string, role: string) =>
		server.ask("PATCH", `/api/members/${id}`, { as: njeri, body: { role } });
	await promote(otieno.id, "CASHIER");
	expect(await staffOf(njeri)).toHaveLength(2);
	for (const { id } of [otieno, mumbi]) await promote(id, "MANAGER");
	expect(await staffOf(njeri)).toMatchObject([{ name: "Mumbi", digits: 6 }]);
});

test("who approves what others do needs a PIN of six digits, also if the owner sets it", async () => {
	const { njeri, wanjiru, setPin, staffOf } = await openStaffedServer();
	for (const [as, of] of [
		[njeri, njeri],
		[njeri, wanjiru],
		[wanjiru, wanjiru],
	] as const) {
		expect(await setPin(as, of)).toMatchObject({
			status: 400,
			body: { error: expect.stringContaining("six digits") },
		});
		expect((await setPin(as, of, long)).status).toBe(200);
	}
	expect(await staffOf(njeri)).toMatchObject([{ digits: 6 }, { digits: 6 }]);
});
