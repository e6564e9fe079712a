import type { MutationArgs } from "../../../sync/entities/index.ts";
import type { ShopClient } from "./client.ts";
import { isRecorded } from "./is-recorded.ts";

/**
 * Makes a record that can be changed later. A retry with the same id after a lost answer makes it once, and changes it to
 * what is asked now.
 */
export async function createOnce<
	Noun extends "product" | "pack" | "category" | "customer" | "supplier",
>(
	shop: ShopClient,
	noun: Noun,
	args: MutationArgs[`${Noun}.create`],
): Promise<void> {
	// A pack stays with its product.
	const {
		id,
		productId: _,
		...set
	} = args as typeof args & {
		productId?: string;
	};
	const made = await shop.mutate(`${noun}.create`, args, { id });
	if (!isRecorded(set, made.args))
		await shop.mutate(`${noun}.update`, {
			id,
			set,
		} as MutationArgs[`${Noun}.update`]);
}
