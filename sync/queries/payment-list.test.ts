import { expect, test } from "vitest";
import { cashMove } from "../entities/cash.ts";
import { customerCreate } from "../entities/customer.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftOpen } from "../entities/shift.ts";
import { openTestShop } from "../testing/shop.ts";
import { paymentList } from "./payment-list.ts";

test("every sale and refund tells each amount once, however it was paid, rounded or left short", async () => {
	const { shop, caller, store } = await openTestShop();
	/** As if other things had happened: the list reads some thousands of versions at once. */
	const passOver = () =>
		store.write((tx) => tx.run("UPDATE businesses SET head = head + 25000"));
	await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
	const items = [{ id: "1", name: "Rice", quantity: 1, price: 102, cost: 0 }];
	const sell = (id: string, more: object) =>
		shop.mutate(caller, saleCreate, { id, items, ...more });
	await sell("change", { paid: 200 });
	await sell("rounded", { paid: 152, rounding: 2 });
	await sell("short", { paid: 80 });
	await sell("mpesa", { paymentMethod: "MPESA", paymentCode: "TIA9B1U5VV" });
	await passOver();
	await sell("over", { paymentMethod: "MPESA", paid: 150 });
	await sell("lent", { customerId: "zawadi", paymentMethod: "CREDIT" });
	const back = { reason: "Sour", restock: true };
	await shop.mutate(caller, saleVoid, {
		...{ ...back, id: "v", saleId: "rounded" },
	});
	await shop.mutate(caller, saleVoid, {
		...{ ...back, id: "w", saleId: "lent" },
	});
	await shop.mutate(caller, saleRefund, {
		...{ ...back, id: "r", saleId: "mpesa" },
		items: [{ id: "1", itemId: "1", quantity: 0.5 }],
		tenders: [{ method: "CASH", amount: 50 }],
	});
	await passOver();
	await shop.mutate(caller, shiftOpen, { id: "h", openingFloat: 5 });
	await shop.mutate(caller, cashMove, {
		...{ id: "k", amount: -5, category: "expense", reason: "Tea" },
	});
	await sell("shifted", { customerId: "zawadi", paid: 60 });
	await passOver();
	await shop.mutate(caller, cashMove, {
		...{ id: "late", amount: -2, category: "expense", reason: "Bags" },
	});
	const all: string[] = [];
	let after: string | undefined;
	do {
		const page = await shop.ask(caller, paymentList, {
			...{ limit: 3, ...(after !== undefined && { after }) },
		});
		for (const { factId, method, amount, ...row } of page.rows)
			all.push(
				[factId, method, amount, row.customerName, row.shiftId, row.category]
					.filter((part) => part !== null)
					.join(" "),
			);
		after = page.next ?? undefined;
	} while (after !== undefined);
	expect(all).toEqual([
		"change CASH 102",
		"rounded CASH 100",
		"short CASH 80",
		"mpesa MPESA 102",
		"over MPESA 150",
		"over CASH -48",
		"lent CREDIT 102 Zawadi",
		"v CASH -100",
		"w CREDIT -102 Zawadi",
		"r CASH -50",
		"k CASH -5 h expense",
		"shifted CASH 60 Zawadi h",
		"shifted CREDIT 42 Zawadi h",
		"late CASH -2 h expense",
	]);
});
