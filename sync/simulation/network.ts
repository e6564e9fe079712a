import { decompress } from "../feed/compressed-rows.ts";
import { fromCompact, toCompact } from "../protocol/compact.ts";
import { ShopError } from "../protocol/errors.ts";
import type {
	OlderFactsResponse,
	OlderSalesRequest,
	OlderSalesResponse,
	Page,
	PushRequest,
	PushResponse,
	SnapshotResponse,
} from "../protocol/protocol.ts";
import type { Transport } from "../replica/transport.ts";
import type { Caller, SyncServer } from "../shop.ts";
import { openRandom, type Random } from "./random.ts";
import type { NetworkFault } from "./script.ts";
import type { SimulatedTill, World } from "./world.ts";

const timeoutMs = 30_000;
const dayMs = 24 * 3_600_000;
/** The lifetime of a sign-in. */
const tokenMs = 30 * dayMs;

/** Sends a text as the till and the server do: a short one in the compact form. */
function carry(text: string): string {
	const compact = toCompact(text);
	return compact ? fromCompact(compact) : text;
}

/**
 * The connection from a till to the server, with every fault of a request. Answers to an earlier life of either end are
 * dropped.
 */
export function openLine(world: World, till: SimulatedTill): Transport {
	const { schedule, witness, server, script } = world;
	const { life } = till.machine;
	const isFaulty = (fault: NetworkFault, random: Random) =>
		!world.isHealed && random.chance(script.faults[fault] ?? 0);

	function delay(random: Random): number {
		const ms = 5 + random.next() * 200;
		return isFaulty("delay", random) ? ms * random.below(100) : ms;
	}

	/** One trip there and back. */
	function travel<T extends Partial<Page>>(
		serve: (random: Random) => Promise<T>,
		seen: (answer: T) => void,
	): Promise<T> {
		till.trips += 1;
		const random = openRandom(script.seed, till.name, till.trips);
		return new Promise((resolve, reject) => {
			/** Answers the till if it is still alive. */
			const hear = (tell: () => void) => {
				if (till.machine.isUp && till.machine.life === life) tell();
			};
			const fail = (ms: number, error: ShopError) =>
				schedule.after(ms, () => hear(() => reject(error)));
			if (!till.isOnline || isFaulty("loseRequest", random)) {
				witness.count("lost request");
				return fail(
					till.isOnline ? timeoutMs : 1,
					new ShopError("unreachable", "Request lost"),
				);
			}
			const isReplyLost = isFaulty("loseReply", random);
			const isTwice = isFaulty("duplicate", random);
			const replyMs = delay(random);
			schedule.after(delay(random), () => {
				arrive(random).then(
					(answer) => {
						if (isReplyLost) {
							witness.count("lost reply");
							fail(timeoutMs, new ShopError("unreachable", "Reply lost"));
						} else
							schedule.after(replyMs, () =>
								hear(() => {
									cutReset(answer, random);
									resolve(answer);
								}),
							);
					},
					(error) => schedule.after(replyMs, () => hear(() => reject(error))),
				);
			});
			if (!isTwice) return;
			// The same bytes again: immediately, after some minutes, or after everyone has forgotten them.
			const lateMs = random.pick([100, 60_000, 2 * 3_600_000, 90 * dayMs]);
			schedule.after(random.next() * lateMs, () => {
				if (world.isHealed) return;
				witness.count("duplicate");
				// Nobody waits for the answer, and the witness has already checked it.
				arrive(random).catch(() => undefined);
			});
		});

		async function arrive(random: Random): Promise<T> {
			const { machine } = server;
			const servedIn = machine.life;
			if (!machine.isUp || !server.shop)
				throw new ShopError("unreachable", "Nobody listens");
			const isExpired = machine.clockOffsetMs > tokenMs;
			if (till.isRevoked || isExpired)
				throw new ShopError("unauthorized", "Unauthorized");
			try {
				const answer = JSON.parse(carry(JSON.stringify(await serve(random))));
				if (!machine.isUp || machine.life !== servedIn)
					throw new ShopError("unreachable", "It died before it answered");
				seen(answer);
				return answer;
			} catch (error) {
				if (!machine.isUp || machine.life !== servedIn)
					throw new ShopError("unreachable", "It died meanwhile");
				if (!(error instanceof ShopError))
					witness.fail("the server threw", String(error));
				throw error;
			}
		}
	}

	/** Disconnects the till, or cuts its power, while it stores a new snapshot. */
	function cutReset({ reset }: Partial<Page>, random: Random): void {
		const isOn = script.faults.cutsResets !== undefined && !world.isHealed;
		if (!reset || !isOn || random.chance(0.4)) return;
		witness.count("reset cut off");
		if (random.chance(0.5)) {
			till.machine.breakage = {
				kind: "crash",
				statements: random.below(300),
				isAfterCommit: random.chance(0.7),
				isHard: random.chance(0.3),
			};
			return;
		}
		till.isOnline = false;
		schedule.after(random.below(3_600_000), () => {
			till.isOnline = true;
		});
	}

	// Few sizes, so that several tills ask for the same pages.
	const limitOf = (limit: number | undefined, random: Random) =>
		limit !== 0 && isFaulty("smallPages", random) ? 2 + random.below(2) : limit;

	/** Answers with a part, or a block, of the till's own shop. */
	function seesRows({
		businessId,
		changes,
	}: SnapshotResponse | OlderFactsResponse | OlderSalesResponse): void {
		if (businessId === till.businessId) witness.seesRows(businessId, changes);
	}

	const snapshot = (cursor: string, part: number) =>
		travel<SnapshotResponse>(async () => {
			witness.count("snapshot");
			const caller = till.serverCaller();
			const { compressed } = world.openShop();
			const answer = await compressed.snapshot(caller, { cursor, part });
			return world.fromServer(decompress(answer));
		}, seesRows);

	/** Asks for a part of a comparison. */
	const compare = <T extends Partial<Page>>(
		ask: (shop: SyncServer, caller: Caller) => Promise<T>,
	) =>
		travel<T>(
			async () => {
				witness.count("comparison");
				return world.fromServer(
					await ask(world.openShop(), till.serverCaller()),
				);
			},
			() => {},
		);

	const olderSales = (asked: OlderSalesRequest) =>
		travel<OlderSalesResponse>(
			async () => {
				witness.count("older sales");
				const caller = till.serverCaller();
				const { compressed } = world.openShop();
				const answer = await compressed.olderSales(caller, asked);
				return world.fromServer(answer);
			},
			(answer) => {
				seesRows(answer);
				till.border = Math.max(till.border, answer.window);
				if (answer.window > 0) witness.count("window");
			},
		);

	const olderFacts = (cursor: string, upTo: number, window: number) =>
		travel<OlderFactsResponse>(async () => {
			witness.count("older facts");
			const caller = till.serverCaller();
			const { compressed } = world.openShop();
			const answer = await compressed.olderFacts(caller, {
				...{ cursor, upTo, window },
			});
			return world.fromServer(decompress(answer));
		}, seesRows);

	return {
		push(request) {
			const sent: PushRequest = JSON.parse(carry(request));
			const { businessId } = till;
			// A copy of a till may know answers to mutations that it has not sent.
			if (!till.isCopy) witness.seesPush(till.name, sent);
			return travel(
				async (random) => {
					if (sent.mutations.length > 1 && isFaulty("smallBodies", random))
						throw new ShopError("too_large", "The proxy allows less");
					const shop = world.openShop();
					const answer = await shop.push(till.serverCaller(), {
						...sent,
						mutations: sent.mutations.map((item) => world.asServerKnows(item)),
						limit: limitOf(sent.limit, random),
					});
					return world.fromServer(answer);
				},
				(answer: PushResponse) => {
					if (answer.businessId !== businessId)
						witness.fail(
							"a push crossed",
							`${till.name}: ${answer.businessId}`,
						);
					const statuses = answer.results.map(({ status }) => status[0]);
					witness.note(
						`${schedule.now()} ${till.name} pushed ${statuses.join("")} from ${sent.cursor} to ${answer.cursor}`,
					);
					witness.seesResults(businessId, answer);
					const { changes, cursor, hasMore, reset, epoch } = answer;
					if (changes && cursor !== undefined && !answer.forked)
						witness.seesPage(
							businessId,
							sent.cursor,
							{
								changes,
								cursor,
								hasMore: hasMore === true,
								...(reset ? { reset } : {}),
							},
							epoch,
						);
				},
			);
		},

		pull(cursor, limit) {
			return travel(
				async (random) => {
					const shop = world.openShop();
					// A proxy may drop the header that it does not know.
					const isNamed = !till.isElsewhere || random.chance(0.5);
					const answer = await shop.pull(till.serverCaller(), {
						...(isNamed ? { businessId: till.businessId } : {}),
						cursor,
						limit: limitOf(limit, random),
					});
					return world.fromServer(answer);
				},
				(answer) => {
					// The till itself has to notice that the answer is another business's.
					if (answer.businessId !== till.businessId) return;
					witness.note(
						`${schedule.now()} ${till.name} pulled ${answer.changes.length} from ${cursor} to ${answer.cursor}`,
					);
					witness.seesPage(till.businessId, cursor, answer, answer.epoch);
				},
			);
		},

		digest: (window) => compare((shop, caller) => shop.digest(caller, window)),
		blocks: (window) => compare((shop, caller) => shop.blocks(caller, window)),
		blockRows: (block) =>
			compare((shop, caller) => shop.blockRows(caller, block)),

		...(till.joinsBySnapshot ? { snapshot } : {}),
		...{ olderFacts, olderSales },

		watch: () => Promise.reject(new ShopError("unreachable", "No streams")),
		isReachable: async () => till.isOnline && server.machine.isUp,
	};
}
