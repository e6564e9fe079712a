import { describe, expect, test } from "vitest";
import { shiftOpen } from "../../../sync/entities/shift.ts";
import {
	type Counter,
	now,
	openCounter,
	sale,
	today,
} from "./testing/counter.ts";

/*
 * Every way in which a cashier could take money that we know of. The cashier has a token and the API, and no manners. Each way is
 * refused, or an item of the inbox that the owner sees; never is goods' or money's way out refused that has happened already.
 */

const approval = (by: string) => ({
	...{ by, amount: 1_000, at: now, signature: "a".repeat(128) },
});

/** What the cashier does, and where the owner sees it. */
const seen: [string, (counter: Counter) => Promise<unknown>, string[]][] = [
	[
		"sells at 1 instead of 50, by REST",
		({ post, line }) => post("sales", { items: [line(1)] }),
		["discount_over_limit"],
	],
	[
		"sells at 1 instead of 50, by sync",
		(counter) => counter.push("sale.create", sale(counter, "s", 1)),
		["discount_over_limit"],
	],
	[
		"gives a discount of 90 %",
		(counter) =>
			counter.push("sale.create", {
				...{ id: "s", items: [counter.line(5, { listPrice: 50 })] },
			}),
		["discount_over_limit"],
	],
	[
		"sells at 1 in the owner's name",
		(counter) =>
			counter.push("sale.create", sale(counter, "s", 1), {
				by: counter.owner.id,
			}),
		["discount_over_limit"],
	],
	[
		"sells at 1 and makes up the owner's approval",
		(counter) =>
			counter.push(
				"sale.create",
				sale(counter, "s", 1, { approval: approval(counter.owner.id) }),
				{ argsVersion: 6 },
			),
		["bad_approval", "discount_over_limit"],
	],
	[
		"rings up goods as something that is no product",
		({ post }) =>
			post("sales", {
				items: [{ name: "Thing", quantity: 1, price: 5_000, cost: 0 }],
			}),
		["open_item_over_limit"],
	],
	[
		"voids their sale after the customer has left",
		async (counter) => {
			await counter.push("sale.create", sale(counter, "s", 50));
			await counter.post("sales/s/void", { reason: "Mistake" });
		},
		["void_over_limit"],
	],
	[
		"refunds their sale to their own pocket",
		async (counter) => {
			await counter.push("sale.create", sale(counter, "s", 50));
			await counter.push("sale.refund", {
				...{ id: "r", saleId: "s", reason: "Sour" },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			});
		},
		["refund_over_limit"],
	],
	[
		"voids what the owner sold",
		({ post }) => post("sales/owners/void", { reason: "Mistake" }),
		["others_sale_taken_back"],
	],
	[
		"gives a sale on credit back in cash",
		async (counter) => {
			const lent = { customerId: "friend", paymentMethod: "CREDIT" };
			await counter.push("sale.create", sale(counter, "s", 50, lent));
			await counter.push("sale.refund", {
				...{ id: "r", saleId: "s", reason: "Sour" },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
				tenders: [{ method: "CASH", amount: 50 }],
			});
		},
		["over_limit", "refund_over_limit"],
	],
	[
		"notes a cash sale as a friend's credit",
		(counter) =>
			counter.push(
				"sale.create",
				sale(counter, "s", 50, {
					...{ customerId: "friend", paymentMethod: "CREDIT" },
				}),
			),
		["over_limit"],
	],
	[
		"gives one M-PESA code for two sales",
		async (counter) => {
			const paid = { paymentMethod: "MPESA", paymentCode: "UIBJN5YMQC" };
			for (const id of ["one", "two"])
				await counter.push("sale.create", sale(counter, id, 50, paid));
		},
		["code_reused"],
	],
	[
		"gives the code of a sale for a friend's debt on another",
		async (counter) => {
			const code = "UIBJN5YMQC";
			const paid = { paymentMethod: "MPESA", paymentCode: code };
			await counter.push("sale.create", sale(counter, "one", 50, paid));
			const tenders = [{ method: "MPESA", amount: 50, code }];
			await counter.push(
				"sale.create",
				sale(counter, "two", 50, { customerId: "friend", tenders }),
			);
		},
		["code_reused"],
	],
	[
		"gives the code of a sale for a friend's debt that they collect",
		async (counter) => {
			const code = "UIBJN5YMQC";
			const paid = { paymentMethod: "MPESA", paymentCode: code };
			await counter.push("sale.create", sale(counter, "one", 50, paid));
			await counter.push("payment.collect", {
				...{ id: "collected", customerId: "friend" },
				tenders: [{ method: "MPESA", amount: 50, code }],
			});
		},
		["code_reused"],
	],
	[
		"takes cash out beyond what they may, as an expense",
		({ post }) =>
			post("cash-movements", {
				...{ amount: -500, category: "expense", reason: "Charcoal" },
			}),
		["cash_over_limit"],
	],
	[
		"opens the drawer without a sale",
		({ post }) => post("drawer-openings", { reason: "Change" }),
		["drawer_opened"],
	],
	[
		"counts less than should be in the drawer",
		async (counter) => {
			await counter.push("shift.open", { id: "h", openingFloat: 500 });
			const counted = [{ method: "CASH", amount: 400 }];
			await counter.push("shift.close", { id: "z", shiftId: "h", counted });
		},
		["drawer_differs"],
	],
	[
		"counts again until it fits",
		async (counter) => {
			await counter.push("shift.open", { id: "h", openingFloat: 500 });
			for (const [id, amount] of [
				["y", 400],
				["z", 500],
			] as const) {
				const counted = [{ method: "CASH", amount }];
				await counter.push("shift.close", { id, shiftId: "h", counted });
			}
		},
		["closed_twice", "drawer_differs"],
	],
	[
		"sells into a shift that was counted",
		async (counter) => {
			await counter.push("shift.open", { id: "h", openingFloat: 500 });
			const counted = [{ method: "CASH", amount: 500 }];
			await counter.push("shift.close", { id: "z", shiftId: "h", counted });
			await counter.push(
				"sale.create",
				sale(counter, "s", 50, { shiftId: "h" }),
				{ argsVersion: 4 },
			);
		},
		["late_for_shift"],
	],
	[
		"pays out a deposit that nobody made",
		({ post }) =>
			post("customers/friend/payouts", {
				tenders: [{ method: "CASH", amount: 50 }],
			}),
		["paid_out_too_much", "refund_over_limit"],
	],
	[
		"keeps goods for a friend at 1 instead of 50",
		({ post, line }) =>
			post("layaways", { customerId: "friend", items: [line(1)] }),
		["discount_over_limit"],
	],
	[
		"hands over goods that were put back on sale",
		async (counter) => {
			const kept = { customerId: "friend", items: [counter.line(50)] };
			await counter.push("layaway.create", { id: "l", ...kept });
			await counter.push("layaway.cancel", { id: "l", reason: "Moved" });
			await counter.push(
				"sale.create",
				sale(counter, "s", 50, { layawayId: "l" }),
				{ argsVersion: 8 },
			);
		},
		["layaway_ended"],
	],
	[
		"guesses the owner's PIN at a till",
		({ push, owner }) => push("pin.lock", { id: "l", userId: owner.id }),
		["pin_locked"],
	],
];

/** What the cashier tries, and how it is refused. */
const refused: [string, (counter: Counter) => Promise<unknown>, unknown][] = [
	[
		"writes off a friend's debt",
		({ post }) =>
			post("customers/friend/adjustments", { amount: -50, reason: "Poor" }),
		403,
	],
	[
		"writes off a friend's debt by sync",
		({ push }) =>
			push("payment.adjust", {
				...{ id: "a", customerId: "friend", amount: -50, reason: "Poor" },
			}),
		"rejected",
	],
	[
		"pays a supplier who is a friend out of the drawer",
		({ push }) =>
			push("payment.remit", {
				...{ id: "p", supplierId: "friend" },
				tenders: [{ method: "CASH", amount: 500 }],
			}),
		"rejected",
	],
	[
		"receives goods that nobody brought, and pays for them",
		({ post, line }) =>
			post("deliveries", {
				items: [{ ...line(50), productId: "milk" }],
				tenders: [{ method: "CASH", amount: 500 }],
			}),
		403,
	],
	[
		"raises a friend's limit",
		({ push }) =>
			push("customer.limit", { id: "friend", creditLimit: 1_000_000 }),
		"rejected",
	],
	[
		"raises their own limits",
		({ push }) => push("business.update", { set: { limits: [] } }),
		"rejected",
	],
	[
		"lowers a product's price before they buy it",
		({ push }) =>
			push("product.update", { id: "milk", set: { sellingPrice: 1 } }),
		"rejected",
	],
	[
		"lowers the tax",
		({ push }) =>
			push("tax.set", {
				...{ id: "B", name: "VAT", kind: "standard" },
				rates: [{ from: "2020-01-01", rate: 0 }],
			}),
		"rejected",
	],
	[
		"clears the inbox of what they did",
		({ push }) => push("inbox.dismiss", { ids: ["item"], reason: "right" }),
		"rejected",
	],
	[
		"types a code in lower case, so that it looks like another",
		(counter) =>
			counter.push(
				"sale.create",
				sale(counter, "s", 50, {
					...{ paymentMethod: "MPESA", paymentCode: "uibjn5ymqc" },
				}),
			),
		"rejected",
	],
	[
		"looks up what should be in the drawer before they count it",
		async (counter) => {
			await counter.push("shift.open", { id: "h", openingFloat: 500 });
			await counter.push(
				"sale.create",
				sale(counter, "s", 50, { shiftId: "h" }),
				{ argsVersion: 4 },
			);
			const days = `from=${today}&to=${today}`;
			const found: unknown[] = [];
			for (const path of ["shifts/h/sums", "payments", `reports/money?${days}`])
				found.push((await counter.get(path)).status);
			for (const path of ["dashboard", `reports/period?${days}`]) {
				const { body } = await counter.get(path);
				const { paymentMethods, tenders } = body as Record<string, unknown[]>;
				found.push(paymentMethods, tenders);
			}
			const { body } = await counter.get("shifts/h");
			const { figures, shift } = body as Record<string, { compared?: unknown }>;
			return [...found, figures, shift?.compared];
		},
		[403, 403, 403, [], [], [], [], null, null],
	],
];

describe("a cashier who takes money", () => {
	test.each(seen)(
		"%s: it is made, and the owner sees it",
		async (_what, act, causes) => {
			const counter = await openCounter();
			await act(counter);
			expect(await counter.causes()).toEqual(causes);
		},
	);

	test.each(refused)("%s: it is refused", async (_what, act, outcome) => {
		const counter = await openCounter();
		expect(await act(counter)).toEqual(outcome);
		expect(await counter.causes()).toEqual([]);
	});

	test("ten small amounts taken out, each within the limit, stand as one sum with their count in the report", async () => {
		const counter = await openCounter();
		const { server, owner, push } = counter;
		await server.shop.mutate(owner.caller, shiftOpen, {
			...{ id: "h", openingFloat: 5_000 },
		});
		for (let i = 0; i < 10; i += 1)
			await push("cash.move", {
				...{ id: `c-${i}`, amount: -100, category: "expense" },
				...{ reason: "Charcoal", shiftId: "h" },
			});
		expect(await counter.causes()).toEqual([]);
		const counted = [{ method: "CASH", amount: 4_000 }];
		await counter.post("shifts/h/close", { counted });
		const [report] = await server.rows("SELECT figures FROM shift_reports");
		expect(JSON.parse(report?.figures as string).moves).toEqual([
			{ category: "expense", count: 10, amount: -1_000 },
		]);
	});

	test("a member who is named as another's maker stays in the log as the one who brought it", async () => {
		const counter = await openCounter();
		const by = counter.owner.id;
		await counter.push("sale.create", sale(counter, "s", 50), { by });
		expect(
			await counter.server.rows(
				"SELECT user_id, carrier_id FROM mutations WHERE id = 'made-1'",
			),
		).toEqual([{ user_id: by, carrier_id: counter.cashier.id }]);
	});
});
