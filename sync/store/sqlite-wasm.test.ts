import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { PoolImage } from "../simulation/opfs.ts";
import { simulatedBrowser } from "../simulation/wasm-sqlite.ts";
import { testStore } from "./contract.ts";
import { readPool } from "./opfs-pool.ts";
import { type OpfsStore, openInMemory, openInOpfs } from "./sqlite-wasm.ts";
import type { Store } from "./store.ts";

const { sqlite, opfs } = await simulatedBrowser();
const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";
const poolFiles = 4;

let directory = "";
let directories = 0;

beforeEach(() => {
	directory = newDirectory();
	const { faults } = opfs;
	const { beforeOpen, beforeRead, room, flushes } = faults;
	onTestFinished(() => {
		Object.assign(faults, { beforeOpen, beforeRead, room, flushes });
	});
});

function newDirectory(): string {
	directories += 1;
	return `businesses/shop-${directories}`;
}

async function open(at = directory): Promise<OpfsStore> {
	const store = await openInOpfs(sqlite, at);
	onTestFinished(() => store.close());
	return store;
}

function keysOf(store: Store) {
	return store.read(async (tx) => {
		const rows = await tx.all("SELECT key FROM meta WHERE key LIKE 'k%'");
		return rows.map(({ key }) => key);
	});
}

/** The same files in a worker that is new to them. */
function move(image: PoolImage): string {
	directory = newDirectory();
	opfs.load(directory, image);
	return directory;
}

/** A closed database with some rows. */
async function makeDatabase(): Promise<PoolImage> {
	const store = await open();
	await store.write((tx) => tx.run(insert, "k1", "v"));
	await store.close();
	return opfs.copy(directory);
}

/** @param name in the pool */
function fileOf(image: PoolImage, name: string): [string, Uint8Array] {
	const found = [...image].find(
		([, bytes]) => Buffer.from(bytes).indexOf(`${name}\0`) === 0,
	);
	return found as [string, Uint8Array];
}

/** Removes an empty index, which only a full check notices. */
function withoutAnIndex(bytes: Uint8Array): Uint8Array {
	const pageBytes = 4_096;
	const damaged = bytes.slice();
	for (let at = pageBytes; at < bytes.length; at += pageBytes)
		if (bytes[at] === 10 && bytes[at + 3] === 0 && bytes[at + 4] === 0) {
			damaged[at] = 255;
			break;
		}
	return damaged;
}

function failToOpen(nth: number): void {
	let asked = 0;
	opfs.faults.beforeOpen = () => {
		asked += 1;
		if (asked === nth) throw new DOMException("No", "UnknownError");
	};
}

function noRoom(): never {
	throw new DOMException("No room", "QuotaExceededError");
}

describe("the store in a browser's own file system", () => {
	testStore(() => open(), { hasOneConnection: true });

	test("the OPFS store flushes once per commit, for all writes that share it", async () => {
		const store = await open();
		let flushes = 0;
		opfs.faults.flushes = () => {
			flushes += 1;
			return true;
		};
		const write = (key: string) => store.write((tx) => tx.run(insert, key, 1));
		await write("k0");
		const atFirst = flushes;
		for (let i = 1; i < 6; i += 1) await write(`k${i}`);
		expect(flushes - atFirst).toBe(5);
		await Promise.all(["k6", "k7", "k8"].map(write));
		expect(flushes - atFirst).toBe(6);
	});

	test("a write that need not be durable waits for no flush, and the flush of a later one covers it", async () => {
		const store = await open();
		let flushes = 0;
		opfs.faults.flushes = () => {
			flushes += 1;
			return true;
		};
		const write = (key: string, isDurable: boolean) =>
			store.write((tx) => tx.run(insert, key, 1), { isDurable });
		await write("k0", true);
		const atFirst = flushes;
		await write("k1", false);
		await write("k2", false);
		expect(flushes - atFirst).toBe(0);
		await Promise.all([write("k3", false), write("k4", true)]);
		expect(flushes - atFirst).toBe(1);
		await write("k5", false);
		const { image } = opfs.cut(directory, () => false);
		const kept = await keysOf(await open(move(image)));
		expect(kept).toEqual(["k0", "k1", "k2", "k3", "k4"]);
	});

	test("the OPFS store keeps acknowledged writes when the power fails", async () => {
		const store = await open();
		for (let i = 0; i < 5; i += 1)
			await store.write((tx) => tx.run(insert, `k${i}`, "v"));
		for (const survives of [() => false, () => true]) {
			const { image } = opfs.cut(directory, survives);
			expect(await keysOf(await open(move(image)))).toHaveLength(5);
		}
	});

	test("the OPFS store releases its files when it is closed, and opens them again", async () => {
		await makeDatabase();
		for (let i = 0; i < 3; i += 1) {
			const store = await open();
			expect(await keysOf(store)).toEqual(["k1"]);
			await store.close();
		}
		expect(opfs.copy(directory).size).toBe(poolFiles);
	});

	test("the OPFS store opens only once at a time, in this worker and in others", async () => {
		const store = await open();
		const refusal = { code: "storage_busy" };
		await expect(open()).rejects.toMatchObject(refusal);
		// Another worker has another pool over the same files.
		await expect(open(`${directory}/`)).rejects.toMatchObject(refusal);
		await store.write((tx) => tx.run(insert, "k1", "v"));
		await store.close();
		expect(await keysOf(await open(`${directory}/`))).toEqual(["k1"]);
	});

	describe.each(Array.from({ length: poolFiles + 1 }, (_, i) => i + 1))(
		"whose file %i does not open",
		(nth) => {
			test("the OPFS store has all its data when it is started again after a file did not open", async () => {
				const image = await makeDatabase();
				// A pool that was open before in this worker, and one that was not.
				for (const at of [directory, move(image)]) {
					failToOpen(nth);
					const opening = open(at);
					if (nth <= poolFiles)
						await expect(opening).rejects.toMatchObject({
							code: "storage_failed",
						});
					await opening.then((store) => store.close()).catch(() => {});
					expect(opfs.copy(at)).toEqual(image);
					opfs.faults.beforeOpen = () => {};
					const store = await open(at);
					expect(await keysOf(store)).toEqual(["k1"]);
					await store.close();
				}
			});

			test("the OPFS store is completed at the next start after its creation failed", async () => {
				failToOpen(nth);
				await expect(open()).rejects.toMatchObject({ code: "storage_failed" });
				opfs.faults.beforeOpen = () => {};
				await makeDatabase();
				expect(opfs.copy(directory).size).toBeGreaterThanOrEqual(poolFiles);
			});
		},
	);

	test.each([
		["says so", noRoom],
		["writes less", () => 0],
	])(
		"the OPFS store reports a full disk if its browser %s, rolls the write back and goes on when there is room",
		async (_how, room) => {
			const store = await open();
			await store.write((tx) => tx.run(insert, "k1", "v"));
			const { room: enough } = opfs.faults;
			opfs.faults.room = room;
			const write = (key: string) =>
				store.write((tx) => tx.run(insert, key, "v".repeat(10_000)));
			for (const one of ["k2", "k3"].map(write))
				await expect(one).rejects.toMatchObject({ code: "storage_full" });
			expect(await keysOf(store)).toEqual(["k1"]);
			opfs.faults.room = enough;
			await write("k4");
			await store.close();
			expect(await keysOf(await open())).toEqual(["k1", "k4"]);
		},
	);

	test("the OPFS store of a full disk is copied to memory completely, and its files stay unchanged", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v".repeat(50_000)));
		const before = opfs.copy(directory);
		opfs.faults.room = noRoom;
		const copy = await store.copy();
		onTestFinished(() => copy.close());
		await copy.write((tx) => tx.run(insert, "k2", "v"));
		expect(await keysOf(copy)).toEqual(["k1", "k2"]);
		expect(await keysOf(store)).toEqual(["k1"]);
		expect(opfs.copy(directory)).toEqual(before);
	});

	test("the OPFS store copies nothing if part of it can't be read or is damaged", async () => {
		const image = await makeDatabase();
		const damaged = new Map<string, Uint8Array>();
		for (const [name, bytes] of image) damaged.set(name, withoutAnIndex(bytes));
		const makesNoSense = await open(move(damaged));
		await expect(makesNoSense.copy()).rejects.toMatchObject({
			code: "storage_failed",
		});
		const isGone = await open(move(image));
		opfs.faults.beforeRead = () => {
			throw new DOMException("Gone", "InvalidStateError");
		};
		await expect(isGone.copy()).rejects.toMatchObject({
			code: "storage_failed",
		});
	});

	test("the OPFS store's files can be read while it can't be opened, even with a damaged name", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		const image = opfs.copy(directory);
		const files = await readPool(directory);
		expect([...files.keys()].sort()).toEqual(["/shop.db", "/shop.db-wal"]);
		for (const [name, blob] of files) {
			const [, bytes] = fileOf(image, name);
			expect(await blob.bytes()).toEqual(bytes.slice(4_096));
		}
		const [own, log] = fileOf(image, "/shop.db-wal");
		const damaged = new Map(image).set(own, log.slice().fill(33, 3, 4));
		const found = await readPool(move(damaged));
		expect([...found.keys()].sort()).toEqual(["/shop.db", own].sort());
	});

	test("the OPFS store reports that there is no room for its files", async () => {
		opfs.faults.room = noRoom;
		await expect(open()).rejects.toMatchObject({ code: "storage_full" });
	});

	test("the OPFS store reports that the disk failed", async () => {
		const store = await open();
		const { room } = opfs.faults;
		opfs.faults.room = () => {
			throw new DOMException("Gone", "InvalidStateError");
		};
		const write = () => store.write((tx) => tx.run(insert, "k1", "v"));
		await expect(write()).rejects.toMatchObject({ code: "storage_failed" });
		opfs.faults.room = room;
		await write();
		expect(await keysOf(store)).toEqual(["k1"]);
	});

	test("the OPFS store reports a damaged file name and empties no file", async () => {
		const image = await makeDatabase();
		for (const at of [0, 3, 515, 516]) {
			const damaged = new Map<string, Uint8Array>();
			for (const [name, bytes] of image) {
				const changed = bytes.slice();
				if (bytes.length > 4_096) changed[at] = (changed[at] ?? 0) ^ 1;
				damaged.set(name, changed);
			}
			await expect(open(move(damaged))).rejects.toMatchObject({
				code: "storage_failed",
				message: "A file of the database is damaged",
			});
			expect(opfs.copy(directory)).toEqual(damaged);
		}
	});

	test("the OPFS store ignores a log that was being removed when the power failed", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		const image = opfs.copy(directory);
		await store.close();
		const after = opfs.copy(directory);
		const [name, log] = fileOf(image, "/shop.db-wal");
		// Its name is cleared but not the digest of it, or the other way round.
		for (const [from, to] of [
			[0, 516],
			[516, 524],
		]) {
			const half = log.slice().fill(0, from, to);
			const files = new Map([...after, [name, half]]);
			expect(await keysOf(await open(move(files)))).toEqual(["k1"]);
		}
	});

	test("the OPFS store leaves a newer program's database unchanged", async () => {
		const store = await open();
		await store.write((tx) =>
			tx.run("UPDATE meta SET value = '9999' WHERE key = 'schema_version'"),
		);
		await store.close();
		const before = opfs.copy(directory);
		await expect(open()).rejects.toMatchObject({ code: "newer_database" });
		expect(opfs.copy(directory)).toEqual(before);
	});
});

describe("the store in a browser's memory", () => {
	testStore(
		async () => {
			const store = await openInMemory(sqlite);
			onTestFinished(() => store.close());
			return store;
		},
		{ hasOneConnection: true, isInMemory: true },
	);
});

describe.each([
	["its own file system", () => open()],
	["memory", () => openInMemory(sqlite)],
])("a browser's store in %s", (_name, open) => {
	test("a WebAssembly store gives other tasks a turn while it reads and writes", async () => {
		const store = await open();
		for (const how of ["read", "write"] as const) {
			let turns = 0;
			let isDone = false;
			const work = store[how](async (tx) => {
				for (let i = 0; i < 2_000; i += 1) await tx.get("SELECT 1 AS one");
				isDone = true;
			});
			while (!isDone) {
				await new Promise((resolve) => setImmediate(resolve));
				turns += 1;
			}
			await work;
			expect(turns).toBeGreaterThan(4);
		}
		await store.close();
	});

	test("a WebAssembly statement refuses a wrong number of parameters", async () => {
		const store = await open();
		for (const params of [[], [1], [1, 2, 3]])
			await expect(
				store.read((tx) => tx.get("SELECT ?, ?", ...params)),
			).rejects.toThrow("parameters");
		await store.close();
	});

	test("a WebAssembly store keeps texts unchanged, with byte order marks and NULs", async () => {
		const store = await open();
		const texts = [
			...["", "\uFEFFmark", "a\0b", "café", "x".repeat(300)],
			...["😀".repeat(50_000), "\uD800"],
		];
		const rows = await store.read((tx) =>
			Promise.all(texts.map((text) => tx.get("SELECT ? AS text", text))),
		);
		expect(rows.map((row) => row?.text)).toEqual(
			texts.map((text) => text.replace("\uD800", "\uFFFD")),
		);
		await store.close();
	});

	test("a failing read on a shared WebAssembly connection rolls back nothing", async () => {
		const store = await open();
		const read = () =>
			store.read((tx) =>
				tx.savepoint(async () => {
					for (let i = 0; i < 900; i += 1) await tx.get("SELECT 1");
					throw new Error("Not this one");
				}),
			);
		for (const one of [read(), read(), read()])
			await expect(one).rejects.toThrow("Not this one");
		await store.close();
	});
});
