import type { Request, Response } from "express";
import type * as z from "zod";
import type { Role } from "../../sync/entities/entity.ts";
import type { Caller } from "../../sync/shop.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Member {
	/** The caller in the business that the request is about. */
	caller: Caller;
	/** The caller in each of their businesses, the first business first. */
	callers: Caller[];
}

/**
 * The caller's data that `handle` gets, by the operation's access: `member` takes a token or a cookie, `memberSession` only
 * a cookie. Other rooms add their kinds of callers by declaration merging: sessions in accounts, payers in the gateway.
 */
export interface CallerByAccess {
	anyone: object;
	member: Member;
	memberSession: Member;
}

/** Who may call an operation. */
export type Access = keyof CallerByAccess;

/** An answer's content: JSON of a schema, or other media by content type. */
export type Answer = z.ZodType | Record<string, z.ZodType>;

/** One method of one path: its summary, access, input, answers and handler. */
export interface Operation<
	A extends Access = Access,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType = z.ZodType,
> {
	/** A short phrase for the API documentation. */
	summary: string;
	access: A;
	/** Roles that may call it, in the business that the request is about; `handle` checks a record of another business. */
	roles?: readonly Role[] | undefined;
	query?: Query;
	body?: Body;
	bodyMaxBytes?: number;
	/** The most values in the body's JSON, since it takes much longer to check a value than to send it. */
	valuesMax?: number;
	/** Parses the body's JSON in place of JSON.parse. @throws SyntaxError */
	parse?: (text: string) => unknown;
	/** Also takes the fields of an HTML form. */
	form?: true;
	/** Also takes a body in gzip, or a short one in its compact form (sync/protocol/compact.ts). */
	compact?: true;
	/** Takes a file instead of JSON, of these content types and at most this size. */
	upload?: { types: readonly string[]; maxBytes: number };
	/** Also answers cross-site requests, since it changes nothing and sets no cookie. */
	fromAnySite?: true;
	/** An overloaded server answers it too. */
	isAlwaysAnswered?: true;
	/** Answers by status; `failuresOf` adds the failures that follow from the other fields. */
	answers: Record<number, Answer>;
	/** The statuses of further failures. */
	failures?: readonly number[];
	handle(
		input: CallerByAccess[A] & {
			request: Request<Record<string, string>>;
			response: Response;
			/** The path's `:id`, or its `*id`, which may contain slashes; empty without one. */
			id: string;
			query: z.output<Query>;
			body: z.output<Body>;
			/** The body before its schema read it. */
			sent: unknown;
			/** An upload's content; otherwise empty. */
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
