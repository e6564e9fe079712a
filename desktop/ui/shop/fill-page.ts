interface Slice<Row> {
	rows: Row[];
	next: string | null;
}

/**
 * Asks for slices of a list until a page is full: a search page may be short, since a query looks through a limited number
 * of rows. What has come is shown where the rest fails, as older sales do without the server, and the next page tries again.
 *
 * @throws what the first slice throws
 */
export async function fillPage<Row>(
	ask: (slice: { limit: number; after?: string }) => Promise<Slice<Row>>,
	from: string | null,
	{ limit, signal }: { limit: number; signal: AbortSignal },
): Promise<Slice<Row>> {
	const rows: Row[] = [];
	let next = from;
	do {
		const slice = { limit: limit - rows.length };
		try {
			const page = await ask(next === null ? slice : { ...slice, after: next });
			rows.push(...page.rows);
			next = page.next;
		} catch (error) {
			if (rows.length === 0) throw error;
			break;
		}
	} while (next !== null && rows.length < limit && !signal.aborted);
	return { rows, next };
}
