import { approvedText } from "../../../sync/entities/approval.ts";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import { newId } from "../../../sync/protocol/ids.ts";
import { openPin, type PinKey } from "../../../sync/protocol/pin-key.ts";
import type { Caller, Shop } from "../../../sync/shop.ts";
import { writePinKey } from "../../../sync/till/staff.ts";
import { createUser } from "../../accounts/users.ts";

/** The product that is sold off. */
interface Sold {
	id: string;
	name: string;
	price: number;
	cost: number;
	stock: number;
}

const kdf = "scrypt-14-8-1";
/** Made once, so that the demo is the same each time. */
const pins = { cashier: "1234", owner: "432100" };
const keys: Record<keyof typeof pins, PinKey> = {
	cashier: {
		salt: "1951b59b846ea1a918c619d8b2d3cbf3",
		publicKey:
			"ef6df7406833b764b78df1b41fbb4a051435623385f3435c7940fe02f3289123",
		kdf,
		digits: 4,
	},
	owner: {
		salt: "bc190bb93a2c3ddbda3600eacc750695",
		publicKey:
			"6657d9560cbd2b4b9fcc0963d5dc7cf2327c536fef79b631c96a2e28d4c7519a",
		kdf,
		digits: 6,
	},
};

/**
 * Hires a cashier, Otieno, with the PIN 1234; the owner's is 432100. Cashiers are limited, and the owner approves one sale
 * beyond the limits.
 */
export async function hireCashier(
	shop: Shop,
	owner: Caller,
	sold: Sold,
): Promise<void> {
	const { store, env } = shop;
	const { businessId, userId } = owner;
	const at = toIso(env.now());
	const account = { email: "otieno@example.com", name: "Otieno" };
	const { id } = await createUser(
		store,
		env,
		{ ...account, passwordHash: "none" },
		{ businessId, role: "CASHIER" },
	);
	await store.write(async (tx) => {
		await writePinKey(tx, businessId, id, keys.cashier, at);
		await writePinKey(tx, businessId, userId as string, keys.owner, at);
	});
	const role = "CASHIER" as const;
	const amounts = { refundMax: 500, voidMax: 500, cashOutMax: 500 };
	const limits = [
		{ role, discountMax: 10, ...amounts, mayTakeBackOthers: false },
	];
	await shop.mutate(owner, businessUpdate, { set: { limits } });
	const saleId = newId(env);
	const price = Math.ceil(sold.price / 2);
	const quantity = Math.min(10, Math.floor(sold.stock));
	const amount = (sold.price - price) * quantity;
	const given = { by: userId as string, amount, at };
	const text = approvedText({ act: saleCreate.name, id: saleId, ...given });
	const pin = await openPin(keys.owner, pins.owner);
	const { price: listPrice, id: productId, name, cost } = sold;
	await shop.mutate({ ...owner, userId: id, role }, saleCreate, {
		id: saleId,
		items: [
			{
				...{ id: "1", productId, name, quantity, price, cost, listPrice },
			},
		],
		notes: "Sold off before its date",
		approval: { ...given, signature: pin?.sign(text) ?? "" },
	});
}
