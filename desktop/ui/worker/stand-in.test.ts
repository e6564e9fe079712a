import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ErrorCode, ShopError } from "../../../sync/protocol/errors.ts";
import type { ChangeKind, TillApi } from "../../../sync/protocol/till-api.ts";
import type { BrowserTill } from "./browser-till.ts";
import type { Member } from "./messages.ts";
import { openWithStandIn } from "./stand-in.ts";

const member: Member = {
	...{ businessId: "shop-1", userId: "asha", name: "Asha" },
	...{ role: "OWNER", deviceId: null },
};
const full = new ShopError("storage_full", "The disk is full");

/** A till that does what it is asked to, unless it is set to fail. */
function fakeTill(name: string) {
	const made: string[] = [];
	const fake = {
		made,
		failure: undefined as Error | undefined,
		isClosed: false,
		change: (_: ChangeKind) => {},
		till: {
			as: () =>
				({
					async mutate({ id }) {
						if (fake.failure) throw fake.failure;
						made.push(id);
						return { id, at: name, args: {} };
					},
				}) as Partial<TillApi> as TillApi,
			onChange(listener) {
				fake.change = listener;
				return () => {};
			},
			tell: (kind) => fake.change(kind),
			close: async () => {
				fake.isClosed = true;
			},
		} as Omit<BrowserTill, "replica"> as BrowserTill,
	};
	return fake;
}

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

async function open(failure?: Error) {
	const disk = fakeTill("disk");
	const memory = fakeTill("memory");
	const why: ErrorCode[] = [];
	const till = await openWithStandIn(
		async () => {
			if (failure) throw failure;
			return disk.till;
		},
		async ({ code }) => {
			why.push(code);
			return memory.till;
		},
	);
	const changes: ChangeKind[] = [];
	till.onChange((kind) => changes.push(kind));
	const sell = async (id: string) =>
		(await till.as(member).mutate({ id, name: "sale.create", args: {} })).at;
	return { disk, memory, why, till, changes, sell };
}

test("the stand-in does what a disk failed to do, and everything after it", async () => {
	const { disk, memory, why, sell, changes } = await open();
	expect(await sell("s1")).toBe("disk");
	disk.failure = full;
	const both = await Promise.all([sell("s2"), sell("s3")]);
	disk.failure = undefined;
	expect([...both, await sell("s4")]).toEqual(["memory", "memory", "memory"]);
	expect([disk.made, memory.made]).toEqual([["s1"], ["s2", "s3", "s4"]]);
	expect([why, changes]).toEqual([["storage_full"], ["standing"]]);
	expect(disk.isClosed).toBe(true);
	memory.change("rows");
	expect(changes).toEqual(["standing", "rows"]);
});

test("a disk that fails on opening has a stand-in from the start", async () => {
	const { memory, why, sell } = await open(full);
	expect(await sell("s1")).toBe("memory");
	expect([memory.made, why]).toEqual([["s1"], ["storage_full"]]);
});

test.each([
	new ShopError("not_found", "No product"),
	new ShopError("storage_busy", "Another tab has it"),
	new TypeError("A bug"),
])("no stand-in replaces a disk that hasn't failed: %s", async (error) => {
	const { disk, why, sell } = await open();
	disk.failure = error;
	await expect(sell("s1")).rejects.toBe(error);
	expect(why).toEqual([]);
	await expect(open(error)).rejects.toBe(error);
});

test("a failure of the stand-in is reported", async () => {
	const { disk, memory, why, sell } = await open();
	disk.failure = full;
	memory.failure = full;
	for (const id of ["s1", "s2"]) await expect(sell(id)).rejects.toBe(full);
	memory.failure = undefined;
	expect(await sell("s3")).toBe("memory");
	expect(why).toEqual(["storage_full"]);
});

test("a disk that fails while its shop is being closed counts as closed", async () => {
	const { disk, why, till, sell } = await open();
	await till.close();
	disk.failure = full;
	await expect(sell("s1")).rejects.toBe(full);
	expect([why, disk.isClosed]).toEqual([[], true]);
});
