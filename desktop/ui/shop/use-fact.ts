import { useRef } from "react";
import { v7 as newId } from "uuid";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { sumOf } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import { isRecorded } from "./is-recorded.ts";

/** The mutations that record a fact under an id of its maker's choice. */
type Recording = {
	[Name in keyof MutationArgs]: MutationArgs[Name] extends { id: string }
		? Name
		: never;
}[keyof MutationArgs];

/**
 * Records one fact after another from a form. A retry records it under the same id, so that it counts once; of a
 * form that was changed meanwhile, it says what was recorded.
 *
 * @param onDone called once it is recorded
 */
export function useFact(onDone: () => void) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const next = useRef(newId());
	/** A content that the shop had recorded as another, and what the person saw. */
	const refused = useRef({ what: "", error: new Error() });

	/** @returns why it is not what was recorded before */
	function differs(recorded: object): Error {
		const amount = amountIn(recorded);
		return new Error(
			amount === undefined
				? say("error.id_reused")
				: say("app.savedBefore", { amount: format.quantity(amount) }),
		);
	}

	/**
	 * @param after what belongs to it on this device; it runs again with a retry
	 * @returns whether it is recorded
	 */
	async function record<Name extends Recording>(
		mutation: Name,
		args: Omit<MutationArgs[Name], "id">,
		after?: () => Promise<void>,
	): Promise<boolean> {
		const id = next.current;
		const what = JSON.stringify([mutation, args]);
		const isDone = await attempt(async () => {
			if (refused.current.what === what) throw refused.current.error;
			const asked = { ...args, id } as MutationArgs[Name];
			const made = await shop.mutate(mutation, asked, { id });
			if (!isRecorded(asked, made.args)) {
				refused.current = { what, error: differs(made.args) };
				next.current = newId();
				throw refused.current.error;
			}
			await after?.();
		});
		if (isDone) {
			next.current = newId();
			onDone();
		}
		return isDone;
	}

	return { id: next.current, record, problem, isBusy };
}

/** The amount that a fact is about, if it is about one. */
function amountIn(args: object): number | undefined {
	const { tenders, amount, delta, openingFloat } = args as {
		tenders?: { amount: number }[];
		amount?: number;
		delta?: number;
		openingFloat?: number;
	};
	return tenders ? sumOf(tenders) : (amount ?? delta ?? openingFloat);
}
