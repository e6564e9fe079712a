import { useRef } from "react";
import { v7 as newId } from "uuid";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { useShop } from "../session.tsx";

/** The mutations that record a fact under an id of its maker's choice. */
type Recording = {
	[Name in keyof MutationArgs]: MutationArgs[Name] extends { id: string }
		? Name
		: never;
}[keyof MutationArgs];

/**
 * Records one fact after another from a form. A retry records it under the same id, so that it counts once.
 *
 * @param onDone called once it is recorded
 */
export function useFact(onDone: () => void) {
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const next = useRef(newId());

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
		const isDone = await attempt(async () => {
			await shop.mutate(mutation, { ...args, id } as MutationArgs[Name], {
				id,
			});
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
