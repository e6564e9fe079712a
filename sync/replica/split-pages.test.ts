import { expect, test, vi } from "vitest";
import { ShopError } from "../protocol/errors.ts";
import { type Change, type Page, parseCursor } from "../protocol/protocol.ts";
import {
	addCategories,
	expectInStep,
	openTestShop,
	openTestTill,
} from "../testing/shop.ts";
import { splitPages } from "./split-pages.ts";

/** A page whose rows have these versions. */
function pageOf(versions: number[], more: Partial<Page> = {}): Page {
	const changes = versions.map(
		(version, i): Change => ({
			...{ entity: "category", id: `${version}-${i}`, version },
			...{ deleted: true, row: null },
		}),
	);
	return {
		changes,
		cursor: `e.${versions.at(-1) ?? 0}`,
		hasMore: false,
		...more,
	};
}

/** The versions of each chunk, by group. */
function shapeOf(pages: Page[], rowsMax: number) {
	return [...splitPages(pages, rowsMax)].map((group) =>
		group.map(({ changes }) => changes.map(({ version }) => version)),
	);
}

test("short pages are stored together up to the maximum", () => {
	const pages = [pageOf([1, 2]), pageOf([3, 4]), pageOf([5, 6]), pageOf([])];
	expect(shapeOf(pages, 4)).toEqual([
		[
			[1, 2],
			[3, 4],
		],
		[[5, 6], []],
	]);
	expect(shapeOf([...pages.slice(0, 3), pageOf([7, 8])], 4)).toEqual([
		[
			[1, 2],
			[3, 4],
		],
		[
			[5, 6],
			[7, 8],
		],
	]);
	expect(shapeOf([], 4)).toEqual([]);
});

test("a page with an unreadable cursor is not split", () => {
	const page = pageOf([1, 2, 3], { cursor: "nonsense" });
	expect([...splitPages([page], 1)]).toEqual([[page]]);
});

test("a long page is split at the end of versions [REBASE-1]", () => {
	expect(shapeOf([pageOf([1, 2, 2, 3, 4])], 2)).toEqual([
		[[1]],
		[[2, 2]],
		[[3, 4]],
	]);
	expect(shapeOf([pageOf([1, 1, 1, 2])], 2)).toEqual([[[1, 1, 1]], [[2]]]);
	expect(shapeOf([pageOf([1, 1, 1])], 2)).toEqual([[[1, 1, 1]]]);
});

test("each chunk of a page has its own cursor, hasMore and reset", () => {
	const page = pageOf([1, 2, 3], { reset: true, hasMore: false });
	const pieces = [...splitPages([page], 1)].flat();
	expect(pieces.map(({ changes, ...rest }) => rest)).toEqual([
		{ cursor: "e.1", hasMore: true, reset: true },
		{ cursor: "e.2", hasMore: true },
		{ cursor: "e.3", hasMore: false },
	]);
});

test("a till keeps the chunks that it stored, and continues after them [REBASE-1]", async () => {
	const server = await openTestShop();
	await addCategories(server, 6);
	const till = await openTestTill(server, { rowsPerWrite: 2 });
	const write = till.store.write.bind(till.store);
	const stored = async () => {
		const [row] = await till.rows("SELECT cursor_version FROM replica");
		return Number(row?.cursor_version);
	};
	const full = vi.spyOn(till.store, "write").mockImplementation(async (fn) => {
		if ((await stored()) > 0) throw new ShopError("storage_full", "No room");
		return write(fn);
	});
	await expect(till.till.sync()).rejects.toThrow("No room");
	full.mockRestore();
	const version = await stored();
	expect(version).toBeGreaterThan(0);

	till.line.pushes.length = 0;
	await till.till.sync();
	const cursor = parseCursor(till.line.pushes[0]?.cursor ?? "");
	expect(cursor?.version).toBe(version);
	const [all] = await till.rows("SELECT count(*) AS count FROM categories");
	expect(all?.count).toBe(6);
	await expectInStep(server, till);
});
