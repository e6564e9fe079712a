import { lastWhole } from "../feed/feed.ts";
import { cursorWithin } from "../log/chain.ts";
import { formatCursor, type Page, parseCursor } from "../protocol/protocol.ts";

/**
 * Groups pages for storing, one transaction per group. Groups have few rows, because a cashier waits for the
 * transaction. A long page is split at the end of a version, so that each chunk is a state that the shop once had.
 *
 * @param rowsMax of a group, which is longer only if a single version is
 */
export function* splitPages(
	pages: readonly Page[],
	rowsMax: number,
): Generator<Page[]> {
	let group: Page[] = [];
	let rows = 0;
	for (const page of pages)
		for (const piece of cut(page, rowsMax)) {
			if (group.length > 0 && rows + piece.changes.length > rowsMax) {
				yield group;
				group = [];
				rows = 0;
			}
			group.push(piece);
			rows += piece.changes.length;
		}
	if (group.length > 0) yield group;
}

function* cut(page: Page, rowsMax: number): Generator<Page> {
	const at = parseCursor(page.cursor);
	let left = page;
	for (;;) {
		const { changes, reset, ...rest } = left;
		const versions = changes.map(({ version }) => version);
		const upTo = lastWhole(versions, rowsMax);
		const end = versions.findIndex((version) => version > (upTo ?? Infinity));
		// `storePages` refuses an unreadable cursor.
		if (!at || upTo === undefined || end === -1) break;
		yield {
			...left,
			changes: changes.slice(0, end),
			cursor: formatCursor(cursorWithin(at, upTo)),
			hasMore: true,
		};
		left = { ...rest, changes: changes.slice(end) };
	}
	yield left;
}
