import type { Express, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type * as z from "zod";
import type { Role } from "../../sync/entities/entity.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import type { Caller, Shop, SyncServer } from "../../sync/shop.ts";
import type { KeyRing } from "../accounts/api-keys.ts";
import { isChange, isCrossSite } from "../accounts/csrf.ts";
import type { Gate } from "../accounts/identity.ts";
import type { Passwords } from "../accounts/passwords.ts";
import type { Registrations } from "../accounts/registrations.ts";
import { assertRole } from "../accounts/roles.ts";
import type { SetupDoor } from "../accounts/setup-code.ts";
import type { SignIn } from "../accounts/sign-in.ts";
import type { Identity, Tokens } from "../accounts/tokens.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Payer } from "../gateway/meter.ts";
import type { ReleaseHost } from "../releases/upstream.ts";
import { readBytes, readFields, readJson } from "./body.ts";
import { HttpError } from "./errors.ts";
import { parseInput } from "./input.ts";
import type { Workload } from "./overload.ts";

/** What a resource's file is given. */
export interface Deps {
	shop: Shop;
	/** The same, where others sync with it. */
	sync: SyncServer | undefined;
	gate: Gate;
	workload: Workload;
	keys: KeyRing;
	tokens: Tokens;
	passwords: Passwords;
	signIn: SignIn;
	registrations: Registrations;
	setupDoor: SetupDoor;
	adminEmails: ReadonlySet<string>;
	releaseHost: ReleaseHost;
	gateway: Gateway;
	/** Where pictures are kept. */
	dataDir: string;
	/** Of all pictures of a business. */
	picturesMaxBytes: number;
	log: Logger;
	/** Aborts when the server closes: streams end then. */
	closing: AbortSignal;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Who may ask: anyone; a member of a business by token or cookie, or by cookie alone; whoever is signed in by cookie, or
 * an administrator among those; a member or an API key, of the AI gateway.
 */
export type Access =
	| "anyone"
	| "member"
	| "memberSession"
	| "userSession"
	| "adminSession"
	| "gateway";

/** What is known of who asks. */
type Who<A extends Access> = A extends "member" | "memberSession"
	? {
			/** In their first business. */
			caller: Caller;
			/** In each of their businesses, the first one first. */
			callers: Caller[];
		}
	: A extends "userSession" | "adminSession"
		? { identity: Identity }
		: A extends "gateway"
			? { payer: Payer }
			: unknown;

/** What an answer holds: JSON of a schema, or other media by their type. */
export type Answer = z.ZodType | Record<string, z.ZodType>;

/** One method of one path: what it is for, who may ask, what it takes and gives, and what it does. */
export interface Operation<
	A extends Access = Access,
	Query extends z.ZodType = z.ZodType,
	Body extends z.ZodType = z.ZodType,
> {
	/** A few words for the reader of its description. */
	summary: string;
	access: A;
	/** In the member's first business, where not every one may; a record of another has its own business's say. */
	roles?: readonly Role[] | undefined;
	query?: Query;
	body?: Body;
	bodyMaxBytes?: number;
	/** Takes the fields of an HTML form, too. */
	form?: true;
	/** Takes a file instead of JSON: its media types, and its size at most. */
	upload?: { types: readonly string[]; maxBytes: number };
	/** Also for a page of another site, which can read no answer: it changes nothing, and sets no cookie. */
	fromAnySite?: true;
	/** Also by an overloaded server. */
	isAlwaysAnswered?: true;
	/** By status; the failures that follow from the rest are added (`failuresOf`). */
	answers: Record<number, Answer>;
	/** Statuses of further failures. */
	failures?: readonly number[];
	handle(
		asked: Who<A> & {
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

/** Binds the types, so that `handle` is checked against who asks and what it takes. */
export function operation<
	A extends Access,
	Query extends z.ZodType = z.ZodUnknown,
	Body extends z.ZodType = z.ZodUnknown,
>(it: Operation<A, Query, Body>): Operation {
	return it as unknown as Operation;
}

/** Mounts each path; any other method on it is answered 405 with what is allowed. */
export function mount(
	app: Express,
	routes: Routes,
	deps: Pick<Deps, "gate" | "workload">,
): void {
	for (const [path, operations] of Object.entries(routes)) {
		const methods = Object.keys(operations) as Method[];
		const allowed = methods.flatMap((method) =>
			method === "GET" ? ["GET", "HEAD"] : [method],
		);
		const handle: RequestHandler<Record<string, string>> = async (
			request,
			response,
		) => {
			const method = request.method === "HEAD" ? "GET" : request.method;
			const found = operations[method as Method];
			if (found) {
				await run(found, deps, request, response);
				return;
			}
			response.set("Allow", allowed.join(", "));
			throw new HttpError(405, "Method not allowed");
		};
		app.all(path, handle);
	}
}

/** Whoever takes longer to send a body, and may take minutes, gives his place to others meanwhile. */
const patienceMs = 500;

/** Who asks, then what: nothing is read for one who may not. */
async function run(
	operation: Operation,
	{ gate, workload }: Pick<Deps, "gate" | "workload">,
	request: Request<Record<string, string>>,
	response: Response,
): Promise<void> {
	const { query, body, bodyMaxBytes, form, upload, handle } = operation;
	const enter = entranceOf(operation, workload);
	let leave = enter();
	try {
		const who = await identify(gate, operation, request);
		const wanted = query && parseInput(query, request.query);
		/** Waits for what is sent, which counts as work once it is there. */
		const receive = async <T>(reading: Promise<T>): Promise<T> => {
			const slow = setTimeout(leave, patienceMs);
			const received = await reading.finally(() => clearTimeout(slow));
			leave();
			leave = enter(request);
			return received;
		};
		let given: unknown;
		let bytes: Buffer = Buffer.alloc(0);
		if (body) {
			const read = form ? readFields : readJson;
			given = parseInput(body, await receive(read(request, bodyMaxBytes)));
		} else if (upload)
			bytes = await receive(readBytes(request, upload.maxBytes));
		await handle({
			...who,
			request,
			response,
			// One that may hold slashes comes in pieces.
			id: [request.params.id ?? ""].flat().join("/"),
			query: wanted,
			body: given,
			bytes,
		} as Parameters<typeof handle>[0]);
	} finally {
		leave();
	}
}

/**
 * What counts as work: what members ask of the database. Others are let in where there is room, and not counted: a model
 * or a password takes its time, and a stranger must not fill the places of those who sell.
 */
function entranceOf(
	{ access, isAlwaysAnswered, upload }: Operation,
	workload: Workload,
): (request?: Request) => () => void {
	if (isAlwaysAnswered || access === "gateway") return () => () => {};
	if (access === "anyone")
		return () => {
			workload.assertRoom();
			return () => {};
		};
	return (request) => {
		const bytes = Number(request?.headers["content-length"] ?? 0);
		return upload ? workload.enterFile(bytes) : workload.enter(bytes);
	};
}

async function identify(
	gate: Gate,
	{
		access,
		roles,
		fromAnySite,
	}: Pick<Operation, "access" | "roles" | "fromAnySite">,
	request: Request,
): Promise<object> {
	switch (access) {
		case "anyone":
			// What needs no credentials can still do harm in the name of a browser inside the shop's network.
			if (!fromAnySite && isChange(request) && isCrossSite(request))
				throw new HttpError(403, "Forbidden");
			return {};
		case "userSession":
			return { identity: await gate.identifySession(request) };
		case "adminSession":
			return { identity: await gate.admin(request) };
		case "gateway":
			return { payer: await gate.payer(request) };
		case "member":
		case "memberSession": {
			const callers =
				access === "member"
					? await gate.memberships(request)
					: await gate.sessionMemberships(request);
			const caller = callerOf(callers, request);
			if (roles && caller) assertRole(caller, roles);
			return { caller, callers };
		}
	}
}

/**
 * The caller as a member of the business that a page names in `X-Business-Id`; of their first where it names none. A page
 * that still shows one shop can't write into the shop that its browser has signed in to since.
 */
function callerOf(
	callers: readonly Caller[],
	request: Request,
): Caller | undefined {
	const named = request.get("x-business-id");
	if (named === undefined) return callers[0];
	const caller = callers.find(({ businessId }) => businessId === named);
	if (!caller) throw new ShopError("wrong_business", "wrong_business");
	return caller;
}
