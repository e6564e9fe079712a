import type * as z from "zod";
import type { Connection, DbRow, Value } from "../store/store.ts";

/** A member's roles, from the most to the least privileged. */
export const roles = ["OWNER", "MANAGER", "CASHIER"] as const;
export type Role = (typeof roles)[number];
/** Roles that may change products, stock and categories. */
export const managing: readonly Role[] = ["OWNER", "MANAGER"];

/** Records that belong to another record and travel inside it, in its array field `field`. */
export interface LineTable {
	field: string;
	/** A view if the entity has a storage. */
	table: string;
	/** The column that names the parent. */
	parent: string;
	row: z.ZodObject;
}

/** A kind of record in the change feed. */
export interface Entity<
	Shape extends z.ZodRawShape = z.ZodRawShape,
	Name extends string = string,
> {
	name: Name;
	table: string;
	/**
	 * The columns by camelCase name. `z.output` is the stored form that the core computes with, `z.input` the wire form.
	 */
	row: z.ZodObject<Shape>;
	lines?: LineTable;
	/** Set if `table` is a view. */
	storage?: EntityStorage;
	/**
	 * Fields that each database sums for itself from other records: the feed leaves them out, and a new sum changes no
	 * version.
	 */
	summed?: readonly string[];
	/** What the record takes from stock and adds to it. */
	movesStock?(row: Row<Shape>): StockMove[];
	/** True if members edit its fields; each field is last-writer-wins. */
	editable?: true;
	/** True if a new till needs the facts before it sells: a balance is wrong without any of them. */
	isNeededFirst?: true;
	/** Computed columns that stay in the database, such as one for searching. */
	columns?(row: Partial<Row<Shape>>): DbRow;
	/** Computed fields of the wire form. */
	derive?(row: Row<Shape>): Record<string, unknown>;
	/** Fields of the wire form that come from other tables, for many rows at once. The digest leaves them out. */
	expand?(
		tx: Connection,
		businessId: string,
		rows: Row<Shape>[],
	): Promise<Record<string, unknown>[]>;
}

/** Writes records that are stored in another form than they are read. */
export interface EntityStorage {
	/** The table of the rows, with their versions. */
	table: string;
	/** The condition for the rows of one business, with one placeholder. */
	scope: string;
	/** @returns false, with nothing written, if the id is taken */
	insert(
		tx: Connection,
		businessId: string,
		stored: { row: object; version: number; deleted: boolean },
	): Promise<boolean>;
	/** Deletes records, with their lines. @param which a condition on the rows */
	erase(
		tx: Connection,
		businessId: string,
		which: string,
		...params: Value[]
	): Promise<void>;
}

/** An amount of a product, in millionths, that a fact adds to stock or takes from it. */
export interface StockMove {
	productId: string;
	delta: number;
	/** The fact's moment. */
	at: string;
}

type Row<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
export type RowOf<E> =
	E extends Entity<infer Shape> ? Row<Shape> & { id: string } : never;

/** What `apply` may read and write, scoped to one business. Each written row gets the mutation's version. */
export interface Context {
	readonly businessId: string;
	readonly mutationId: string;
	/** The mutation's moment, clamped to the server's now. */
	readonly at: string;
	/** The server's time. Undefined on a replica, which trusts its device until the server answers. */
	readonly server: ServerTime | undefined;
	readonly userId: string | null;
	readonly deviceId: string | null;
	/** The member whose session brings it, if it is another's without a proof. Null otherwise. */
	readonly carrierId: string | null;
	/** False on a replica, whose rows are provisional until the server's arrive. */
	readonly isServers: boolean;
	/** True if a person is there to approve what goes beyond the maker's limits. */
	readonly asksApproval: boolean;
	find<E extends Entity>(entity: E, id: string): Promise<RowOf<E> | undefined>;
	/**
	 * @throws ShopError `not_found` with `field`, or `unknown_record` if a till may still bring the record
	 */
	get<E extends Entity>(
		entity: E,
		id: string,
		field: string,
	): Promise<RowOf<E>>;
	/** @throws ShopError `id_reused` if the id is taken, even by a tombstone */
	insert<E extends Entity>(entity: E, row: RowOf<E>): Promise<void>;
	/**
	 * Adds to a summed field, and takes `updatedAt` to a moment. The row's version stays.
	 *
	 * @returns the row after the change, or undefined if there is none
	 * @throws SumOverflow with nothing added
	 */
	add<E extends Entity>(
		entity: E,
		id: string,
		field: keyof RowOf<E> & string,
		delta: number,
		at: string,
	): Promise<RowOf<E> | undefined>;
	/**
	 * Returns true if any mutation has recorded this fact before, so that recording it again must do nothing.
	 *
	 * @throws ShopError `id_reused` if the id belongs to another fact
	 */
	isRecorded<E extends Entity>(
		entity: E,
		id: string,
		isSame: (existing: RowOf<E>) => boolean,
	): Promise<boolean>;
	/** Sets fields, whatever the moment of their last edit. */
	update<E extends Entity>(
		entity: E,
		id: string,
		set: Partial<RowOf<E>>,
	): Promise<void>;
	/** Sets fields, and forgets what stood in any field of the row before. */
	overwrite<E extends Entity>(
		entity: E,
		id: string,
		set: Partial<RowOf<E>>,
	): Promise<void>;
	/** Sets the fields that no later mutation has set. */
	edit<E extends Entity>(
		entity: E,
		id: string,
		set: Partial<RowOf<E>>,
	): Promise<void>;
	/** Replaces a row by a tombstone. */
	remove(entity: Entity, id: string): Promise<void>;
	/** Returns the last edit of a field, with the value that it replaced. */
	lastEdit(
		entity: Entity,
		id: string,
		field: string,
	): Promise<FieldEdit | undefined>;
	/** Runs a read that the methods above do not cover. The SQL must filter by business_id. */
	all(sql: string, ...params: Value[]): Promise<DbRow[]>;
	/** Reports something that the server may notify members of. A replica reports nothing. */
	notify(notice: Notice): Promise<void>;
	/** Returns the id of the next record that this mutation makes besides those that it names. */
	nextId(): string;
}

export interface ServerTime {
	now: string;
	/** The device's clock was wrong, and the mutation's moment is the server's now. */
	isCorrected: boolean;
}

/** What members are notified of: a product that a sale took to its threshold, or what somebody did beyond their limits. */
export type Notice =
	| ({ code: "low_stock" } & LowStock)
	| ({ code: "over_limit" } & LimitNotice)
	| ({ code: "approved" | "pin_locked"; approver: string } & LimitNotice);

/** Something beyond its maker's limits. */
export interface LimitNotice {
	/** The mutation's name, and the record that it made. */
	act: string;
	id: string;
	userId: string | null;
	/** In millionths. */
	amount: number;
}

/** A product at or below its low-stock threshold. Quantities are in millionths. */
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

/** A named intent: a schema of its arguments, and their effect. */
export interface Mutation<
	Args extends z.ZodType = z.ZodType,
	Name extends string = string,
> {
	name: Name;
	args: Args;
	/**
	 * Arguments that were added after version 1, by path (`note`, `set.note`, `items.note` of any item), with the version
	 * that added them. A message that uses one says so in `argsVersion`, so that an older server defers it instead of rejecting it.
	 */
	since?: Readonly<Record<string, number>>;
	/** The roles that may make it. Default: all. */
	roles?: readonly Role[];
	/**
	 * Describes the effect in one line of the log.
	 *
	 * @param args in wire form, validated
	 */
	sentence(args: z.input<Args>): string;
	/** Examples for documentation and tests. They may refer to records of the mutations that come earlier in the list. */
	examples: readonly [z.input<Args>, ...z.input<Args>[]];
	/**
	 * Names the id that it gets if its maker gives it none. A record that is its mutation's own entry in the log shares its
	 * id with it, so that the log needs no second one.
	 */
	ownId?(args: z.input<Args>): string;
	/**
	 * Completes the arguments when the mutation is made, with everything that a replay must not compute again. It writes
	 * no rows.
	 */
	prepare?(
		context: Context,
		args: z.input<Args>,
		device: Device,
	): Promise<z.input<Args>>;
	/** Applies the mutation. It depends on nothing but `args` and the database: no clock, no randomness, no network. */
	apply(context: Context, args: z.output<Args>): Promise<void>;
}

/** The device that makes a mutation. */
export interface Device {
	/** Where its cash is kept: each till has a drawer, and all that a server sells itself goes into one. */
	drawerId: string;
	nextReceiptNumber(): Promise<string>;
}

/** Infers the type of the arguments, so that `apply` is checked against their schema. */
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
