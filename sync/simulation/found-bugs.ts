import type { Mistake } from "./mistakes.ts";

/**
 * Bugs that the simulator found, put back where they were, each with a seed that finds it. Where a seed no longer does, since
 * the simulation has changed, `catch-mistakes.ts 9000 NAME` says which one does now. What the first three did to a shop is
 * told by tests of their own, in `connect.test.ts` and `heal.test.ts`.
 */
export const foundBugs: readonly Mistake[] = [
	{
		name: "a till knows whose answers it has with the first page only",
		file: "push-outbox.ts",
		find: "epoch = coalesce(epoch, ?) WHERE",
		replace: "epoch = iif(? = '', epoch, epoch) WHERE",
		seed: 2283,
	},
	{
		name: "a till that begins anew forgets whose history it had",
		file: "replica.ts",
		find: "last_receipt = 0, last_number = ? WHERE",
		replace: "last_receipt = 0, last_number = ?, epoch = NULL WHERE",
		seed: 978,
	},
	{
		name: "a shop that joins is out of sight until its server's own is there",
		file: "connect.ts",
		find: "if (table === business.table) continue;",
		replace: `if (table === business.table) {
			await tx.run("INSERT INTO base_rows (business_id, entity, id, data) VALUES (?, ?, ?, NULL)", to, name, to);
			continue;
		}`,
		seed: 890,
	},
	{
		name: "products that sold equally well are in any order",
		file: "tallies.ts",
		find: "DESC, product_id LIMIT ? + (",
		replace: "DESC LIMIT ? + (",
		seed: 5892,
	},
];
