import { decimal, micros, sum } from "./exact.ts";

/** The state that the contract implies, as plain lists in order of creation. */

export type Role = "OWNER" | "MANAGER" | "CASHIER";

interface Category {
	id: string;
	name: string;
	sortOrder: number;
	createdAt: string;
}

export interface Product {
	id: string;
	name: string;
	sku: string | null;
	buyingPrice: number | null;
	sellingPrice: number | null;
	lowStock: number;
	isService: boolean;
	isActive: boolean;
	categoryId: string | null;
	imageUrl: string | null;
	thumbnailUrl: string | null;
	createdAt: string;
	/** The last change of its selling price. */
	priceEdit?: { at: string; was: number | null };
}

export interface Movement {
	id?: string;
	productId: string;
	delta: number;
	reason: string;
	note: string | null;
	saleId: string | null;
	itemId: string | null;
	userId: string;
	createdAt: string;
}

export interface Item {
	id: string;
	saleId: string;
	name: string;
	quantity: number;
	price: number;
	cost: number;
	productId: string | null;
	listPrice?: number | undefined;
	isStockless?: true | undefined;
}

export interface Sale {
	id: string;
	total: number;
	cost: number;
	paid: number;
	rounding?: number | undefined;
	paymentMethod: string;
	notes: string | null;
	receiptNumber: string | null;
	businessDay: string;
	userId: string;
	deviceId: string | null;
	createdAt: string;
	items: Item[];
	/** Lines that left stock unchanged. */
	services: Set<string>;
}

export interface Refund {
	id: string;
	saleId: string;
	kind: "void" | "refund";
	reason: string;
	restock: boolean;
	total: number;
	rounding?: number;
	cost: number;
	businessDay: string;
	userId: string;
	createdAt: string;
	items: { id: string; refundId: string; itemId: string; quantity: number }[];
}

export interface Concern {
	cause: string;
	saleId: string;
	productId: string | null;
	quantity: number | null;
	amount: number | null;
	deviceId: string | null;
	createdAt: string;
}

export interface Review {
	id: string;
	rating: number;
	text: string;
	userId: string;
	createdAt: string;
}

export interface Key {
	id: string;
	name: string;
	hint: string;
	monthlyBudget: number | null;
	requestsPerMinute: number | null;
	createdAt: string;
	isRevoked: boolean;
}

export interface Shop {
	id: string;
	name: string;
	currency: string;
	timeZone: string;
	cutOffHour: number;
	receiptHeader: string | null;
	receiptFooter: string | null;
	openItems: boolean;
	cashUnit: number | null;
	receiptLanguage: string | null;
	receiptLogoUrl: string | null;
	createdAt: string;
	categories: Category[];
	products: Product[];
	movements: Movement[];
	sales: Sale[];
	refunds: Refund[];
	concerns: Concern[];
	reviews: Review[];
	keys: Key[];
	/** Tills that have pushed, and the server if it has made a sale. */
	devices: Set<string>;
	/** Other businesses' ids that its people sent, which answers may echo. */
	sent: Set<string>;
	/** Pictures by name. */
	pictures: Map<string, string>;
}

export interface Notification {
	/** Unknown until listed, for the server's own notifications. */
	id?: string;
	shop: Shop;
	type: string;
	title: string;
	message: string;
	data: object;
	read: boolean;
	/** No earlier than this. */
	since: string;
	createdAt?: string;
	isDeleted: boolean;
}

export interface Membership {
	shop: Shop;
	role: Role;
	createdAt: string;
}

export interface Person {
	id: string;
	name: string;
	email: string;
	isAdmin: boolean;
	isDisabled: boolean;
	bearer: string;
	cookie: string;
	/** In order; the first decides the first business. */
	memberships: Membership[];
	notifications: Notification[];
	/** Types switched off, as `shop type`. */
	unwanted: Set<string>;
}

export interface World {
	shops: Shop[];
	people: Person[];
	/** The installation's figures before the sequence. */
	before: Record<string, number>;
	/** Counts of each operation's statuses, such as `GET /api/sales 200`, over all sequences. */
	answers: Map<string, number>;
}

export function newShop(row: Pick<Shop, "id" | "name" | "createdAt">): Shop {
	return {
		...row,
		currency: "KES",
		timeZone: "Africa/Nairobi",
		cutOffHour: 0,
		receiptHeader: null,
		receiptFooter: null,
		openItems: false,
		cashUnit: null,
		receiptLanguage: null,
		receiptLogoUrl: null,
		categories: [],
		products: [],
		movements: [],
		sales: [],
		refunds: [],
		concerns: [],
		reviews: [],
		keys: [],
		devices: new Set(),
		sent: new Set(),
		pictures: new Map(),
	};
}

export function stockOf(shop: Shop, productId: string): bigint {
	return sum(
		shop.movements
			.filter((movement) => movement.productId === productId)
			.map(({ delta }) => micros(delta)),
	);
}

export function membersOf({ people }: World, shop: Shop) {
	return people.flatMap((person) =>
		person.memberships
			.filter((membership) => membership.shop === shop)
			.map((membership) => ({ person, ...membership })),
	);
}

/** Sorts newest first; ids break ties as on the server. */
export function newestFirst<T extends { createdAt: string; id?: string }>(
	records: readonly T[],
): T[] {
	const key = ({ createdAt, id }: T) => `${createdAt} ${id}`;
	return records.toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** A product as the API answers it. */
export function productWire(shop: Shop, product: Product) {
	const { priceEdit: _, ...fields } = product;
	const found = shop.categories.find(({ id }) => id === product.categoryId);
	return {
		...fields,
		quantity: decimal(stockOf(shop, product.id)),
		businessId: shop.id,
		updatedAt: moment,
		category: found
			? { id: found.id, name: found.name, sortOrder: found.sortOrder }
			: null,
	};
}

export function categoryWire(shop: Shop, category: Category) {
	return { ...category, businessId: shop.id, updatedAt: moment };
}

export function businessWire({
	id,
	name,
	currency,
	timeZone,
	cutOffHour,
	receiptHeader,
	receiptFooter,
	openItems,
	cashUnit,
	receiptLanguage,
	receiptLogoUrl,
	createdAt,
}: Shop) {
	return {
		...{ id, name, currency, timeZone, cutOffHour, receiptHeader },
		...{ receiptFooter, openItems, cashUnit, receiptLanguage },
		...{ receiptLogoUrl, createdAt, updatedAt: moment },
	};
}

export function saleWire(shop: Shop, { services: _, ...sale }: Sale) {
	return {
		...sale,
		businessId: shop.id,
		profit: decimal(micros(sale.total) - micros(sale.cost)),
		change: decimal(micros(sale.paid) - micros(sale.total)),
	};
}

export function refundWire(shop: Shop, refund: Refund) {
	return { ...refund, businessId: shop.id, deviceId: null };
}

/** Matches any moment in wire format. */
const moment = {
	asymmetricMatch: (value: unknown) =>
		typeof value === "string" &&
		/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
};
