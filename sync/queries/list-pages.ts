import type * as z from "zod";
import { nextTurn } from "#platform";
import type { Caller } from "../log/log.ts";
import type { Shop } from "../shop.ts";
import { type List, rowsMax } from "./query.ts";

/** A list's arguments without those that choose the page. */
export type ArgsOf<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;
type Asker = Pick<Caller, "businessId" | "role">;
interface Page<Row> {
	rows: Row[];
	next: string | null;
}

/**
 * Reads a list from its first row, a page at a time. Each page is a separate read, so that a slow consumer holds no
 * transaction.
 *
 * @param options.limit the maximum number of rows in all
 */
export async function* pagesOf<
	Shape extends z.ZodRawShape,
	Row extends z.ZodType,
>(
	shop: Pick<Shop, "ask">,
	asker: Asker,
	list: List<Shape, Row>,
	args: ArgsOf<Shape>,
	{ limit = Number.POSITIVE_INFINITY, pageRows = rowsMax } = {},
): AsyncGenerator<z.input<Row>[]> {
	let left = limit;
	let after: string | undefined;
	while (left > 0) {
		const page = await askPage(shop, asker, list, args, {
			after,
			limit: Math.min(left, pageRows),
		});
		yield page.rows;
		if (page.next === null) return;
		after = page.next;
		left -= page.rows.length;
		// A synchronous database gives other tasks no turn.
		await nextTurn();
	}
}

/**
 * Reads one full page of a search, however far apart its rows are.
 *
 * @param isWanted returns false to end the search, once the caller has gone
 */
export async function pageOf<
	Shape extends z.ZodRawShape,
	Row extends z.ZodType,
>(
	shop: Pick<Shop, "ask">,
	asker: Asker,
	list: List<Shape, Row>,
	args: ArgsOf<Shape>,
	{ after, limit }: { after: string | undefined; limit: number },
	isWanted: () => boolean = () => true,
): Promise<Page<z.input<Row>>> {
	// One row more shows whether there is a next page.
	const wanted = limit + 1;
	const found: z.input<Row>[] = [];
	for (let place = after; found.length < wanted && isWanted(); ) {
		const left = wanted - found.length;
		const { rows, next } = await askPage(shop, asker, list, args, {
			after: place,
			limit: left,
		});
		found.push(...rows);
		if (next === null) break;
		place = next;
		if (rows.length < left) await nextTurn();
	}
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	const isMore = found.length > limit && last !== undefined;
	return { rows, next: isMore ? list.placeOf(last) : null };
}

function askPage<Shape extends z.ZodRawShape, Row extends z.ZodType>(
	shop: Pick<Shop, "ask">,
	asker: Asker,
	list: List<Shape, Row>,
	args: ArgsOf<Shape>,
	page: { after: string | undefined; limit: number },
): Promise<Page<z.input<Row>>> {
	const asked = { ...args, ...page } as z.input<(typeof list)["args"]>;
	return shop.ask(asker, list, asked) as Promise<Page<z.input<Row>>>;
}
