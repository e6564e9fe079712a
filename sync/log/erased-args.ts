import { erasedName } from "../entities/customer.ts";
import type { Connection, DbRow } from "../store/store.ts";

/*
 * The log keeps the arguments of every mutation, because its links cover them. Its readers don't see those of a customer whose
 * personal data was erased.
 */

const naming = ["customer.create", "customer.update"];
const personal = ["name", "phone", "note"];

/** Replaces personal data that was erased since in the arguments of rows of the log. */
export async function hideErased<Row extends DbRow>(
	tx: Connection,
	businessId: string,
	rows: readonly Row[],
): Promise<Row[]> {
	const named = rows.filter(({ name }) => naming.includes(name as string));
	if (named.length === 0) return [...rows];
	const ids = named.map((row) => argsOf(row).id ?? null);
	const found = await tx.all(
		"SELECT id FROM customers WHERE business_id = ? AND erased_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
		businessId,
		JSON.stringify(ids),
	);
	const erased = new Set(found.map(({ id }) => id));
	return rows.map((row) =>
		named.includes(row) && erased.has(argsOf(row).id as string)
			? { ...row, args: JSON.stringify(hide(argsOf(row))) }
			: row,
	);
}

type Args = Record<string, unknown>;

function argsOf({ args }: DbRow): Args {
	return JSON.parse(args as string);
}

function hide(args: Args): Args {
	return Object.fromEntries(
		Object.entries(args).map(([field, value]) => {
			if (field === "set") return [field, hide(value as Args)];
			const isHidden = personal.includes(field) && value !== null;
			return [field, isHidden ? erasedName : value];
		}),
	);
}
