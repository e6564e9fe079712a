import type { Connection } from "../store/store.ts";
import { creditMethod } from "./payment.ts";

/*
 * A customer's account: all that names them. One customer may have been written down twice; a merge says so, and changes no
 * fact. Each record that was merged names the one that remains, which was merged into none, so that readers follow one step.
 */

type Reader = Pick<Connection, "all">;

/** Returns whose account a customer's id stands for: that of the record that it was merged into, or its own. */
export async function accountOf(
	tx: Reader,
	businessId: string,
	customerId: string,
): Promise<string> {
	const [row] = await tx.all(
		"SELECT merged_into FROM customers WHERE business_id = ? AND id = ? AND merged_into IS NOT NULL",
		businessId,
		customerId,
	);
	return (row?.merged_into as string | undefined) ?? customerId;
}

/** Returns the ids that count for some accounts, each with its account: their own, and those merged into them. */
async function accountsById(
	tx: Reader,
	businessId: string,
	accounts: readonly string[],
): Promise<Map<string, string>> {
	const merged = await tx.all(
		"SELECT id, merged_into FROM customers WHERE business_id = ? AND merged_into IN (SELECT value FROM json_each(?))",
		businessId,
		JSON.stringify(accounts),
	);
	return new Map([
		...accounts.map((id): [string, string] => [id, id]),
		...merged.map((row): [string, string] => [
			row.id as string,
			row.merged_into as string,
		]),
	]);
}

/** Returns the ids of an account's records. */
export async function recordsOf(
	tx: Reader,
	businessId: string,
	account: string,
): Promise<string[]> {
	return [...(await accountsById(tx, businessId, [account])).keys()];
}

/** Returns what some customers owe, in millionths, by account: the sum of all that they were lent, less what they gave. */
export async function readBalances(
	tx: Reader,
	businessId: string,
	accounts: readonly string[],
): Promise<Map<string, number>> {
	const byId = await accountsById(tx, businessId, accounts);
	const sums = await tx.all(
		`SELECT customer_id, sum(amount) AS balance FROM payments
     WHERE business_id = ? AND customer_id IN (SELECT value FROM json_each(?)) AND method = ? AND deleted = 0 GROUP BY customer_id`,
		businessId,
		JSON.stringify([...byId.keys()]),
		creditMethod,
	);
	const balances = new Map<string, number>();
	for (const { customer_id: id, balance } of sums) {
		const account = byId.get(id as string) ?? (id as string);
		balances.set(account, (balances.get(account) ?? 0) + Number(balance));
	}
	return balances;
}
