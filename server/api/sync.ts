import type { Request, Response } from "express";
import * as z from "zod";
import { idMax } from "../../sync/fields.ts";
import { bodyMaxBytes } from "../../sync/protocol.ts";
import type { Caller } from "../../sync/shop.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import { type Deps, queryText, type Routes } from "../routes.ts";

const heartbeatMs = 15_000;
/** A reader that is further behind than this has stopped reading. */
const unreadMaxBytes = 64_000;

const pushBody = z.object({
	deviceId: z.string().min(1).max(idMax).optional(),
	lastNumber: z.int().min(0).optional(),
	prefix: z.string().max(8).optional(),
	cursor: z.string().max(200).optional(),
	limit: z.int().min(1).optional(),
});

/** The sync protocol's two directions, and the stream that says when there is something to pull. */
export function syncRoutes(deps: Deps): Routes {
	const { shop, gate } = deps;
	return {
		"/api/sync": {
			async POST(request, response) {
				const caller = await gate.caller(request);
				const { mutations, ...rest } = await readJson(request, bodyMaxBytes);
				if (!Array.isArray(mutations))
					throw new HttpError(400, "mutations array required");
				const parsed = pushBody.safeParse(rest);
				if (!parsed.success) {
					const [issue] = parsed.error.issues;
					throw new HttpError(
						400,
						`${issue?.path.join(".")}: ${issue?.message}`,
					);
				}
				response.json(await shop.push(caller, { mutations, ...parsed.data }));
			},

			async GET(request, response) {
				const caller = await gate.caller(request);
				if (queryText(request, "digest") === "1")
					response.json(await shop.digest(caller));
				else if (
					request.accepts(["json", "text/event-stream"]) === "text/event-stream"
				)
					await stream(deps, caller, request, response);
				else {
					const limit = Number.parseInt(queryText(request, "limit") ?? "", 10);
					const answer = await shop.pull(caller, {
						cursor: queryText(request, "cursor"),
						limit: Number.isSafeInteger(limit) ? limit : undefined,
					});
					response.json(answer);
				}
			},
		},
	};
}

/**
 * Server-sent events: `head` with a cursor as its data, at once and whenever the head moves. The heartbeat keeps proxies
 * from hanging up, looks whether the caller is still welcome, and finds what another process wrote.
 */
async function stream(
	{ shop, gate, log, closing }: Deps,
	{ businessId }: Caller,
	request: Request,
	response: Response,
): Promise<void> {
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"cache-control": "no-store",
		"x-accel-buffering": "no",
	});
	if (request.method === "HEAD") {
		response.end();
		return;
	}
	let told = "";

	function write(text: string): void {
		// What was being read when the stream ended comes too late, and a write would be a fault of this program.
		if (response.writableEnded || response.destroyed) return;
		response.write(text);
		// A lost stream costs a reader one poll; an unread one would cost the server its memory.
		if (response.writableLength > unreadMaxBytes) response.destroy();
	}

	async function tell(): Promise<void> {
		const cursor = await shop.head(businessId);
		if (cursor === told) return;
		told = cursor;
		write(`event: head\ndata: ${cursor}\n\n`);
	}

	async function beat(): Promise<void> {
		const callers = await gate.memberships(request);
		if (!callers.some((caller) => caller.businessId === businessId))
			throw new HttpError(401, "No business membership");
		write(": still here\n\n");
		await tell();
	}

	function endOn(error: unknown): void {
		if (!(error instanceof HttpError)) log.error({ err: error });
		end();
	}

	/** One who has stopped reading closes late or never: nothing more is done for them. */
	function end(): void {
		stop();
		response.end();
	}

	function stop(): void {
		forget();
		clearInterval(timer);
		closing.removeEventListener("abort", end);
	}

	const forget = shop.onHead(businessId, () => tell().catch(endOn));
	const timer = setInterval(() => beat().catch(endOn), heartbeatMs);
	closing.addEventListener("abort", end);
	response.on("close", stop);
	if (closing.aborted) end();
	else await tell();
}
