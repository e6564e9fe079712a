import type { Store } from "../../../sync/store/store.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { members } from "../../accounts/members.ts";
import { type Access, accountsOf, aiAccess } from "../access.ts";
import type { Payer } from "../meter.ts";

/** Reads all who can make calls for a business: its keys, and then its members. */
export function readPayers(
	store: Pick<Store, "read">,
	businessId: string,
): Promise<Payer[]> {
	return store.read(async (tx) => {
		const access = (await aiAccess(tx).find(businessId)) as Access;
		const payers: Omit<Payer, "accounts">[] = [
			...(await apiKeys(tx).list(businessId)).map((key) => ({
				...{ businessId, userId: null, role: null, key, access },
			})),
			...(await members(tx).list(businessId)).map(({ userId, role }) => ({
				...{ businessId, userId, role, key: null, access },
			})),
		];
		const whole: Payer[] = [];
		for (const payer of payers)
			whole.push({ ...payer, accounts: await accountsOf(tx, payer) });
		return whole;
	});
}
