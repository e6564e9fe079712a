import { statementImport } from "../entities/statement.ts";
import { toIso } from "../protocol/clock.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";

/** Imports lines of a statement, with codes that other tills import too, and other amounts. */
export const importsStatement: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, replica } = till;
	const lines = Array.from({ length: 1 + random.below(5) }, () => ({
		code: `CODE${random.below(20)}`,
		amount: 1 + random.below(100),
		payer: canaryOf(businessId),
		paidAt: toIso(world.schedule.now() - random.below(3_600_000)),
	}));
	await world.attempt(() =>
		replica.mutate(caller, statementImport, { method: "MPESA", lines }),
	);
};
