import { businessUpdate } from "../../entities/business.ts";
import { cashMove, drawerOpen } from "../../entities/cash.ts";
import { categoryCreate } from "../../entities/category.ts";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../../entities/count.ts";
import { inboxDismiss } from "../../entities/inbox.ts";
import { paymentCollect } from "../../entities/payment.ts";
import { productCreate, productDelete } from "../../entities/product.ts";
import { saleRefund, saleVoid } from "../../entities/refund.ts";
import { cartRemove } from "../../entities/removal.ts";
import { reviewCreate } from "../../entities/review.ts";
import { saleCreate } from "../../entities/sale.ts";
import { shiftClose, shiftOpen } from "../../entities/shift.ts";
import { statementImport } from "../../entities/statement.ts";
import { stockAdjust } from "../../entities/stock.ts";
import { paymentRemit } from "../../entities/supplier-payment.ts";
import type { Caller } from "../../log/log.ts";
import type { Shop } from "../../shop.ts";
import {
	plainEntities,
	plainRecords,
	withWord,
} from "../../testing/examples.ts";
import { inboxItems } from "../inbox-groups.ts";
import { queries } from "../index.ts";

/** The arguments that each query is tested with, by its name. */
export const asked: Record<string, object[]> = {
	"business.get": [{}],
	"business.today": [{}],
	"business.counts": [{}],
	"mutation.list": [{}],
	"mutation.get": [{ id: "counting" }],
	"mutation.about": [{ recordId: "sold" }],
	"mutation.approved": [{}],
	"device.list": [{}],
	"category.list": [{}],
	"category.get": [{ id: "dairy" }],
	"pack.list": [{}, { productId: "product" }],
	"pack.get": [{ id: "pack" }],
	"product.list": [
		{},
		{ search: "MIL" },
		{ categoryId: "dairy" },
		{ show: "inactive" },
		{ show: "all", search: "a" },
		{ filter: "low" },
		{ filter: "unsold", search: "a" },
	],
	"product.counts": [{}, { categoryId: "dairy" }],
	"product.get": [{ id: "milk" }, { id: "old" }],
	"product.find": [
		{ words: "mil" },
		{ words: "", categoryId: "dairy" },
		{ words: "b", filter: "noCode" },
		{ words: "milka" },
	],
	"product.byCode": [{ code: "DUKA 1" }, { code: "none" }, { code: "DUKA" }],
	"product.some": [{ ids: ["milk", "old", "none"] }],
	"product.bestSellers": [{}, { limit: 1 }],
	"product.movements": [{ id: "milk" }, { id: "bread" }],
	"stockMovement.list": [
		{},
		{ from: "2026-11-20", to: "2026-11-20" },
		{ to: "2026-11-19" },
	],
	"stockMovement.get": [{ id: "counted" }, { id: "sold:0" }],
	"sale.list": [{}, { offset: 1 }],
	"sale.count": [{}],
	"sale.get": [{ id: "sold" }, { id: "voided" }],
	"sale.byReceipt": [{ number: "a-000001" }, { number: "none" }],
	"sale.history": [
		{},
		{ from: "2026-11-20", to: "2026-11-20" },
		{ to: "2026-11-19" },
		{ search: "MILK" },
		{ paymentMethod: "MPESA" },
		{ productId: "milk" },
		{ productId: "none" },
		{ search: "100" },
		{ productId: "milk", to: "2026-11-20" },
	],
	"sale.lines": [{}, { search: "note" }],
	"sale.totals": [{}, { from: "2026-11-20" }, { to: "2026-11-19" }],
	"sale.days": [
		{ from: "2026-11-19", to: "2026-11-20" },
		{ from: "2026-11-19", to: "2026-11-20", paymentMethod: "MPESA" },
	],
	"refund.get": [{ id: "refund" }, { id: "void" }],
	"dashboard.get": [{}],
	"report.period": [
		{ from: "2026-11-20", to: "2026-11-20", by: "hour" },
		{ from: "2026-11-01", to: "2026-11-30" },
		{ from: "2024-06-01", to: "2026-11-20", by: "month" },
	],
	"report.products": [
		{ from: "2026-11-20", to: "2026-11-20" },
		{ from: "2026-11-01", to: "2026-11-30", sort: "profit", order: "asc" },
		{ from: "2026-11-20", to: "2026-11-20", categoryId: "dairy" },
	],
	"report.categories": [
		{ from: "2026-11-20", to: "2026-11-20" },
		{ from: "2026-11-01", to: "2026-11-30", sort: "quantity" },
	],
	"report.letter": [{}],
	"report.money": [
		{ from: "2026-11-20", to: "2026-11-20" },
		{ from: "2026-11-01", to: "2026-11-30" },
	],
	"report.tax": [
		{ from: "2026-11-20", to: "2026-11-20" },
		{ from: "2026-11-01", to: "2026-11-30" },
	],
	"inboxItem.list": [{}, { limit: 1, offset: 1 }, { limit: 0 }],
	"inbox.groups": [{}],
	"inbox.dismissed": [{}],
	"inbox.items": [
		{ cause: "oversold", productId: "milk", saleId: null },
		{ cause: "clock", productId: null, saleId: "sold" },
	],
	"inbox.count": [{}],
	"customer.payments": [{ customerId: "customer" }],
	"customer.totals": [{}],
	"customer.byPhone": [{ phone: "+254 712-345-678" }, { phone: "12" }],
	"customer.statement": [{ id: "customer" }, { id: "customer", entries: 1 }],
	"customer.data": [{ id: "customer" }],
	"layaway.kept": [{}],
	"layaway.slip": [{ id: "layaway" }],
	"payment.list": [{}, { from: "2026-11-20", to: "2026-11-20" }],
	"payment.code": [{ code: "UIBJN5YMQC" }, { code: "NONE" }],
	"count.list": [{}],
	"count.get": [{ id: "closed count" }, { id: "open count" }],
	"count.last": [{ productIds: ["milk", "bread", "none"] }],
	"count.differences": [{ id: "closed count" }, { id: "open count" }],
	"supplier.list": [{}, { search: "a" }],
	"supplier.get": [{ id: "supplier" }],
	"supplier.entries": [{ supplierId: "supplier" }],
	"delivery.list": [
		{},
		{ supplierId: "supplier", from: "2026-11-20", to: "2026-11-20" },
	],
	"delivery.get": [{ id: "delivery" }, { id: "return" }],
	"product.costs": [{ id: "product" }, { id: "milk", day: "2026-11-19" }],
	"shift.list": [{}],
	"shift.current": [{}],
	"shift.get": [{ id: "counted shift" }, { id: "open shift" }],
	"shift.day": [
		{ id: "2026-11-20" },
		{ id: "2026-11-20", drawerId: "server" },
		{ id: "2026-11-19" },
	],
	"shift.sums": [{ id: "open shift" }],
	"statement.totals": [{ from: "2026-11-20", to: "2026-11-20" }],
	"statement.match": [
		{ from: "2026-11-20", to: "2026-11-20" },
		{ from: "2026-11-20", to: "2026-11-20", state: "unclaimed" },
		{ from: "2026-11-19", to: "2026-11-19", method: "OTHER" },
	],
	"review.get": [{ id: "review" }],
	"receipt.get": [{ id: "refunded" }, { id: "voided" }],
	...Object.fromEntries(
		plainEntities.flatMap(({ name }) => [
			[`${name}.list`, [{}]],
			[`${name}.get`, idsOf(name)],
		]),
	),
};

function idsOf(entity: string): { id: string }[] {
	return plainRecords
		.filter(({ mutation }) => mutation.name.startsWith(`${entity}.`))
		.map(({ args: { id } }) => ({ id }));
}

/** Creates one of every record in a shop, with a given word in each text. */
export async function fill(
	shop: Shop,
	caller: Caller,
	word: string,
): Promise<void> {
	const texts = { receiptHeader: `${word} header`, receiptFooter: word };
	const line = { name: `${word} milk`, quantity: 2, price: 50, cost: 40 };
	const item = { ...line, id: "1", productId: "milk" };
	const product = { buyingPrice: 40, sellingPrice: 50, quantity: 3 };
	const sell = (id: string, more: object = {}) =>
		shop.mutate(caller, saleCreate, { id, items: [item], ...more });
	await shop.mutate(caller, businessUpdate, { set: { name: word, ...texts } });
	for (const [id, sortOrder] of [
		["dairy", 2],
		["bakery", 1],
	] as const)
		await shop.mutate(caller, categoryCreate, {
			...{ id, name: `${word} ${id}`, sortOrder },
		});
	for (const [id, more] of [
		["milk", { categoryId: "dairy", sku: `${word} 1` }],
		["bread", { lowStock: 4 }],
		["visit", { isService: true }],
		["old", {}],
	] as const)
		await shop.mutate(caller, productCreate, {
			...{ id, name: `${word} ${id}`, ...product, ...more },
		});
	await shop.mutate(caller, productDelete, { id: "old" });
	await sell("sold", {
		...{ notes: `${word} note`, paymentMethod: "MPESA" },
		paymentCode: "UKK1A2B3C4",
		receiptNumber: "A-000001",
	});
	await sell("oversold");
	await sell("voided");
	await sell("refunded", {
		items: [item, { ...line, id: "2", productId: `${word} unknown` }],
	});
	await shop.mutate(caller, saleVoid, {
		...{ id: "void", saleId: "voided", reason: `${word} void` },
	});
	await shop.mutate(caller, saleRefund, {
		...{ id: "refund", saleId: "refunded", reason: `${word} refund` },
		...{ items: [{ id: "r1", itemId: "1", quantity: 1 }], restock: true },
	});
	const counted = { productId: "milk", delta: 5, reason: "count" } as const;
	await shop.mutate(
		caller,
		stockAdjust,
		{ id: "counted", ...counted, note: `${word} counted` },
		{ id: "counting" },
	);
	const unknown = { cause: "unknown_product", saleId: null } as const;
	const { ids } = await shop.ask(caller, inboxItems, {
		...{ ...unknown, productId: `${word} unknown` },
	});
	await shop.mutate(caller, inboxDismiss, { ids, reason: `${word} reason` });
	const review = { id: "review", rating: 4, text: `${word} is good` };
	await shop.mutate(caller, reviewCreate, review);
	await sell("lent", { customerId: "customer", paid: 10 });
	await shop.mutate(caller, paymentCollect, {
		...{ id: "collection", customerId: "customer", reason: word },
		tenders: [{ method: "CASH", amount: 5 }],
	});
	await countDrawer(shop, caller, word);
	await receive(shop, caller, word);
	await countStock(shop, caller, word);
	await addPlainRecords(shop, caller, word);
}

/** Opens two shifts, and counts the first. */
async function countDrawer(
	shop: Shop,
	caller: Caller,
	word: string,
): Promise<void> {
	const [id, reason] = ["counted shift", word];
	await shop.mutate(caller, shiftOpen, { id, openingFloat: 50 });
	const expense = { amount: -5, category: "expense", reason } as const;
	await shop.mutate(caller, cashMove, { id: "expense", ...expense });
	await shop.mutate(caller, drawerOpen, { id: "drawer", reason });
	await shop.mutate(caller, cartRemove, { id: "removal", reason });
	await shop.mutate(caller, shiftClose, {
		...{ id: "count", shiftId: id, reason },
		counted: [{ method: "CASH", amount: 44 }],
	});
	const next = { id: "open shift", openingFloat: 44 };
	await shop.mutate(caller, shiftOpen, next);
}

/** Makes two counts, each with a product that was counted and one that was only looked at, and closes the first. */
async function countStock(
	shop: Shop,
	caller: Caller,
	word: string,
): Promise<void> {
	for (const countId of ["closed count", "open count"]) {
		const name = `${word} shelf`;
		await shop.mutate(caller, countOpen, { id: countId, name });
		for (const productId of ["milk", "bread"]) {
			const id = `${countId} ${productId}`;
			const look = { id, countId, productId, shelf: word };
			await shop.mutate(caller, countLookAt, look);
		}
		const entry = { id: `${countId} milk`, counted: 3.5 };
		await shop.mutate(caller, countEnter, entry);
	}
	await shop.mutate(caller, countClose, { id: "closed count" });
}

/** Adds what entities give as examples, and pays the supplier among them. */
async function addPlainRecords(
	shop: Shop,
	caller: Caller,
	word: string,
): Promise<void> {
	for (const { mutation, args } of plainRecords)
		await shop.mutate(caller, mutation, withWord(mutation.args, args, word));
	await shop.mutate(caller, paymentRemit, {
		...{ id: "remitted", supplierId: "supplier", reason: word },
		tenders: [{ method: "BANK", amount: 5 }],
	});
}

/** Imports a statement, with a payment of a sale and one of none. */
async function receive(
	shop: Shop,
	caller: Caller,
	payer: string,
): Promise<void> {
	const paidAt = "2026-11-20T08:00:00.000Z";
	await shop.mutate(caller, statementImport, {
		method: "MPESA",
		lines: [
			{ code: "UKK1A2B3C4", amount: 10, payer, paidAt },
			{ code: "UKK1A2B3C5", amount: 20, payer, paidAt },
		],
	});
}

/** Fills a shop and asks it every query. */
export async function askEverything(shop: Shop, caller: Caller): Promise<void> {
	await fill(shop, caller, "Duka");
	for (const query of queries)
		for (const args of asked[query.name] ?? [])
			await shop.ask(caller, query, args);
}
