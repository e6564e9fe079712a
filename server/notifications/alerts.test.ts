import { expect, test } from "vitest";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { setMeta } from "../../sync/store/meta.ts";
import { mountSmallDisk, noSmallDisk } from "../../sync/testing/disk.ts";
import { testDir } from "../../sync/testing/shop.ts";
import type { BackupReport } from "../operations/backup/keep-backup.ts";
import { openTestServer, type TestUser } from "../testing/server.ts";
import { alertOwners } from "./alerts.ts";

const dayMs = 24 * 3_600_000;

test("owners are alerted once of an old backup and of a till that is away with unsent sales", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const { businessId } = asha;
	const chege = await server.addUser("Chege", { businessId, role: "CASHIER" });
	const { store } = server.shop;
	const { dataDir } = server.settings;
	let isOn = false;
	let problem: BackupReport["problem"] = null;
	const usb = { dir: "/mnt/usb", isOther: true, files: [] };
	const look = (days = 0) =>
		alertOwners({
			...{ store, dataDir },
			backups: { isOn, standing: () => [{ ...usb, problem }] },
			env: { ...systemEnv, now: () => Date.now() + days * dayMs },
		});
	const titles = async (as: TestUser) => {
		const { body } = await server.ask("GET", "/api/notifications", { as });
		const { notifications } = body as { notifications: { title: string }[] };
		return notifications.map(({ title }) => title).sort();
	};
	const push = (deviceId: string, lastNumber: number) =>
		server.ask("POST", "/api/sync", {
			as: asha,
			body: {
				...{ deviceId, lastNumber, settled: 0 },
				mutations: [
					{
						...{ id: deviceId, number: 1, name: "category.create" },
						at: new Date().toISOString(),
						args: { id: deviceId, name: deviceId },
					},
				],
			},
		});
	await push("whole", 1);
	await push("cut-off", 7);
	await look();
	expect(await titles(asha)).toEqual(["There is no backup yet"]);
	await look(4);
	const [away] = await server.rows(
		"SELECT prefix FROM devices WHERE id = 'cut-off'",
	);
	const unsent = `Till ${away?.prefix} keeps unsent sales`;
	expect(await titles(asha)).toEqual(["There is no backup yet", unsent].sort());
	const [told] = await server.rows(
		"SELECT data FROM notifications WHERE title = ?",
		unsent,
	);
	expect(JSON.parse(String(told?.data))).toMatchObject({
		...{ code: "till_unsent", name: away?.prefix, count: 6 },
	});
	const { body } = await server.ask("GET", "/api/devices", { as: asha });
	expect(
		(body as { devices: { unsent: number }[] }).devices
			.map(({ unsent }) => unsent)
			.sort(),
	).toEqual([0, 6]);

	await store.write((tx) =>
		setMeta(tx, "backed_up_at", "2020-01-01T00:00:00.000Z"),
	);
	await look(5);
	await look(5);
	expect(await titles(asha)).toEqual(
		["The last backup is old", "There is no backup yet", unsent].sort(),
	);
	expect(await titles(chege)).toEqual([]);

	problem = { trouble: "missing", message: "Mount its disk" };
	await look(5);
	await look(5);
	expect(await titles(asha)).toContain("No backup in /mnt/usb");
	await store.write((tx) =>
		tx.run("DELETE FROM notifications WHERE title LIKE 'No backup%'"),
	);
	problem = null;

	// Backups that the server makes itself are old after two days.
	await store.write(async (tx) => {
		await tx.run(
			"DELETE FROM notifications WHERE title = 'The last backup is old'",
		);
		const at = new Date(Date.now() - 3 * dayMs).toISOString();
		await setMeta(tx, "backed_up_at", at);
	});
	await look();
	expect(await titles(asha)).not.toContain("The last backup is old");
	isOn = true;
	await look();
	expect(await titles(asha)).toContain("The last backup is old");

	// On a server of several shops, its operator watches backups and disk.
	await server.addUser("Baraka");
	await look(20);
	expect(await titles(asha)).toEqual(
		["The last backup is old", "There is no backup yet", unsent, unsent].sort(),
	);
});

test("the owner of the only shop is alerted of the server and sees how it is, also beside a demo shop", async () => {
	const server = await openTestServer();
	const { store } = server.shop;
	const { dataDir } = server.settings;
	const look = (days: number) =>
		alertOwners({
			...{ store, dataDir, backups: { isOn: true, standing: () => [] } },
			env: { ...systemEnv, now: () => Date.now() + days * dayMs },
		});
	const told = async () => {
		const rows = await server.rows(
			"SELECT user_id FROM notifications WHERE title = 'There is no backup yet'",
		);
		return rows.map(({ user_id }) => user_id);
	};
	const seesServer = async ({ cookie }: TestUser) => {
		const headers = { cookie };
		return (await server.ask("GET", "/api/server", { headers })).status;
	};
	const demo = await server.addUser("Demo");
	expect(await seesServer(demo)).toBe(200);
	const asha = await server.addUser("Asha");
	await look(0);
	expect(await told()).toEqual([asha.id]);
	expect(await seesServer(asha)).toBe(200);
	expect(await seesServer(demo)).toBe(403);
	await server.addUser("Baraka");
	await look(20);
	expect(await told()).toEqual([asha.id]);
	expect(await seesServer(asha)).toBe(403);
});

test.skipIf(noSmallDisk)(
	`owners are alerted once of a disk that is nearly full, and again if it is a week later${noSmallDisk ? ` (skipped: ${noSmallDisk})` : ""}`,
	async () => {
		const server = await openTestServer();
		const asha = await server.addUser("Asha");
		const { store } = server.shop;
		const look = (dataDir: string, days = 0) =>
			alertOwners({
				...{ store, dataDir, backups: { isOn: true, standing: () => [] } },
				env: { ...systemEnv, now: () => Date.now() + days * dayMs },
			});
		const told = () =>
			server.rows(
				"SELECT user_id, data FROM notifications WHERE title LIKE '%disk%'",
			);
		// The disk of the tests has room.
		await look(testDir());
		expect(await told()).toEqual([]);
		const { dir } = mountSmallDisk(100);
		await look(dir);
		await look(dir, 6);
		const [alert, ...others] = await told();
		expect([alert?.user_id, others]).toEqual([asha.id, []]);
		expect(JSON.parse(String(alert?.data))).toEqual({
			...{ code: "disk_low", megabytes: 104 },
		});
		await look(dir, 8);
		expect(await told()).toHaveLength(2);
	},
);
