import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { openTestShop, saleArgs } from "../testing/shop.ts";
import { shiftDay } from "./shift-day.ts";

test("a day's report sums what the shifts of all tills counted, or of one, and says what is open, late and uncounted", async () => {
	const { shop, caller, env } = await openTestShop();
	const open = (id: string, drawerId: string, openingFloat: number) => {
		env.pass(60_000);
		return shop.mutate(caller, shiftOpen, { id, drawerId, openingFloat });
	};
	const sell = (
		id: string,
		shiftId: string,
		price: number,
		more: object = {},
	) =>
		shop.mutate(caller, saleCreate, {
			...{ ...saleArgs(id, [{ price }]), shiftId, ...more },
		});
	const count = (shiftId: string, ...counted: [string, number][]) =>
		shop.mutate(caller, shiftClose, {
			...{ id: `${shiftId} counted`, shiftId },
			counted: counted.map(([method, amount]) => ({ method, amount })),
		});
	await open("morning", "a", 500);
	await sell("s1", "morning", 100);
	await sell("s2", "morning", 70, { paymentMethod: "MPESA" });
	await count("morning", ["CASH", 590], ["MPESA", 70]);
	await open("evening", "a", 200);
	await sell("s3", "evening", 30, { paymentMethod: "MPESA" });
	await count("evening", ["CASH", 203]);
	await sell("s4", "evening", 40);
	await open("other", "b", 100);
	await sell("s5", "other", 10);

	const id = "2026-11-20";
	const day = await shop.ask(caller, shiftDay, { id });
	expect(day).toMatchObject({
		drawerId: null,
		shifts: [{ id: "morning" }, { id: "evening" }, { id: "other" }],
		figures: { sales: { count: 5, total: 250 } },
		compared: [
			{ method: "CASH", expected: 800, counted: 793, uncounted: 0 },
			{ method: "MPESA", expected: 70, counted: 70, uncounted: 30 },
		],
		// What one shift has over never hides what another lacks.
		difference: -10,
		late: 1,
	});
	expect(day.shifts.map(({ closedAt }) => closedAt === null)).toEqual([
		...[false, false, true],
	]);
	expect(await shop.ask(caller, shiftDay, { id, drawerId: "b" })).toMatchObject(
		{
			drawerId: "b",
			shifts: [{ id: "other" }],
			...{ compared: [], difference: 0, late: 0 },
			figures: { sales: { count: 1, total: 10 } },
		},
	);
	const before = await shop.ask(caller, shiftDay, { id: "2026-11-19" });
	expect(before.shifts).toEqual([]);
});
