import { v7 as newId } from "uuid";
import { toError } from "../../../sync/till/calls.ts";
import type { ShopClient } from "./client.ts";

/** One that was made while another was on its way goes with the next. */
const attempts = 2;

/**
 * Makes a mutation and tries to send it, so that a refusal is told where it was asked for.
 *
 * @returns whether the server has it; without the network it waits here
 * @throws ShopError why it was refused, here or by the server
 */
export async function makeAndSend(
	shop: ShopClient,
	mutation: string,
	args: object,
	id: string = newId(),
): Promise<boolean> {
	await shop.mutate(mutation, args, { id });
	for (let i = 0; i < attempts; i += 1) {
		await shop.tryNow();
		const state = await shop.stateOf(id);
		const refused = shop.standing().rejected.find((one) => one.id === id);
		if (state === "rejected" && refused) throw toError(refused.error);
		if (state !== "pending") return true;
		if (shop.standing().isOnline !== true) break;
	}
	return false;
}
