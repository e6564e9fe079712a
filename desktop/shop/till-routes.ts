import * as z from "zod";
import { hasOnlyShopOf, hasShop } from "../../server/accounts/users.ts";
import type { Deps } from "../../server/deps.ts";
import { openEventStream } from "../../server/http/event-stream.ts";
import { HttpError } from "../../server/http/http-error.ts";
import {
	type Operation,
	operation,
	type Routes,
} from "../../server/http/operation.ts";
import { demoOwner } from "../../sync/protocol/demo.ts";
import { bodyMaxBytes } from "../../sync/protocol/protocol.ts";
import { businessCounts } from "../../sync/queries/business.ts";
import { call, runCall } from "../../sync/till/dispatch.ts";
import { openTill, type Till } from "../../sync/till/till.ts";
import type { JoinedTill } from "./joined-till.ts";

const joinBody = z.object({
	/** `https://shop.example`, or `shop.example`. */
	server: z.string().trim().min(1).max(500),
	email: z.string().min(1),
	password: z.string().min(1),
});
export type JoinBody = z.output<typeof joinBody>;

const tillState = z.object({
	/** No shop yet, a shop without a server, joining a shop, or a till of one. */
	mode: z.enum(["new", "alone", "joining", "joined"]),
	server: z.string().nullable(),
	/** Whether the last attempt reached the server; null before the first. */
	isOnline: z.boolean().nullable(),
	/** Records downloaded so far. */
	rows: z.int(),
});

const outcome = z.union([
	z.object({ answer: z.unknown() }),
	z.object({ refusal: z.object({ code: z.string(), message: z.string() }) }),
]);

const ok = z.object({ ok: z.literal(true) });

interface Joining {
	joined: JoinedTill | undefined;
	/** Called when this computer has become a till, to reopen the shop as one. */
	isJoining(): boolean;
	/**
	 * Starts to join a server's shop; resolves once the download is under way.
	 *
	 * @param from the business on this computer, which moves along with all its sales
	 * @throws HttpError 401, 403, 409, 503
	 */
	join(deps: Deps, body: JoinBody, from?: string): Promise<void>;
	/** Starts to reopen this computer without any shop. */
	startOver(): void;
}

/** Routes only for the till's own window: this computer's place in the shop, and its server. */
export function tillRoutes(deps: Deps, door: Joining): Routes {
	const { store } = deps.shop;
	const { joined } = door;

	async function countRows({ till, replica }: JoinedTill): Promise<number> {
		const { records } = await replica.ask(till, businessCounts, {});
		return Object.values(records).reduce((sum, count) => sum + count, 0);
	}

	/** A shop without a server has the same API as a till of one. */
	const windows = new Map<string, Till>();
	function windowOf(businessId: string): Till {
		if (joined) return joined.window;
		const known = windows.get(businessId) ?? openTill(deps.shop, businessId);
		windows.set(businessId, known);
		return known;
	}

	return {
		"/api/till": {
			GET: operation({
				summary: "What this computer is to the shop",
				access: "anyone",
				answers: { 200: tillState },
				async handle({ response }) {
					if (!joined) {
						const mode = door.isJoining()
							? "joining"
							: (await hasShop(store))
								? "alone"
								: "new";
						response.json({ mode, server: null, isOnline: null, rows: 0 });
						return;
					}
					const { till } = joined;
					response.json({
						mode: till.isJoined ? "joined" : "joining",
						server: till.server,
						isOnline: joined.isOnline(),
						rows: till.isJoined ? 0 : await countRows(joined),
					});
				},
			}),
		},

		...shopRoutes(deps, door),

		"/api/till/calls": {
			POST: operation({
				summary: "What a window's page asks of its till",
				access: "member",
				body: call,
				// One mutation may have 1 MB.
				bodyMaxBytes,
				answers: { 200: outcome },
				async handle({ caller, body, response }) {
					const window = windowOf(caller.businessId);
					response.json(
						await runCall(window.as(caller), body, (err) =>
							deps.log.error({ err }),
						),
					);
				},
			}),
		},

		"/api/till/changes": {
			GET: operation({
				summary: "Says what kind of thing has changed, whenever it does",
				access: "member",
				answers: { 200: { "text/event-stream": z.string() } },
				async handle({ caller: { businessId }, request, response }) {
					openEventStream(request, response, {
						log: deps.log,
						closing: deps.closing,
						listen: ({ send }) =>
							windowOf(businessId).onChange((kind) => send("change", kind)),
						async beat() {
							await deps.authenticator.memberships(request);
						},
					});
				},
			}),
		},
	};
}

/**
 * Fetches a till's pictures from the shop's server when they are first shown.
 *
 * @param here the server's own route, which serves local pictures
 */
export function withServerPictures(
	here: Operation,
	joined: () => JoinedTill,
): Operation {
	return {
		...here,
		async handle(asked) {
			try {
				await here.handle(asked);
			} catch (error) {
				if (!(error instanceof HttpError) || error.status !== 404) throw error;
				if (!(await joined().fetchPicture(asked.id))) throw error;
				await here.handle(asked);
			}
		},
	};
}

/** A sign-out on a till also stops making proofs in that member's server session. */
export function withServerSignOut(
	here: Operation,
	joined: () => JoinedTill,
): Operation {
	return {
		...here,
		async handle(asked) {
			joined().signOut();
			await here.handle(asked);
		},
	};
}

/** Paths that only the server serves. */
const serverOnlyPaths =
	/^\/api\/(members|till\/staff|devices|keys|usage|ai|setup|auth\/register|admin|products\/:id\/picture)(\/|$)|^\/v1\//;
/** A till answers this itself: it is never an empty server. */
const answeredLocally = /^\/api\/setup$/;

/** Routes closed on a joined till; the refusal names the server that has them. */
export function withoutServerOnlyRoutes(
	routes: Routes,
	server: string,
): Routes {
	const closed: Routes = {};
	for (const [path, operations] of Object.entries(routes)) {
		if (!serverOnlyPaths.test(path)) continue;
		closed[path] = Object.fromEntries(
			Object.entries(operations).map(([method, it]) => [
				method,
				method === "GET" && answeredLocally.test(path)
					? it
					: operation({
							...it,
							body: undefined,
							roles: undefined,
							async handle() {
								throw new HttpError(
									409,
									`This is done at the shop's server: ${server}`,
									{ code: "on_server" },
								);
							},
						}),
			]),
		);
	}
	return closed;
}

/** Routes by which this computer gets a shop, or leaves the demo shop. */
function shopRoutes(deps: Deps, door: Joining): Routes {
	return {
		"/api/till/join": {
			POST: operation({
				summary: "Become a till of a shop's server",
				access: "anyone",
				body: joinBody,
				answers: { 202: ok },
				async handle({ body, response }) {
					await door.join(deps, body);
					response.status(202).json({ ok: true });
				},
			}),
		},

		"/api/till/connect": {
			POST: operation({
				summary: "Bring the shop that began here to a server",
				access: "member",
				roles: ["OWNER"],
				body: joinBody,
				answers: { 202: ok },
				async handle({ caller, body, response }) {
					await door.join(deps, body, caller.businessId);
					response.status(202).json({ ok: true });
				},
			}),
		},

		"/api/till/demo": {
			DELETE: operation({
				summary: "Remove the demo shop from this computer, which then has none",
				access: "member",
				roles: ["OWNER"],
				answers: { 202: ok },
				async handle({ caller, response }) {
					await leaveDemo(deps, door, caller.userId);
					response.status(202).json({ ok: true });
				},
			}),
		},
	};
}

/** @throws HttpError 403 unless the demo shop is all that this computer has */
async function leaveDemo(
	{ shop: { store } }: Deps,
	door: Joining,
	userId: string | null,
): Promise<void> {
	const isDemo =
		userId !== null && (await hasOnlyShopOf(store, userId, demoOwner.email));
	if (door.isJoining() || !isDemo)
		throw new HttpError(403, "This computer's shop isn't a demo", {
			code: "forbidden",
		});
	door.startOver();
}
