import type { Request, Response } from "express";
import type * as z from "zod";
import type { Role } from "../../sync/entities/entity.ts";
import type { Caller } from "../../sync/shop.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Member {
	/** In the business that the request is about. */
	caller: Caller;
	/** In each of their businesses, the first one first. */
	callers: Caller[];
}

/**
 * What `handle` is given about its caller, by the operation's access: `member` takes a token or a cookie, `memberSession`
 * only a cookie. Rooms that know other callers declare them here: sessions in accounts, payers in the gateway.
 */
export interface CallerByAccess {
	anyone: object;
	member: Member;
	memberSession: Member;
}

/** Who may call an operation. */
export type Access = keyof CallerByAccess;

/** What an answer holds: JSON of a schema, or other media by their type. */
export type Answer = z.ZodType | Record<string, z.ZodType>;

/** One method of one path: its summary, access, input, answers and handler. */
export interface Operation<
	A extends Access = Access,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType = z.ZodType,
> {
	/** A few words for the API document. */
	summary: string;
	access: A;
	/** Roles that may call it, in the business that the request is about; a record of another business is checked there. */
	roles?: readonly Role[] | undefined;
	query?: Query;
	body?: Body;
	bodyMaxBytes?: number;
	/** Also takes the fields of an HTML form. */
	form?: true;
	/** Takes a file instead of JSON: its media types, and its size at most. */
	upload?: { types: readonly string[]; maxBytes: number };
	/** Also answers pages of other sites, which can't read the answer: it changes nothing and sets no cookie. */
	fromAnySite?: true;
	/** Answered even by an overloaded server. */
	isAlwaysAnswered?: true;
	/** By status; the failures that follow from the rest are added (`failuresOf`). */
	answers: Record<number, Answer>;
	/** Statuses of further failures. */
	failures?: readonly number[];
	handle(
		input: CallerByAccess[A] & {
			request: Request<Record<string, string>>;
			response: Response;
			/** The path's `:id`, or `*id` with slashes in it, where it has one. */
			id: string;
			query: z.output<Query>;
			body: z.output<Body>;
			/** Of an upload; empty without one. */
			bytes: Buffer;
		},
	): Promise<void>;
}

/** Operations by path and method. */
export type Routes = Record<string, Partial<Record<Method, Operation>>>;

/** Checks `handle` against the operation's access and input. */
export function operation<
	A extends Access,
	Query extends z.ZodType = z.ZodUnknown,
	Body extends z.ZodType = z.ZodUnknown,
>(it: Operation<A, Query, Body>): Operation {
	return it as unknown as Operation;
}
