import { formatCursor, type Page, parseCursor } from "./protocol.ts";

/**
 * Pages in the groups in which they are stored, a transaction each: of few rows, since whoever sells meanwhile waits for one.
 * A long page is cut where a version ends, and so each piece is a shop that once was.
 *
 * @param rowsMax of a group; it is longer only where one version is
 */
export function* inPieces(
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
	const { changes, ...rest } = page;
	const at = parseCursor(page.cursor);
	let from = 0;
	// What makes no sense is for the one who stores it to refuse.
	while (at && changes.length - from > rowsMax) {
		const end = endOfVersion(page, from, rowsMax);
		if (end === changes.length) break;
		const version = changes[end - 1]?.version as number;
		yield {
			...rest,
			changes: changes.slice(from, end),
			cursor: formatCursor({ ...at, version }),
			hasMore: true,
		};
		delete rest.reset;
		from = end;
	}
	yield from === 0 ? page : { ...rest, changes: changes.slice(from) };
}

/** Where the last version ends that is within reach whole; the first one's end where none is. */
function endOfVersion(
	{ changes }: Page,
	from: number,
	rowsMax: number,
): number {
	const isEnd = (at: number) =>
		at === changes.length || changes[at]?.version !== changes[at - 1]?.version;
	for (let end = from + rowsMax; end > from; end -= 1)
		if (isEnd(end)) return end;
	let end = from + rowsMax;
	while (!isEnd(end)) end += 1;
	return end;
}
