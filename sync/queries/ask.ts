import type * as z from "zod";
import { parseArgs } from "../entities/parse-args.ts";
import { assertAllowed } from "../entities/permission.ts";
import { openSingleFlight } from "../feed/single-flight.ts";
import type { Caller } from "../log/log.ts";
import { ShopError } from "../protocol/errors.ts";
import type { Env } from "../protocol/ids.ts";
import { readState } from "../replica/replica-state.ts";
import type { Connection, Store } from "../store/store.ts";
import { businessToday } from "./business.ts";
import type { Query, QueryContext } from "./query.ts";
import { settleTallies } from "./tallies.ts";

/**
 * Answers a query about the caller's business.
 *
 * @throws ShopError `forbidden`, `invalid_args`, `not_found`, `on_server`, `storage_*`
 */
export type AskQuery = <Args extends z.ZodType, Answer extends z.ZodType>(
	caller: Pick<Caller, "businessId" | "role">,
	query: Query<Args, Answer>,
	args: z.input<Args>,
) => Promise<z.input<Answer>>;

export function openAsk(
	{ store, env }: { store: Store; env: Env },
	{ isReplica = false } = {},
): AskQuery {
	const shared = openSingleFlight<never>();

	/** A till uses its server's clock, as it does for mutations. */
	async function readNow(tx: Connection, businessId: string): Promise<number> {
		if (!isReplica) return env.now();
		return env.now() + (await readState(tx, businessId)).clockOffsetMs;
	}

	const isCounting = (businessId: string) =>
		store.read((tx) =>
			tx.get(
				"SELECT 1 AS open FROM shifts WHERE business_id = ? AND report_id IS NULL AND deleted = 0 LIMIT 1",
				businessId,
			),
		);

	return async ({ businessId, role }, query, given) => {
		assertAllowed(query, role);
		if (query.onServer && isReplica)
			throw new ShopError(
				"on_server",
				"Only the shop's server can answer this",
			);
		const args = parseArgs(query, given);
		const readIn = <T>(read: (context: QueryContext) => Promise<T>) =>
			store.read(async (tx) =>
				read({ tx, businessId, now: await readNow(tx, businessId) }),
			);
		const read = () => readIn((context) => query.run(context, args));
		if (!query.settles) return read();
		const question = JSON.stringify([businessId, query.name, args]);
		const answer = await shared(question, async () => {
			const { day } = await readIn((context) => businessToday.run(context, {}));
			await settleTallies(store, businessId, day);
			return read() as Promise<never>;
		});
		const { whileCounting } = query;
		if (role !== "CASHIER" || !whileCounting) return answer;
		return (await isCounting(businessId))
			? whileCounting(answer, args)
			: answer;
	};
}
