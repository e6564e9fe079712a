import { expect, test } from "vitest";
import { makePinKey, type PinKey } from "../protocol/pin-key.ts";
import { addMember, openTestShop, openTestTill } from "../testing/shop.ts";
import { openStaff, readStaff, removePinKey, writePinKey } from "./staff.ts";

const at = "2026-11-20T09:00:00.000Z";

/** Made once: each costs a fifth of a second. */
const keys = new Map<string, Promise<PinKey>>();
function keyOf(pin: string): Promise<PinKey> {
	const key = keys.get(pin) ?? makePinKey(pin);
	keys.set(pin, key);
	return key;
}

/** A shop whose Asha (cashier) has the PIN 1111 and Njeri (owner) the PIN 2222. */
async function openStaffed() {
	const opened = await openTestShop();
	const { store, env, caller, shop } = opened;
	const { businessId } = caller;
	const [asha, njeri] = [await keyOf("1111"), await keyOf("2222")];
	await store.write(async (tx) => {
		await addMember(tx, businessId, "asha", "CASHIER");
		await addMember(tx, businessId, "njeri", "OWNER");
		await addMember(tx, businessId, "juma", "CASHIER");
		await writePinKey(tx, businessId, "asha", asha, at);
		await writePinKey(tx, businessId, "njeri", njeri, at);
	});
	const open = () => openStaff(store, shop.env, businessId);
	return { ...opened, store, env, businessId, open, staff: open() };
}

const asha = { id: "asha", name: "asha", role: "CASHIER", digits: 4 };
const njeri = { id: "njeri", name: "njeri", role: "OWNER", digits: 4 };

test("the list names the members with a PIN, and no key", async () => {
	const { staff } = await openStaffed();
	expect(await staff.list()).toEqual([asha, njeri]);
});

test("a blocked account, a removed member and another shop's member are not in the list", async () => {
	const { staff, store, businessId } = await openStaffed();
	await store.write(async (tx) => {
		await tx.run("UPDATE users SET disabled_at = ? WHERE id = 'asha'", at);
		await writePinKey(tx, businessId, "stranger", await keyOf("1111"), at);
	});
	expect(await staff.list()).toEqual([njeri]);
	await store.write((tx) =>
		tx.run("DELETE FROM memberships WHERE user_id = 'njeri'"),
	);
	expect(await staff.list()).toEqual([]);
});

test("a right PIN switches to its person and forgets earlier failures", async () => {
	const { staff, rows } = await openStaffed();
	expect(await staff.check("asha", "2222")).toEqual({
		...{ outcome: "wrong", triesLeft: 4 },
	});
	expect(await staff.check("asha", "1111")).toEqual({
		...{ outcome: "right", cashier: asha },
	});
	expect(await rows("SELECT * FROM pin_attempts")).toEqual([]);
	expect(await staff.check("asha", "2222")).toMatchObject({ triesLeft: 4 });
});

test("a person without a PIN can't be switched to", async () => {
	const { staff } = await openStaffed();
	await expect(staff.check("juma", "1111")).rejects.toMatchObject({
		code: "not_found",
	});
});

test("five wrong PINs lock a person's PIN, also the right one and after a restart, but nobody else's [PERM-8]", async () => {
	const { staff, open, env } = await openStaffed();
	for (const triesLeft of [4, 3, 2, 1])
		expect(await staff.check("asha", "0000")).toEqual({
			...{ outcome: "wrong", triesLeft },
		});
	const locked = { outcome: "locked", seconds: 30 };
	expect(await staff.check("asha", "0000")).toEqual({ ...locked, isNew: true });
	expect(await open().check("asha", "1111")).toEqual(locked);
	expect(await staff.check("njeri", "2222")).toMatchObject({
		outcome: "right",
	});
	env.pass(29_001);
	expect(await staff.check("asha", "1111")).toEqual({
		...{ outcome: "locked", seconds: 1 },
	});
	env.pass(1_000);
	expect(await staff.check("asha", "1111")).toMatchObject({
		outcome: "right",
	});
});

test("each further lock is twice as long, up to 15 minutes [PERM-8]", async () => {
	const { staff, env, store, businessId } = await openStaffed();
	const locks: number[] = [];
	for (const failures of [4, 9, 14, 19, 24, 29, 34]) {
		await store.write((tx) =>
			tx.run(
				`INSERT INTO pin_attempts VALUES (?, 'asha', ?, NULL)
         ON CONFLICT (business_id, user_id) DO UPDATE SET failures = excluded.failures, locked_until = NULL`,
				...[businessId, failures],
			),
		);
		const outcome = await staff.check("asha", "0000");
		if (outcome.outcome === "locked") locks.push(outcome.seconds);
		env.pass(1_000);
	}
	expect(locks).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

test("PINs that are typed at the same time are all counted", async () => {
	const { staff } = await openStaffed();
	const outcomes = await Promise.all(
		["0000", "0001", "0002", "0003", "0004", "1111"].map((pin) =>
			staff.check("asha", pin),
		),
	);
	expect(outcomes.map(({ outcome }) => outcome)).toEqual([
		...["wrong", "wrong", "wrong", "wrong", "locked", "locked"],
	]);
});

test("a clock that was set back locks nobody out for longer than a lock lasts", async () => {
	const { staff, env } = await openStaffed();
	for (let i = 0; i < 5; i += 1) await staff.check("asha", "0000");
	env.pass(-365 * 24 * 3_600_000);
	expect(await staff.check("asha", "1111")).toEqual({
		...{ outcome: "locked", seconds: 900 },
	});
});

test("of two counts of wrong PINs the higher one holds", async () => {
	const { staff } = await openStaffed();
	await staff.check("asha", "0000");
	const one = { userId: "asha", lockedUntil: null };
	await staff.putAttempts([{ ...one, failures: 3 }]);
	await staff.putAttempts([{ ...one, failures: 2 }]);
	expect(await staff.attempts()).toEqual([{ ...one, failures: 3 }]);
});

test("a till takes over the server's list with names and roles, and drops who is no longer in it", async () => {
	const server = await openStaffed();
	const { till, store, rows } = await openTestTill(server);
	const staff = openStaff(store, server.env, server.businessId);
	const people = () =>
		server.store.read((tx) => readStaff(tx, server.businessId));
	await staff.replace(await people());
	expect(await staff.list()).toEqual([]);
	await till.sync();
	await staff.replace(await people());
	expect(await staff.list()).toEqual([asha, njeri]);
	for (let i = 0; i < 5; i += 1) await staff.check("asha", "0000");
	await server.store.write((tx) =>
		removePinKey(tx, server.businessId, "njeri", at),
	);
	await staff.replace(await people());
	expect(await staff.list()).toEqual([asha]);
	// What a member made before keeps its name, and a new list unlocks nobody.
	expect(await rows("SELECT name FROM users WHERE id = 'njeri'")).toEqual([
		{ name: "njeri" },
	]);
	expect(await staff.roleOf("njeri")).toBe("OWNER");
	expect(await staff.check("asha", "1111")).toMatchObject({
		outcome: "locked",
	});
});
