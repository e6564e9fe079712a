import type * as z from "zod";
import { ShopError } from "./errors.ts";
import type { Env } from "./ids.ts";
import { type Caller, parseArgs } from "./log.ts";
import { assertAllowed } from "./permission.ts";
import type { Query } from "./query.ts";
import { openSharedRuns } from "./shared-run.ts";
import type { Store } from "./store/store.ts";
import { settleTallies } from "./tallies.ts";

/**
 * Answers a question about the caller's business.
 *
 * @throws ShopError `forbidden`, `invalid_args`, `not_found`, `on_server`, `storage_*`
 */
export type Ask = <Args extends z.ZodType, Answer extends z.ZodType>(
	caller: Pick<Caller, "businessId" | "role">,
	query: Query<Args, Answer>,
	args: z.input<Args>,
) => Promise<z.input<Answer>>;

export function openAsk(
	shop: { store: Store; env: Env },
	{ isReplica = false } = {},
): Ask {
	const { store, env } = shop;
	const shared = openSharedRuns<never>();

	return async ({ businessId, role }, query, given) => {
		assertAllowed(query, role);
		if (query.onServer && isReplica)
			throw new ShopError("on_server", "Only the shop's server knows this");
		const args = parseArgs(query, given);
		const read = () =>
			store.read((tx) => query.run({ tx, businessId, now: env.now() }, args));
		if (!query.settles) return read();
		const question = JSON.stringify([businessId, query.name, args]);
		return shared(question, async () => {
			await settleTallies(shop, businessId);
			return read() as Promise<never>;
		});
	};
}
