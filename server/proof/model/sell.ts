import { decimal, micros, shopDay, sum, totalOf } from "./exact.ts";
import {
	type Item,
	membersOf,
	type Person,
	type Product,
	type Sale,
	type Shop,
	stockOf,
	type World,
} from "./world.ts";

export interface Line {
	name: string;
	quantity: number;
	price: number;
	cost: number;
	productId?: string | null;
	isService?: boolean;
	listPrice?: number | null;
}

/** The circumstances of a sale, besides its lines. */
interface Selling {
	id: string;
	lines: (Line & { id: string })[];
	paid: number | null | undefined;
	rounding: number | null | undefined;
	paymentMethod: string | null | undefined;
	notes: string | null | undefined;
	receiptNumber: string | null;
	person: Person;
	deviceId: string | null;
	createdAt: string;
	/** The till's clock was ahead. */
	isAhead?: boolean;
}

/** Applies a sale: totals, stock and inbox items. */
export function sell(world: World, shop: Shop, selling: Selling): Sale {
	const { id, lines, person, deviceId, createdAt } = selling;
	const total = totalOf(lines);
	const cost = totalOf(lines.map((line) => ({ ...line, price: line.cost })));
	const sale: Sale = {
		id,
		total: decimal(total),
		cost: decimal(cost),
		paid: selling.paid || decimal(total),
		rounding: selling.rounding || undefined,
		paymentMethod: selling.paymentMethod || "CASH",
		notes: selling.notes ?? null,
		receiptNumber: selling.receiptNumber,
		businessDay: shopDay(createdAt, shop),
		userId: person.id,
		deviceId,
		createdAt,
		items: lines.map(
			({ id: itemId, productId, listPrice, isService, ...line }): Item => ({
				id: itemId,
				saleId: id,
				name: line.name,
				quantity: line.quantity,
				price: line.price,
				cost: line.cost,
				productId: productId || null,
				listPrice: listPrice ?? undefined,
				isStockless: productId && isService ? true : undefined,
			}),
		),
		services: new Set(
			lines.filter((line) => line.isService).map((line) => line.id),
		),
	};
	shop.sales.push(sale);
	const concern = (
		cause: string,
		about: Partial<Shop["concerns"][number]> = {},
	) =>
		shop.concerns.push({
			cause,
			saleId: id,
			productId: null,
			quantity: null,
			amount: null,
			deviceId,
			createdAt,
			...about,
		});
	for (const item of sale.items)
		takeStock(world, shop, sale, item, person, concern);
	if (selling.isAhead) concern("clock", { amount: sale.total });
	return sale;
}

/** What cash may be rounded by at most. */
function coinOf({ cashUnit, currency }: Shop): bigint {
	return micros(cashUnit ?? (currency === "KES" ? 1 : 0.01));
}

/** What a sale brought in, and what its refunds gave back. */
function moneyOf(shop: Shop, sale: Sale) {
	const change = micros(sale.paid) - micros(sale.total);
	const handed = micros(sale.paid) - micros(sale.rounding ?? 0);
	const refunds = shop.refunds.filter(({ saleId }) => saleId === sale.id);
	return {
		broughtIn: handed - (change > 0n ? change : 0n),
		back: sum(refunds.map(({ total }) => micros(total))),
		given: sum(
			refunds.map(
				({ total, rounding = 0 }) => micros(total) - micros(rounding),
			),
		),
	};
}

/** What a refund of a total keeps back: it gives no more than the sale brought in, and the last of it what was rounded up. */
export function keptBack(shop: Shop, sale: Sale, total: bigint): bigint {
	const { broughtIn, given, back } = moneyOf(shop, sale);
	const rest = broughtIn > given ? broughtIn - given : 0n;
	const isLast = back + total === micros(sale.total);
	const roundedUp = -micros(sale.rounding ?? 0);
	const most = isLast && roundedUp > 0n ? total + roundedUp : total;
	return total - (rest < most ? rest : most);
}

/** Returns by how much a sale's refunds gave back more than it brought in; a coin is rounding. */
export function backTooMuch(shop: Shop, sale: Sale): bigint {
	const { broughtIn, given } = moneyOf(shop, sale);
	const tooMuch = given - broughtIn;
	return tooMuch > coinOf(shop) ? tooMuch : 0n;
}

function takeStock(
	world: World,
	shop: Shop,
	sale: Sale,
	{ id: itemId, productId, quantity, price }: Item,
	person: Person,
	concern: (cause: string, about: object) => void,
): void {
	if (productId === null) return;
	const isService = sale.services.has(itemId);
	if (!isService)
		shop.movements.push({
			productId,
			delta: -quantity || 0,
			reason: "sale",
			note: null,
			saleId: sale.id,
			itemId,
			userId: person.id,
			createdAt: sale.createdAt,
		});
	const product = shop.products.find((one) => one.id === productId);
	if (!product) {
		concern("unknown_product", { productId, quantity });
		return;
	}
	const left = decimal(stockOf(shop, productId));
	if (!isService && !product.isService)
		notifyLowStock(world, shop, product, left, quantity);
	if (!product.isActive) concern("inactive_product", { productId, quantity });
	if (!isService && left < 0 && quantity > 0)
		concern("oversold", { productId, quantity: Math.min(quantity, -left) });
	const edit = product.priceEdit;
	if (
		price !== product.sellingPrice &&
		edit?.was === price &&
		edit.at < sale.createdAt
	)
		concern("old_price", { productId, quantity, amount: price });
}

const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** Notifies each member once when a sale takes a product to its threshold. */
function notifyLowStock(
	world: World,
	shop: Shop,
	{ id, name, lowStock }: Product,
	left: number,
	sold: number,
): void {
	const before = decimal(micros(left) + micros(sold));
	if (left > lowStock || before <= lowStock) return;
	for (const { person } of membersOf(world, shop))
		if (!person.unwanted.has(`${shop.id} inventory`))
			person.notifications.push({
				shop,
				type: "inventory",
				title: `Low stock: ${name}`,
				message: `${figures.format(left)} left; the threshold is ${figures.format(lowStock)}.`,
				data: {
					code: "low_stock",
					productId: id,
					name,
					quantity: left,
					lowStock,
				},
				read: false,
				since: shop.createdAt,
				isDeleted: false,
			});
}

/** The refunded quantity of each line of a sale. */
export function takenBack(shop: Shop, saleId: string): Map<string, bigint> {
	const back = new Map<string, bigint>();
	for (const refund of shop.refunds)
		if (refund.saleId === saleId)
			for (const { itemId, quantity } of refund.items)
				back.set(itemId, (back.get(itemId) ?? 0n) + micros(quantity));
	return back;
}

export function isVoided(shop: Shop, saleId: string): boolean {
	return shop.refunds.some(
		(refund) => refund.saleId === saleId && refund.kind === "void",
	);
}

/** The status of a sale and its total refund. */
export function standingOf(shop: Shop, sale: Sale) {
	const refunds = shop.refunds.filter(({ saleId }) => saleId === sale.id);
	const back = takenBack(shop, sale.id);
	const isAllBack = sale.items.every(
		({ id, quantity }) => (back.get(id) ?? 0n) >= micros(quantity),
	);
	const refundedTotal = decimal(
		refunds.reduce((sum, { total }) => sum + micros(total), 0n),
	);
	if (refunds.length === 0) return { status: "sold", refundedTotal };
	if (isVoided(shop, sale.id)) return { status: "voided", refundedTotal };
	return {
		status: isAllBack ? "refunded" : "partly refunded",
		refundedTotal,
	};
}
