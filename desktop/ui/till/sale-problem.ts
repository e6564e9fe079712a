import { linesMax } from "../../../sync/entities/sale-limits.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { messageOf } from "../components/error-message.ts";
import type { Say, Word } from "../words/index.ts";

const words: Record<string, Word> = {
	paid: "pay.paidTooLarge",
	items: "pay.lineTooLarge",
	total: "pay.totalTooLarge",
};

/** Says in a shopkeeper's words why a sale failed: the field, and what to do. */
export function saleProblem(error: unknown, say: Say): string {
	if (error instanceof ShopError && error.field !== undefined) {
		const [field, line] = error.field.split(".");
		if (field === "items" && line === undefined)
			return say("pay.tooManyLines", { count: linesMax });
		const word = words[field ?? ""];
		if (word) return say(word);
	}
	return messageOf(error);
}
