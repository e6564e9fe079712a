import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../store/sqlite.ts";
import { testDir } from "../testing/shop.ts";
import { cursorOf, readState } from "./replica-state.ts";

async function openStore() {
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	await store.write((tx) =>
		tx.run(
			`INSERT INTO replica (business_id, device_id, prefix, last_number, last_receipt, epoch, cursor_version, resetting, paused,
         clock_offset_ms, last_sync_at, feed_form, cursor_proof, resumes_after)
       VALUES ('shop-0', 'other', 'Z', 90, 91, 'z', 92, 0, NULL, 93, NULL, NULL, '', 94),
         ('shop-1', 'device', 'A', 2, 3, 'e', 4, 1, 'unauthorized', 5, '2026-11-20T09:00:00.000Z', 'form', 'abcdefghijkl', 6)`,
		),
	);
	return store;
}

test("a replica's state is its own row", async () => {
	const store = await openStore();
	const state = await store.read((tx) => readState(tx, "shop-1"));
	expect(state).toEqual({
		deviceId: "device",
		prefix: "A",
		lastNumber: 2,
		lastReceipt: 3,
		resumesAfter: 6,
		position: {
			epoch: "e",
			version: 4,
			proof: "abcdefghijkl",
			resetting: true,
		},
		paused: "unauthorized",
		clockOffsetMs: 5,
		lastSyncAt: "2026-11-20T09:00:00.000Z",
		feedForm: "form",
		snapshot: null,
		snapshotParts: 0,
		historyVersion: null,
		window: { version: 0, day: null, asked: null },
		healed: null,
	});
	expect(cursorOf(state.position)).toBe("e.4.abcdefghijkl");
	expect(cursorOf({ ...state.position, epoch: null })).toBe("");
	const other = await store.read((tx) => readState(tx, "shop-0"));
	expect(other.position.resetting).toBe(false);
});

test("reading the state of a database without a replica fails with not_found", async () => {
	const store = await openStore();
	await expect(
		store.read((tx) => readState(tx, "shop-2")),
	).rejects.toMatchObject({ code: "not_found" });
});
