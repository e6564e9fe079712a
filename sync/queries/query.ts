import * as z from "zod";
import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/** What a query may know: one consistent view of one business, and the moment. */
export interface QueryContext {
	tx: Connection;
	businessId: string;
	/** Milliseconds since 1970. */
	now: number;
}

/**
 * A named question: its arguments and its answer as schemas, and how the answer is read. The answer depends on the shop and
 * the moment, never on the caller, and has the form that travels.
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
	/** Who may ask; everyone where absent. */
	roles?: readonly Role[];
	/** It asks of what does not travel, the log and accounts: a replica refuses. */
	onServer?: true;
	/** It reads sums: tallies are folded first, and callers who ask at the same time share one reading. */
	settles?: true;
	/** @throws ShopError `not_found` */
	run(context: QueryContext, args: z.output<Args>): Promise<z.input<Answer>>;
}

/** Binds the types, so that `run` is checked against its schemas. */
export function defineQuery<
	Args extends z.ZodType,
	Answer extends z.ZodType,
	Name extends string,
>(query: Query<Args, Answer, Name>): Query<Args, Answer, Name> {
	return query;
}

/** Rows of one answer. Nobody gets a whole shop by accident. */
const pageDefault = 50;
export const rowsMax = 500;
/** The longest place is a product's, by its name. */
const placeMax = 100_000;

const pageShape = {
	/** A row's place, or where an answer ended. One that can't be read is none. */
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
	 * Where the next page begins; null after the last. A page with a search in it can end before it is full: one answer looks
	 * through so many rows and no more.
	 */
	next: z.ZodNullable<z.ZodString>;
}>;

/** A query for a sequence, which is read page by page in an order that stays, whatever comes and goes meanwhile. */
export interface List<
	Shape extends z.ZodRawShape = z.ZodRawShape,
	Row extends z.ZodType = z.ZodType,
	Name extends string = string,
> extends Query<PagedArgs<Shape>, Page<Row>, Name> {
	row: Row;
	/** Tells a row apart from all others, and those before it from those behind it. */
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
	args: Shape;
	row: Row;
	/** @returns the rows behind a place, and where it stopped looking if that was before their end */
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
			// One row more tells whether there is a next page.
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
