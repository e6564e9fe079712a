import { toIso } from "../../sync/protocol/clock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import type { ServerProcess } from "./server-process.ts";

/** Creates so many products, `p-0` and on, in the shop of a token's user. */
export async function addProducts(
	{ url }: Pick<ServerProcess, "url">,
	token: string,
	count: number,
): Promise<void> {
	const mutations = Array.from({ length: count }, (_, i) => ({
		id: newId(systemEnv),
		name: "product.create",
		at: toIso(systemEnv.now()),
		args: {
			id: `p-${i}`,
			name: `Product ${i}`,
			buyingPrice: 40,
			sellingPrice: 49.5,
			quantity: 1_000_000,
		},
	}));
	const response = await fetch(new URL("/api/sync", url), {
		method: "POST",
		headers: {
			authorization: `Bearer ${token}`,
			"content-type": "application/json",
		},
		body: JSON.stringify({ mutations }),
	});
	if (!response.ok) throw new Error(await response.text());
}
