import type * as z from "zod";
import type { Connection, DbRow, Value } from "../store/store.ts";

/** The roles of a member, from most to least allowed. */
export const roles = ["OWNER", "MANAGER", "CASHIER"] as const;
export type Role = (typeof roles)[number];
/** Those who may change what the shop sells and has. */
export const managing: readonly Role[] = ["OWNER", "MANAGER"];

/** Records that live and travel inside another, as its array field `field`. */
export interface LineTable {
	field: string;
	table: string;
	/** The column that names the parent. */
	parent: string;
	row: z.ZodObject;
}

/** A kind of record that travels in the change feed. */
export interface Entity<
	Shape extends z.ZodRawShape = z.ZodRawShape,
	Name extends string = string,
> {
	name: Name;
	table: string;
	/** Its columns, by camelCase name: `z.output` is what the core computes with, `z.input` what the wire shows. */
	row: z.ZodObject<Shape>;
	lines?: LineTable;
	/** True where fields are edited, last writer winning by field. */
	editable?: true;
	/** Columns that follow from others and do not travel. */
	columns?(row: Partial<Row<Shape>>): DbRow;
	/** Fields of the wire form that follow from the row. */
	derive?(row: Row<Shape>): Record<string, unknown>;
	/** Fields of the wire form that come from other tables, for many rows at once. They do not count in the digest. */
	expand?(
		tx: Connection,
		businessId: string,
		rows: Row<Shape>[],
	): Promise<Record<string, unknown>[]>;
}

type Row<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
export type RowOf<E> =
	E extends Entity<infer Shape> ? Row<Shape> & { id: string } : never;

/** What `apply` may know and touch. Everything is scoped to one business, and stamped with the mutation's version. */
export interface Context {
	readonly businessId: string;
	readonly mutationId: string;
	/** The mutation's moment, already clamped to no later than the server's now. */
	readonly at: string;
	/** What a server knows of the time; undefined on a replica, which believes its device until it hears otherwise. */
	readonly server: ServerTime | undefined;
	readonly userId: string | null;
	readonly deviceId: string | null;
	find<E extends Entity>(entity: E, id: string): Promise<RowOf<E> | undefined>;
	/** @throws ShopError `not_found`, naming `field`; `unknown_record` where a restored database may get it back */
	get<E extends Entity>(
		entity: E,
		id: string,
		field: string,
	): Promise<RowOf<E>>;
	/** @throws ShopError `id_reused` where the id is taken, by a tombstone too */
	insert<E extends Entity>(entity: E, row: RowOf<E>): Promise<void>;
	/**
	 * Adds to a field, and sets `updatedAt`.
	 *
	 * @returns the row as it stands after; undefined where there is none
	 * @throws SumOverflow, with nothing added
	 */
	add<E extends Entity>(
		entity: E,
		id: string,
		field: keyof RowOf<E> & string,
		delta: number,
	): Promise<RowOf<E> | undefined>;
	/**
	 * True where this very fact was recorded before, by whatever mutation: recording it again must do nothing.
	 *
	 * @throws ShopError `id_reused` where the id is another fact's
	 */
	isRecorded<E extends Entity>(
		entity: E,
		id: string,
		isSame: (existing: RowOf<E>) => boolean,
	): Promise<boolean>;
	/** Sets fields whatever their time. */
	update<E extends Entity>(
		entity: E,
		id: string,
		set: Partial<RowOf<E>>,
	): Promise<void>;
	/** Sets those fields that no later mutation has set already. */
	edit<E extends Entity>(
		entity: E,
		id: string,
		set: Partial<RowOf<E>>,
	): Promise<void>;
	/** Leaves a tombstone. */
	remove(entity: Entity, id: string): Promise<void>;
	/** The last edit of a field: when, and what stood there before. */
	lastEdit(
		entity: Entity,
		id: string,
		field: string,
	): Promise<FieldEdit | undefined>;
	/** A further read. The SQL must be scoped by business_id. */
	all(sql: string, ...params: Value[]): Promise<DbRow[]>;
	/** Says that a sale took a product to its threshold: a server may tell people. */
	reachedLowStock(product: LowStock): Promise<void>;
	/** The id of the next record that this mutation makes besides those it names. */
	nextId(): string;
}

export interface ServerTime {
	now: string;
	/** The device's clock was wrong: the mutation's moment is this one. */
	isCorrected: boolean;
}

/** A product that a sale took to its threshold or below; quantities in millionths. */
export interface LowStock {
	id: string;
	name: string;
	quantity: number;
	lowStock: number;
}

export interface FieldEdit {
	at: string;
	was: unknown;
}

/** A named intent: its arguments as a schema, and what it does. */
export interface Mutation<
	Args extends z.ZodType = z.ZodType,
	Name extends string = string,
> {
	name: Name;
	args: Args;
	/**
	 * Arguments that came after version 1, by their path (`note`, `set.note`), each with the version that brought it. A
	 * message that has one says so in `argsVersion`, and an older server keeps it waiting instead of refusing it for good.
	 */
	since?: Readonly<Record<string, number>>;
	/** Who may; everyone where absent. */
	roles?: readonly Role[];
	/** What it is to do, for a person who reads the log. @param args as they travel, checked before */
	sentence(args: z.input<Args>): string;
	/** For documentation and tests: about the records of the others' examples, which come before it in the list. */
	examples: readonly [z.input<Args>, ...z.input<Args>[]];
	/** Fixes, where the mutation is made, what a later replay must not compute anew. It writes no rows. */
	prepare?(
		context: Context,
		args: z.input<Args>,
		device: ReceiptCounter,
	): Promise<z.input<Args>>;
	/** A pure function of args and database: no clock, no randomness, no network. */
	apply(context: Context, args: z.output<Args>): Promise<void>;
}

/** The device on which a mutation is made. */
export interface ReceiptCounter {
	nextReceiptNumber(): Promise<string>;
}

/** Binds the type of the arguments, so that `apply` is checked against its schema. */
export function defineMutation<Args extends z.ZodType, Name extends string>(
	mutation: Mutation<Args, Name>,
): Mutation<Args, Name> {
	return mutation;
}

export function defineEntity<Shape extends z.ZodRawShape, Name extends string>(
	entity: Entity<Shape, Name>,
): Entity<Shape, Name> {
	return entity;
}
