import * as z from "zod";
import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/** What a query may read: one consistent view of one business, and the time. */
export interface QueryContext {
	tx: Connection;
	businessId: string;
	/** Milliseconds since 1970. */
	now: number;
}

/**
 * A named query with schemas for its arguments and its answer. The answer depends on the shop and the time, on the caller only
 * by their role, and is in wire form.
 */
export interface Query<
	Args extends z.ZodType = z.ZodType,
	Answer extends z.ZodType = z.ZodType,
	Name extends string = string,
> {
	name: Name;
	summary: string;
	args: Args;
	answer: Answer;
	/** The roles that may ask. Default: all. */
	roles?: readonly Role[];
	/** True if it reads the log or accounts, which only the server has. A replica refuses it. */
	onServer?: true;
	/**
	 * How a till whose window leaves out older sales answers it:
	 * - `since`: by the server, if the window begins after the business day that it returns, the first whose sales count
	 * - `days`: a list by days, from the window on by itself, and the days before that by the server
	 * - `sale`: it brings the sale with the id
	 * - `found`: by the server, if it finds no sale
	 * - `rather`: by the server, and by itself where that can't be reached
	 *
	 * Default: its rows are enough.
	 */
	older?: "days" | "sale" | "found" | "rather" | Since;
	/** True if it reads report totals: they are updated first, and concurrent callers share one read. */
	settles?: true;
	/**
	 * Of a query that settles: what a cashier gets of an answer while a shift is open: nothing that says what should be in its drawer, which they count
	 * without knowing. Default: all of it.
	 */
	whileCounting?(
		answer: z.input<Answer>,
		args: z.output<Args>,
	): z.input<Answer>;
	/** @throws ShopError `not_found` */
	run(context: QueryContext, args: z.output<Args>): Promise<z.input<Answer>>;
}

interface Since {
	since(
		args: {
			from?: string | undefined;
			to?: string | undefined;
			id?: string | undefined;
		},
		context: QueryContext,
	): string | Promise<string>;
}

/** Infers the types, so that `run` is checked against its schemas. */
export function defineQuery<
	Args extends z.ZodType,
	Answer extends z.ZodType,
	Name extends string,
>(query: Query<Args, Answer, Name>): Query<Args, Answer, Name> {
	return query;
}

/** Default page length. */
const pageDefault = 50;
export const rowsMax = 500;
/** The longest cursor contains a product's name. */
const placeMax = 100_000;

const pageShape = {
	/** The cursor of a row, or the `next` of an answer. An unreadable cursor counts as none. */
	after: z.string().max(placeMax).optional(),
	limit: z.int().min(1).max(rowsMax).default(pageDefault),
};

type PagedArgs<Shape extends z.ZodRawShape> = z.ZodObject<
	Shape & typeof pageShape,
	z.core.$strict
>;
type Page<Row extends z.ZodType> = z.ZodObject<{
	rows: z.ZodArray<Row>;
	/**
	 * The cursor of the next page. Null after the last. A page of a search can end before it is full, because one answer
	 * looks through a limited number of rows.
	 */
	next: z.ZodNullable<z.ZodString>;
}>;

/** A query that reads a list by pages, in an order that stays stable while rows come and go. */
export interface List<
	Shape extends z.ZodRawShape = z.ZodRawShape,
	Row extends z.ZodType = z.ZodType,
	Name extends string = string,
> extends Query<PagedArgs<Shape>, Page<Row>, Name> {
	row: Row;
	/** Returns a row's cursor, which identifies it and orders it among the others. */
	placeOf(row: z.input<Row>): string;
}

interface ListDefinition<
	Shape extends z.ZodRawShape,
	Row extends z.ZodType,
	Name extends string,
> extends Pick<
		List<Shape, Row, Name>,
		"name" | "summary" | "roles" | "onServer" | "placeOf"
	> {
	older?: "days" | Since;
	args: Shape;
	row: Row;
	/** @returns the rows after a cursor, and the cursor where the read stopped if that was before their end */
	read(
		context: QueryContext,
		args: z.output<z.ZodObject<Shape>>,
		page: { after: string | undefined; limit: number },
	): Promise<{ rows: z.input<Row>[]; stoppedAt?: string | undefined }>;
}

export function defineList<
	Shape extends z.ZodRawShape,
	Row extends z.ZodType,
	Name extends string,
>({
	args,
	read,
	...list
}: ListDefinition<Shape, Row, Name>): List<Shape, Row, Name> {
	return {
		...list,
		args: z.strictObject({ ...args, ...pageShape }),
		answer: z.object({
			rows: z.array(list.row),
			next: z.string().nullable(),
		}),
		async run(context, given) {
			const { after, limit, ...args } = given as z.output<
				z.ZodObject<typeof pageShape>
			>;
			// One row more shows whether there is a next page.
			const { rows, stoppedAt = null } = await read(
				context,
				args as z.output<z.ZodObject<Shape>>,
				{ after, limit: limit + 1 },
			);
			if (rows.length <= limit) return { rows, next: stoppedAt };
			const page = rows.slice(0, limit);
			return { rows: page, next: list.placeOf(page.at(-1) as z.input<Row>) };
		},
	};
}
