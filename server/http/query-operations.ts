import * as z from "zod";
import { ShopError } from "../../sync/protocol/errors.ts";
import { type ArgsOf, pagesOf } from "../../sync/queries/list-pages.ts";
import type { List, Query } from "../../sync/queries/query.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { type Operation, operation } from "./operation.ts";
import { sendList } from "./stream-list.ts";

/** Maps a route's URL to a query's arguments. */
interface Address<Asked, Params extends z.ZodType> {
	/** Overrides the query's summary. */
	summary?: string;
	access?: "member" | "memberSession";
	params?: Params;
	toArgs?(asked: { id: string; params: z.output<Params> }): Asked;
}

/** Makes a query's GET operation; summary, roles and answer come from the query. */
export function queryOperation<
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

/** Makes a GET operation that streams a whole list while it is read. */
export function listOperation<
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
 * Runs a query in each of the caller's businesses, since a record can be in any.
 *
 * @returns the first answer, and the caller in that business
 * @throws ShopError `not_found` if no business has the record
 */
export async function askEachBusiness<
	Args extends z.ZodType,
	Answer extends z.ZodType,
>(
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
