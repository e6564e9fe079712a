import { expect, onTestFinished, test } from "vitest";
import { simulatedBrowser } from "../simulation/wasm-sqlite.ts";
import { joinOpenedFiles } from "./joined-writes.ts";
import { openInOpfs } from "./sqlite-wasm.ts";

const { sqlite, opfs } = await simulatedBrowser();
const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";
let directories = 0;

/** Opens a store whose writes to files are counted. */
async function open(directory = `joined/${++directories}`) {
	const writes: number[] = [];
	const store = await openInOpfs(sqlite, directory);
	const { faults } = opfs;
	const { room } = faults;
	onTestFinished(async () => {
		faults.room = room;
		await store.close();
	});
	faults.room = (bytes) => {
		writes.push(bytes);
		return bytes;
	};
	const add = (keys: readonly string[], options?: { isDurable: boolean }) =>
		store.write(async (tx) => {
			for (const key of keys) await tx.run(insert, key, "v".repeat(2_000));
		}, options);
	const keys = () =>
		store.read(async (tx) => {
			const rows = await tx.all(
				"SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY rowid",
			);
			return rows.map(({ key }) => key);
		});
	return { store, writes, faults, add, keys };
}

const many = (count: number, prefix = "k") =>
	Array.from({ length: count }, (_, i) => `${prefix}${i}`);

test("a durable commit of many pages is one write of its log", async () => {
	const { writes, add, keys } = await open();
	await add(["k"]);
	for (const prefix of ["ka", "kb", "kc"]) {
		writes.length = 0;
		await add(many(20, prefix));
		expect(writes).toHaveLength(1);
	}
	expect(await keys()).toHaveLength(61);
});

test("what fills the disk's last sector behind a commit waits for room, and no read takes what stood there before", async () => {
	const { writes, faults, add, keys } = await open();
	const all = ["k"];
	const addMore = async (prefix: string) => {
		await add(many(20, prefix));
		all.push(...many(20, prefix));
	};
	await add(["k"]);
	// The log begins again over what stood in it.
	for (let n = 0; n < 30; n += 1) await addMore(`k${n}-`);
	const { room } = faults;
	for (let n = 30; n < 40; n += 1) {
		await addMore(`k${n}-`);
		faults.room = () => 0;
		writes.length = 0;
		await expect(add(["kx"])).rejects.toMatchObject({ code: "storage_full" });
		faults.room = room;
		expect(await keys()).toEqual(all);
	}
});

test("a store that is closed on a full disk releases its files, and its last commit is whole", async () => {
	const directory = `joined/${++directories}`;
	const { store, faults, add } = await open(directory);
	await add(many(20));
	const { room } = faults;
	faults.room = () => 0;
	await store.close().catch(() => {});
	faults.room = room;
	const { keys } = await open(directory);
	expect(await keys()).toEqual(many(20));
});

test("a commit of more than the buffer takes several writes and loses nothing", async () => {
	const { writes, add, keys } = await open();
	await add(["k"]);
	writes.length = 0;
	await add(many(600));
	expect(writes.length).toBeGreaterThan(1);
	expect(writes.length).toBeLessThan(20);
	expect(await keys()).toHaveLength(601);
});

test("a commit loses nothing either where SQLite has started twice, because its program couldn't be fetched at first", async () => {
	joinOpenedFiles();
	const { writes, add, keys } = await open();
	await add(["k"]);
	writes.length = 0;
	await add(many(600));
	expect(writes.length).toBeLessThan(20);
	expect(await keys()).toHaveLength(601);
});

test("a commit that doesn't wait for the disk writes at once", async () => {
	const { writes, add } = await open();
	await add(["k"]);
	writes.length = 0;
	await add(many(20), { isDurable: false });
	expect(writes.length).toBeGreaterThan(10);
});

test("a disk without room for a joined write refuses the commit, and the next one is whole", async () => {
	const { faults, add, keys } = await open();
	await add(["k"]);
	const { room } = faults;
	faults.room = (bytes) => Math.floor(bytes / 2);
	await expect(add(many(20))).rejects.toMatchObject({ code: "storage_full" });
	faults.room = room;
	expect(await keys()).toEqual(["k"]);
	await add(many(3));
	expect(await keys()).toEqual(["k", ...many(3)]);
});
