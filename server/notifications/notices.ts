import type {
	LimitNotice,
	LowStock,
	Notice,
} from "../../sync/entities/entity.ts";
import { toDecimal } from "../../sync/entities/money.ts";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Connection } from "../../sync/store/store.ts";
import { notify } from "./notifications.ts";

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** What a member reads. `data` is what a client words in its user's language. */
type Words = Omit<Parameters<typeof notify>[3], "data"> & {
	data: Record<string, unknown>;
};

/** Notifies members in the transaction of the mutation that gave reason to. */
export async function notifyOf(
	tx: Connection,
	env: Env,
	businessId: string,
	notice: Notice,
): Promise<void> {
	const words =
		notice.code === "low_stock"
			? lowStockWords(notice)
			: limitWords(notice, await nameOf(tx, notice.userId));
	for (const userId of await recipientsOf(tx, businessId, notice))
		await notify(tx, env, { businessId, userId }, words);
}

/** Stock concerns every member, limits the owners, and an approval or a locked PIN its person. */
async function recipientsOf(
	tx: Connection,
	businessId: string,
	notice: Notice,
): Promise<string[]> {
	const own = "approver" in notice ? [notice.approver] : [];
	if (notice.code === "approved") return own;
	const members = await tx.all(
		"SELECT user_id, role FROM memberships WHERE business_id = ?",
		businessId,
	);
	return members
		.filter(
			({ role, user_id }) =>
				notice.code === "low_stock" ||
				role === "OWNER" ||
				own.includes(user_id as string),
		)
		.map(({ user_id }) => user_id as string);
}

async function nameOf(
	tx: Connection,
	userId: string | null,
): Promise<string | null> {
	const user = await tx.get("SELECT name FROM users WHERE id = ?", userId);
	return (user?.name as string | undefined) ?? null;
}

function lowStockWords({ id, name, quantity, lowStock }: LowStock): Words {
	const left = toDecimal(quantity);
	const threshold = toDecimal(lowStock);
	return {
		type: "inventory",
		title: `Low stock: ${name}`,
		message: `${numbers.format(left)} left; the threshold is ${numbers.format(threshold)}.`,
		data: {
			...{ code: "low_stock", productId: id, name },
			...{ quantity: left, lowStock: threshold },
		},
	};
}

const acts: Record<string, string> = {
	"sale.create": "a sale",
	"sale.refund": "a refund",
	"sale.void": "a void",
	"cash.move": "cash out",
	"drawer.open": "an opened drawer",
	"layaway.create": "kept goods",
	"payment.payout": "a payout",
	"delivery.create": "a delivery",
	"payment.remit": "a payment to a supplier",
};

function limitWords(
	{ code, act, id, userId, ...notice }: LimitNotice & { code: string },
	maker: string | null,
): Words {
	const amount = toDecimal(notice.amount);
	if (code === "pin_locked")
		return {
			type: "system",
			title: "A PIN was locked",
			message: "Five wrong ones in a row: somebody may be guessing it.",
			data: { code, id, userId },
		};
	const what = `${acts[act] ?? act} by ${maker ?? "a member"}`;
	return {
		type: "sales",
		title:
			code === "approved"
				? `Approved by your PIN: ${what}`
				: `Beyond the limits: ${what}`,
		message: `At stake: ${numbers.format(amount)}.`,
		data: { code, act, id, userId, name: maker, amount },
	};
}
