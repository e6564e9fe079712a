import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { Entity } from "../../sync/entity.ts";
import type { Store, Value } from "../../sync/store/store.ts";
import { selectWires } from "./rows.ts";

/** Rows that are read, presented and sent at a time. */
const pageRows = 500;

type Wire = Record<string, unknown>;

export interface List {
	/** Further conditions, each with its `?`. */
	where?: string;
	params?: readonly Value[];
	/** Columns that tell every two rows apart, all in one direction. */
	order: readonly string[];
	isDescending?: boolean;
	/** A row's values of these columns. */
	keyOf(row: Wire): Value[];
	/** How many rows at most, and how many are left out before them. */
	limit?: number;
	offset?: number;
}

/**
 * Live rows of a business in the form that the API shows, a page at a time. Each page is a read of its own that begins
 * behind the last row before it, so that a slow reader holds no transaction, and rows that come or go meanwhile neither
 * repeat nor hide others.
 */
export async function* readPages(
	store: Store,
	entity: Entity,
	businessId: string,
	list: List,
): AsyncGenerator<Wire[]> {
	const { where = "", params = [], order, keyOf } = list;
	const direction = list.isDescending ? "DESC" : "ASC";
	const orderBy = order.map((column) => `${column} ${direction}`).join(", ");
	const after = `AND (${order.join(", ")}) ${list.isDescending ? "<" : ">"} (${order.map(() => "?").join(", ")})`;
	let left = list.limit ?? Number.POSITIVE_INFINITY;
	let last: Wire | undefined;
	while (left > 0) {
		const rows = Math.min(left, pageRows);
		const page = await store.read((tx) =>
			selectWires(
				tx,
				entity,
				businessId,
				`${where} ${last ? after : ""} ORDER BY ${orderBy} LIMIT ? OFFSET ?`,
				...params,
				...(last ? keyOf(last) : []),
				rows,
				last ? 0 : (list.offset ?? 0),
			),
		);
		yield page;
		if (page.length < rows) return;
		last = page.at(-1);
		left -= page.length;
	}
}

/**
 * Answers JSON with a list in it: a short one as any other answer, a long one as its pages come.
 *
 * @param before the answer's text up to the list's bracket; `after` from behind it
 */
export async function sendList(
	response: Response,
	pages: AsyncGenerator<Wire[]>,
	before = "",
	after = "",
): Promise<void> {
	const first = (await pages.next()).value ?? [];
	response.type("json");
	if (first.length < pageRows) {
		response.send(`${before}${JSON.stringify(first)}${after}`);
		return;
	}
	async function* texts(): AsyncGenerator<string> {
		// Without its bracket: others follow.
		yield `${before}${JSON.stringify(first).slice(0, -1)}`;
		for await (const page of pages)
			if (page.length > 0) yield `,${JSON.stringify(page).slice(1, -1)}`;
		yield `]${after}`;
	}
	await sendPages(response, texts());
}

/** Sends an answer as its pages come, for as long as somebody reads it. */
export async function sendPages(
	response: Response,
	pages: AsyncGenerator<string>,
): Promise<void> {
	try {
		await pipeline(Readable.from(pages), response);
	} catch (error) {
		// A reader who hangs up needs no more of it.
		if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE")
			throw error;
	}
}
