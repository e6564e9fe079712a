import type { Express, Request, RequestHandler, Response } from "express";
import type { Arrival } from "./arrivals.ts";
import { parseFields, parseJson, readBytes, readMessage } from "./body.ts";
import { HttpError } from "./http-error.ts";
import { parseInput } from "./input.ts";
import type {
	Access,
	CallerByAccess,
	Method,
	Operation,
	Routes,
} from "./operation.ts";
import type { Workload } from "./overload.ts";

interface Options {
	workload: Workload;
	/** Identifies the caller by the operation's access. @returns the caller's data for `handle`. @throws HttpError 401, 403 */
	authenticate(
		operation: Operation,
		request: Request,
	): Promise<CallerByAccess[Access]>;
}

/** Mounts each path; other methods on it get 405 with the allowed ones. */
export function mount(app: Express, routes: Routes, options: Options): void {
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
				await run(found, options, request, response);
				return;
			}
			response.set("Allow", allowed.join(", "));
			throw new HttpError(405, "Method not allowed");
		};
		// `app.all` would compile the path for each of HTTP's 34 methods.
		app.route(path).all(handle);
	}
}

/** A slow upload gives up its place in the workload until the body has arrived. */
const slowBodyMs = 500;

/** Runs an operation; authenticates the caller before it reads the body. */
async function run(
	operation: Operation,
	{ workload, authenticate }: Options,
	request: Request<Record<string, string>>,
	response: Response,
): Promise<void> {
	const { query, body, bodyMaxBytes, form, upload, handle } = operation;
	const enter = entranceOf(operation, workload);
	let leave = enter?.();
	let waiting: Arrival | undefined;
	try {
		const who = await authenticate(operation, request);
		const wanted = query && parseInput(query, request.query);
		/** Waits for a body, which counts as work once it has arrived. */
		const receive = async (
			read: typeof readBytes,
			maxBytes: number | undefined,
		): Promise<Buffer> => {
			const reading = read(request, maxBytes, (giveUp) => {
				const arrival = workload.arrivals.begin(senderOf(who), (why) =>
					request.complete ? response.destroy() : giveUp(why),
				);
				if (enter) return arrival;
				// Nothing else counts what waits for a model.
				waiting = arrival;
				return { ...arrival, end() {} };
			});
			if (!enter) return reading;
			const slow = setTimeout(() => leave?.(), slowBodyMs);
			const received = await reading.finally(() => clearTimeout(slow));
			leave?.();
			leave = enter(received.length);
			return received;
		};
		let sent: unknown;
		let given: unknown;
		let bytes: Buffer = Buffer.alloc(0);
		if (body) {
			const read = operation.compact ? readMessage : readBytes;
			const received = await receive(read, bodyMaxBytes);
			sent = form
				? parseFields(request, received)
				: parseJson(received, operation);
			given = parseInput(body, sent);
		} else if (upload) bytes = await receive(readBytes, upload.maxBytes);
		// A long list is written as fast as it is read; at the first wait for a slow reader, its place goes to another.
		response.once("pipe", (list) => list.once("pause", () => leave?.()));
		await handle({
			...who,
			request,
			response,
			// Express splits a `*id` at slashes.
			id: [request.params.id ?? ""].flat().join("/"),
			query: wanted,
			body: given,
			sent,
			bytes,
		} as Parameters<typeof handle>[0]);
	} finally {
		leave?.();
		waiting?.end();
	}
}

/** Whose share of the bodies on their way a caller's is. */
function senderOf(who: CallerByAccess[Access]): string {
	const { caller, payer, identity } = who as Partial<
		CallerByAccess["member"] &
			CallerByAccess["gateway"] &
			CallerByAccess["userSession"]
	>;
	return caller?.businessId ?? payer?.businessId ?? identity?.id ?? "";
}

/**
 * Counts only members' database requests as work. Other requests need room but take no place: models and passwords are
 * slow, and a stranger must not use up the places of the tills.
 *
 * @returns undefined for an operation that needs no room
 */
function entranceOf(
	{ access, isAlwaysAnswered, upload }: Operation,
	workload: Workload,
): ((bytes?: number) => () => void) | undefined {
	if (isAlwaysAnswered || access === "gateway") return undefined;
	if (access === "anyone")
		return () => {
			workload.assertRoom();
			return () => {};
		};
	return (bytes = 0) =>
		upload ? workload.enterFile(bytes) : workload.enter(bytes);
}
