import type * as z from "zod";
import type { Entity, Mutation } from "../entities/entity.ts";
import { entities, mutations } from "../entities/index.ts";

/** Entities that tests fill explicitly, because their rules depend on each other. */
const filledByHand = ["business", "category", "product", "sale", "review"];
/** Entities whose records other entities' mutations make. */
const followers = [
	...["refund", "stockMovement", "inboxItem", "payment"],
	...["shift", "shiftReport", "statementLine", "count", "countLook"],
];

/**
 * The other entities. Tests fill them with the examples of their mutations, so that a new entity is tested without
 * being named.
 */
export const plainEntities: readonly Entity[] = entities.filter(
	({ name }) => !filledByHand.includes(name) && !followers.includes(name),
);

/** Their mutations, in an order in which all examples can be applied. */
export const plainMutations: readonly Mutation[] = mutations.filter(
	({ name }) =>
		plainEntities.some((entity) => name.startsWith(`${entity.name}.`)),
);

/** The examples that create a record of each. */
export const plainRecords = plainMutations
	.filter(({ name }) => /\.(create|set)$/.test(name))
	.flatMap((mutation) =>
		mutation.examples.map((example) => ({
			mutation,
			args: example as { id: string } & Record<string, unknown>,
		})),
	);

/** Replaces each free text of an example by a word. */
export function withWord(
	args: z.ZodType,
	example: unknown,
	word: string,
): unknown {
	const worded = structuredClone(example);
	for (const [holder, field] of textsIn(worded)) {
		const text = holder[field];
		holder[field] = word;
		if (!args.safeParse(worded).success) holder[field] = text;
	}
	return worded;
}

/** The paths of texts that are not ids. */
function* textsIn(
	value: unknown,
): Generator<[holder: Record<string, unknown>, field: string]> {
	if (typeof value !== "object" || value === null) return;
	for (const [field, inner] of Object.entries(value))
		if (typeof inner !== "string") yield* textsIn(inner);
		else if (!/^id$|Id$/.test(field))
			yield [value as Record<string, unknown>, field];
}
