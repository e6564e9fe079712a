import { plus } from "../../sync/entities/money.ts";
import { daysOf, type Period } from "../../sync/queries/period.ts";
import { type ShiftDay, shiftDay } from "../../sync/queries/shift-day.ts";
import type { Caller, Shop } from "../../sync/shop.ts";

/** The columns of days' reports in a file. */
export const dayColumns = [
	...["day", "drawerId", "shifts", "open", "late"],
	...["method", "expected", "counted", "difference", "uncounted"],
];

/** Yields the rows of each day that has shifts: of all tills, with no drawerId, and of each where there are several. */
export async function* dayRows(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
	period: Period,
) {
	for (const id of daysOf(period)) {
		const day = await shop.ask(caller, shiftDay, { id });
		if (day.shifts.length === 0) continue;
		const drawers = new Set(day.shifts.map(({ drawerId }) => drawerId));
		const rows = toRows(day);
		if (drawers.size > 1)
			for (const drawerId of [...drawers].toSorted())
				rows.push(
					...toRows(await shop.ask(caller, shiftDay, { id, drawerId })),
				);
		yield rows;
	}
}

function toRows({ day, drawerId, shifts, late, compared }: ShiftDay) {
	const open = shifts.filter(({ closedAt }) => closedAt === null).length;
	return (compared.length > 0 ? compared : [nothing]).map((sums) => {
		const { method, expected, counted, uncounted } = sums;
		return {
			...{ day, drawerId, shifts: shifts.length, open, late },
			...{ method, expected, counted },
			difference: counted === null ? null : plus(counted, -(expected ?? 0)),
			uncounted,
		};
	});
}

/** What is known of a day whose shifts are all open. */
const nothing = {
	...{ method: null, expected: null, counted: null, uncounted: null },
};
