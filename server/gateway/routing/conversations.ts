import { createHash } from "node:crypto";
import type { ChatCall } from "../call.ts";

/** Which model answers each conversation: another would read it without its provider's prompt cache. */
export interface Conversations {
	/** The model that answered so far. Undefined for a first question, and for a conversation that has long paused. */
	modelOf(call: ChatCall): string | undefined;
	note(call: ChatCall, modelId: string): void;
}

const conversationsMax = 10_000;
/** Providers keep a prompt for an hour at most. */
const keptMs = 3_600_000;

export function openConversations(
	now: () => number = () => performance.now(),
): Conversations {
	/** The least recent first. */
	const byKey = new Map<string, { modelId: string; at: number }>();
	return {
		modelOf(call) {
			const isGoingOn = call.request.messages.some(
				({ role }) => role === "assistant",
			);
			const found = isGoingOn ? byKey.get(keyOf(call)) : undefined;
			return found && now() - found.at < keptMs ? found.modelId : undefined;
		},

		note(call, modelId) {
			const key = keyOf(call);
			byKey.delete(key);
			byKey.set(key, { modelId, at: now() });
			const [oldest] = byKey.keys();
			if (byKey.size > conversationsMax && oldest !== undefined)
				byKey.delete(oldest);
		},
	};
}

/** A conversation is known by how it begins, since each request repeats that. */
function keyOf({ request, payer, policy }: ChatCall): string {
	const { messages } = request;
	const first = messages.findIndex(({ role }) => role === "user");
	const begin = first < 0 ? messages : messages.slice(0, first + 1);
	return createHash("sha256")
		.update(JSON.stringify([payer.businessId, policy, begin]))
		.digest("base64");
}
