import { cookieNameOf } from "../../server/accounts/authenticator.ts";
import { openTokens } from "../../server/accounts/tokens.ts";
import { createAdmin, createUser } from "../../server/accounts/users.ts";
import type { Settings } from "../../server/settings.ts";
import type { RunningServer } from "../../server/start.ts";
import { businessDay, toIso } from "../../sync/protocol/clock.ts";
import { newId } from "../../sync/protocol/ids.ts";
import type { Caller } from "../../sync/shop.ts";

/** A session's cookie. */
export interface Cookie {
	name: string;
	value: string;
}

interface Change {
	name: string;
	args: object;
}

const timeZone = "Africa/Nairobi";
const batchSize = 1_000;
const kinds: [name: string, price: number][] = [
	["Fresh milk 500 ml", 65],
	["White bread 400 g", 60],
	["Soda 500 ml", 70],
	["Sugar 1 kg", 165],
	["Maize flour 2 kg", 195],
	["Cooking oil 1 L", 320],
	["Bar soap 225 g", 155],
	["Matches", 10],
	["Biro, blue", 25],
	["Airtime", 50],
];
const categories = [
	"Drinks",
	"Dairy and eggs",
	"Bread",
	"Flour and sugar",
	"Oil and spreads",
	"Fresh",
	"Cleaning",
	"Body",
	"Paper and airtime",
	"Other",
];
/** Longer than any place for it, and first in the alphabet. */
const longNames = [
	"A carton of tea bags, tagged and enveloped, family pack of one hundred, with a free mug",
	"A-supercalifragilistic-unbreakable-washing-powder-with-lemon-and-aloe-2.5kg",
	"A 55-inch flat television with wall mount, installation and three years of warranty",
];
const hugePrices = [1_284_500, 98_765_432, 215_500];

/** Products with all kinds of stock; a fifth have no category, and every fiftieth is nearly sold out. */
function productsOf(count: number): Change[] {
	return Array.from({ length: count }, (_, i) => {
		const [kind = "", price = 0] = kinds[i % kinds.length] ?? [];
		const make = Math.floor(i / kinds.length);
		return {
			name: "product.create",
			args: {
				id: `p${i}`,
				name: make === 0 ? kind : `${kind}, make ${make}`,
				sku: i % 7 === 0 ? null : String(6_001_000_000_000 + i * 10),
				buyingPrice: Math.round(price * 0.8),
				sellingPrice: price + make,
				quantity: i % 50 === 0 ? 2 : 40,
				categoryId: i % 5 === 0 ? null : `c${i % categories.length}`,
			},
		};
	});
}

const categoryChanges: Change[] = categories.map((name, sortOrder) => ({
	name: "category.create",
	args: { id: `c${sortOrder}`, name, sortOrder },
}));

/** Long names and seven to nine figures, as in a Tanzanian wholesaler's books. */
function extremesOf(at: string): Change[] {
	const products = longNames.map((name, i) => ({
		name: "product.create",
		args: {
			...{ id: `long${i}`, name, sku: `600100000${i}0` },
			...{ buyingPrice: 190_000, sellingPrice: hugePrices[i] },
			...{ quantity: [12_345_678, -3, 0][i], categoryId: "c7" },
		},
	}));
	const sales = Array.from({ length: 12 }, (_, n) => ({
		name: "sale.create",
		args: {
			id: `s${n}`,
			items: longNames.slice(0, 1 + (n % 3)).map((name, i) => ({
				...{ id: String(i + 1), productId: `long${i}`, name },
				...{ quantity: 1 + n, price: hugePrices[i], cost: 190_000 },
			})),
			paymentMethod: ["CASH", "MPESA", "CARD"][n % 3],
			receiptNumber: `TILL-${String(n + 1).padStart(6, "0")}`,
			businessDay: businessDay(at, timeZone, 0),
		},
	}));
	return [...products, ...sales];
}

/** Opens a shop of so many products. @returns its owner's cookie */
export async function openPicturedShop(
	{ shop }: RunningServer,
	{ authSecret }: Settings,
	count: number,
): Promise<Cookie> {
	const { env, store } = shop;
	// The shop of 326 products is the one of extremes.
	const isExtreme = count === 326;
	const owner = {
		email: `${count}@example.com`,
		name: isExtreme ? "Wanjiru Njeri Kamau-Otieno" : "Njeri Kamau",
	};
	const made = await createUser(
		store,
		env,
		{ ...owner, passwordHash: "none" },
		{
			business: {
				name: isExtreme
					? "Duka la jumla la Njeri Kamau na wanawe, Nyeri mjini"
					: "Duka la Njeri",
				currency: isExtreme ? "TZS" : "KES",
				timeZone,
			},
		},
	);
	const caller: Caller = {
		...{ businessId: made.businessId, userId: made.id },
		...{ role: "OWNER", deviceId: null },
	};
	const at = toIso(env.now());
	const changes = [
		...(count > 0 ? categoryChanges : []),
		...(isExtreme ? extremesOf(at) : []),
		...productsOf(isExtreme ? count - longNames.length : count),
	];
	for (let from = 0; from < changes.length; from += batchSize) {
		const { results } = await shop.push(caller, {
			mutations: changes
				.slice(from, from + batchSize)
				.map((change) => ({ id: newId(env), at, ...change })),
		});
		const refused = results.find(({ status }) => status !== "applied");
		if (refused) throw new Error(`The shop: ${refused.error?.message}`);
	}
	return cookieOf(authSecret, {
		...owner,
		...{ id: made.id, role: "user", businessId: made.businessId },
	});
}

/** An administrator's cookie, for the page that is theirs alone. */
export async function openAdmin(
	{ shop }: RunningServer,
	{ authSecret }: Settings,
	email: string,
): Promise<Cookie> {
	const account = { email, name: "Root" };
	const { id } = await createAdmin(shop.store, shop.env, {
		...account,
		passwordHash: "none",
	});
	return cookieOf(authSecret, {
		...account,
		...{ id, role: "admin", businessId: null },
	});
}

async function cookieOf(
	authSecret: Settings["authSecret"],
	user: Parameters<Awaited<ReturnType<typeof openTokens>>["sign"]>[0]["user"],
): Promise<Cookie> {
	const tokens = await openTokens(authSecret);
	return {
		name: cookieNameOf({ secure: false }),
		value: await tokens.sign({ user, tokenVersion: 0 }, "session"),
	};
}
