import { v7 as newId } from "uuid";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import type { Refusal } from "../../../sync/protocol/protocol.ts";
import { toError } from "../../../sync/protocol/till-api.ts";
import type { ShopClient } from "./client.ts";

/** A mutation made during a sync goes with the next one. */
const attempts = 2;

/**
 * Makes a mutation and tries to send it, so that a form can show the server's refusal.
 *
 * @throws ShopError if it was refused, here or by the server
 */
export async function makeAndSend<Name extends keyof MutationArgs>(
	shop: ShopClient,
	mutation: Name,
	args: MutationArgs[Name],
	id: string = newId(),
): Promise<void> {
	await shop.mutate(mutation, args, { id });
	for (let i = 0; i < attempts; i += 1) {
		await shop.tryNow();
		const state = await shop.stateOf(id);
		if (state === "rejected") throw toError(await refusalOf(shop, id));
		if (state !== "pending" || shop.standing().isOnline !== true) return;
	}
}

function refusalOf(shop: ShopClient, id: string): Promise<Refusal> {
	return new Promise((resolve) => {
		function look(): void {
			const refused = shop.standing().rejected.find((one) => one.id === id);
			if (!refused) return;
			end();
			resolve(refused.error);
		}
		const end = shop.onStanding(look);
		look();
	});
}
