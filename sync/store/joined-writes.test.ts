import { expect, onTestFinished, test } from "vitest";
import { simulatedBrowser } from "../simulation/wasm-sqlite.ts";
import {
	type AccessHandle,
	joinOpenedFiles,
	joinWrites,
} from "./joined-writes.ts";
import { openInOpfs } from "./sqlite-wasm.ts";
import type { Store } from "./store.ts";

/** The part of the browser's types that is needed here. */
interface Directory {
	getFileHandle(name: string): Promise<{
		getFile(): Promise<Blob>;
		createSyncAccessHandle(): Promise<AccessHandle>;
	}>;
}

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
	const keys = () => keysOf(store);
	return { store, writes, faults, add, keys };
}

const keysOf = (store: Store) =>
	store.read(async (tx) => {
		const rows = await tx.all(
			"SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY rowid",
		);
		return rows.map(({ key }) => key);
	});

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

test("what follows the flush of a commit is read where it is to be, and waits for room on a full disk", async () => {
	const { storage } = navigator as unknown as {
		storage: { getDirectory(): Promise<Directory> };
	};
	const file = await (await storage.getDirectory()).getFileHandle("alone");
	const handle = await file.createSyncAccessHandle();
	const { faults } = opfs;
	const { room } = faults;
	onTestFinished(() => {
		faults.room = room;
		handle.close();
	});
	const write = (text: string, at: number) =>
		handle.write(new TextEncoder().encode(text), { at });
	const seen = () => {
		const bytes = new Uint8Array(handle.getSize() + 5);
		const size = handle.read(bytes, { at: 0 });
		return new TextDecoder().decode(bytes.subarray(0, size));
	};
	const written = async () => (await file.getFile()).text();
	joinWrites(() => {
		write("one", 0);
		handle.flush();
		write("-more", 3);
	}, true);
	expect([seen(), await written()]).toEqual(["one-more", "one"]);
	faults.room = () => 0;
	expect(() =>
		joinWrites(() => {
			write("two", 8);
			handle.flush();
		}, true),
	).toThrow("cut short");
	expect([seen(), await written()]).toEqual(["one-more", "one"]);
	joinWrites(() => {
		write("-checkpoint", 8);
		expect(() => handle.flush()).toThrow("cut short");
	}, true);
	expect([seen(), await written()]).toEqual(["one-more", "one"]);
	expect(() => joinWrites(() => write("-later", 8), false)).toThrow(
		"cut short",
	);
	expect([seen(), await written()]).toEqual(["one-more-later", "one"]);
	faults.room = room;
	joinWrites(() => {
		write("-end", 14);
		handle.flush();
	}, true);
	const all = "one-more-later-end";
	expect([seen(), await written()]).toEqual([all, all]);
});

test("a full disk refuses commits, and all before them can be read and copied", async () => {
	const { store, faults, add, keys } = await open();
	const { room } = faults;
	const all: string[] = [];
	for (let n = 0; n < 5; n += 1) {
		await add(many(20, `k${n}-`));
		all.push(...many(20, `k${n}-`));
	}
	faults.room = () => 0;
	const full = { code: "storage_full" };
	await expect(add(["kx"])).rejects.toMatchObject(full);
	expect(await keys()).toEqual(all);
	// SQLite has committed what need not be on the disk: it is all there, and waits for room.
	await expect(add(["kz"], { isDurable: false })).rejects.toMatchObject(full);
	all.push("kz");
	expect(await keys()).toEqual(all);
	const copy = await store.copy();
	onTestFinished(() => copy.close());
	expect(await keysOf(copy)).toEqual(all);
	faults.room = room;
	await add(["ky"]);
	expect(await keys()).toEqual([...all, "ky"]);
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

test("a commit that doesn't wait for the disk is one write, too", async () => {
	const { writes, add, keys } = await open();
	await add(["k"]);
	writes.length = 0;
	await add(many(20, "ka"), { isDurable: false });
	expect(writes).toHaveLength(1);
	await add(many(20, "kb"), { isDurable: false });
	expect(writes).toHaveLength(2);
	expect(await keys()).toHaveLength(41);
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
