import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { ShopError } from "../../sync/errors.ts";
import { type List, type Query, rowsMax } from "../../sync/query.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { type Operation, operation } from "../routes.ts";
import { sendList } from "./long-list.ts";

/** What a list is asked beside its page. */
type ArgsOf<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>>;
type Asker = Pick<Caller, "businessId" | "role">;
interface Page<Row> {
	rows: Row[];
	next: string | null;
}

/** How the address of a route says a query's arguments. */
interface Address<Asked, Params extends z.ZodType> {
	/** Where it differs from the query's. */
	summary?: string;
	access?: "member" | "memberSession";
	params?: Params;
	toArgs?(asked: { id: string; params: z.output<Params> }): Asked;
}

/** The GET of a query: what it is for, who may ask and what it answers are the query's. */
export function answering<
	Args extends z.ZodType,
	Answer extends z.ZodType,
	Params extends z.ZodType = z.ZodUnknown,
>(
	shop: Shop,
	query: Query<Args, Answer>,
	{
		summary = query.summary,
		access = "member",
		params,
		toArgs = () => ({}) as z.input<Args>,
	}: Address<z.input<Args>, Params> = {},
): Operation {
	return operation<"member" | "memberSession", Params>({
		summary,
		access,
		roles: query.roles,
		query: params,
		answers: { 200: query.answer },
		async handle({ caller, id, query: params, response }) {
			response.json(await shop.ask(caller, query, toArgs({ id, params })));
		},
	});
}

/** The GET of all that a list has, sent as it is read. */
export function listing<
	Shape extends z.ZodRawShape,
	Row extends z.ZodType,
	Params extends z.ZodType = z.ZodUnknown,
>(
	shop: Shop,
	list: List<Shape, Row>,
	{
		summary = list.summary,
		access = "member",
		params,
		toArgs = () => ({}) as ArgsOf<Shape>,
	}: Address<ArgsOf<Shape>, Params> = {},
): Operation {
	return operation<"member" | "memberSession", Params>({
		summary,
		access,
		roles: list.roles,
		query: params,
		answers: { 200: z.array(list.row) },
		async handle({ caller, id, query: params, response }) {
			const args = toArgs({ id, params });
			await sendList(response, pagesOf(shop, caller, list, args));
		},
	});
}

/**
 * A list from its first row on, a page at a time. Each page is a read of its own, so that a slow reader holds no
 * transaction.
 *
 * @param options.limit how many rows in all
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
		// A database that answers at once leaves no turn to others.
		await nextTurn();
	}
}

/**
 * One whole page, however far the next of its rows is.
 *
 * @param isWanted false ends the search: nobody waits for it any more
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
	// One row more tells whether there is a next page.
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

/**
 * Asks in each of the caller's businesses, since a record can be in any.
 *
 * @returns the first answer, and the caller in that business
 * @throws ShopError `not_found` where none has it
 */
export async function askEach<Args extends z.ZodType, Answer extends z.ZodType>(
	shop: Shop,
	callers: readonly Caller[],
	query: Query<Args, Answer>,
	args: z.input<Args>,
): Promise<{ owner: Caller; found: z.input<Answer> }> {
	let nowhere: unknown;
	for (const owner of callers)
		try {
			return { owner, found: await shop.ask(owner, query, args) };
		} catch (error) {
			if (!(error instanceof ShopError) || error.code !== "not_found")
				throw error;
			nowhere = error;
		}
	throw nowhere;
}
