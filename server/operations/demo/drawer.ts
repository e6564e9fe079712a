import { shiftClose } from "../../../sync/entities/shift.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import { shiftSums } from "../../../sync/queries/shift.ts";
import type { Caller, Shop } from "../../../sync/shop.ts";
import type { openDice } from "./dice.ts";

type Dice = ReturnType<typeof openDice>;

/** What stays in the drawer overnight. */
const openingFloat = 2_000;
const openingHour = 5.9;
const closingHour = 21.2;
const expenses = ["Charcoal", "Lunch", "Boda to the market", "Bags", "Airtime"];

interface Intent {
	hour: number;
	name: string;
	args: { id: string } & Record<string, unknown>;
}

/** The demo shop's drawer: opened every morning, counted every evening, and right on most days. */
export function openDrawer(env: Env, drawerId: string) {
	let shiftId = "";

	return {
		/** The shift of the day. */
		shiftId: () => shiftId,

		/** Opens the day's shift. */
		open(): Intent {
			shiftId = newId(env);
			const args = { id: shiftId, drawerId, openingFloat };
			return { hour: openingHour, name: "shift.open", args };
		},

		/** Something that was paid out of the drawer, on some days. */
		*spend(dice: Dice): Generator<Intent> {
			if (dice.below(3) > 0) return;
			const reason = expenses[dice.below(expenses.length)] as string;
			const amount = -50 * (1 + dice.below(8));
			const args = { id: newId(env), shiftId, amount, reason };
			yield {
				...{ hour: 21, name: "cash.move" },
				args: { ...args, category: "expense" },
			};
		},

		/** Ends the day's shift. */
		close: (): Intent => ({
			hour: closingHour,
			name: shiftClose.name,
			args: { id: newId(env), shiftId },
		}),
	};
}

/** Counts what the shop has of a shift: now and then something is missing. */
export async function countDrawer(
	shop: Shop,
	caller: Caller,
	{ id, shiftId }: { id: string; shiftId: string },
	dice: Dice,
): Promise<void> {
	const { expected } = await shop.ask(caller, shiftSums, { id: shiftId });
	const missing = dice.below(30) === 0 ? 10 * (1 + dice.below(9)) : 0;
	await shop.mutate(caller, shiftClose, {
		...{ id, shiftId, leftInDrawer: openingFloat },
		counted: expected.map(({ method, amount }) => ({
			method,
			amount: Math.max(method === "CASH" ? amount - missing : amount, 0),
		})),
		reason: missing > 0 ? "Wrong change, probably" : null,
	});
}
