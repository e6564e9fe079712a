import { lastWhole } from "../feed/feed.ts";
import { cursorWithin } from "../log/chain.ts";
import { formatCursor, type Page, parseCursor } from "../protocol/protocol.ts";

/**
 * Pages in the groups in which they are stored, a transaction each: of few rows, since whoever sells meanwhile waits for one.
 * A long page is cut where a version ends, and so each piece is a shop that once was.
 *
 * @param rowsMax of a group; it is longer only where one version is
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
		// A cursor that makes no sense is for the one who stores it to refuse.
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
