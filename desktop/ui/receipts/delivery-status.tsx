import { useEffect, useState } from "react";
import type { OutboxState } from "../../../sync/protocol/till-api.ts";
import { Tag } from "../components/tag.tsx";
import { useShop } from "../session.tsx";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Shows whether a mutation is only saved here or already on the server. */
export function DeliveryStatus({ mutationId }: { mutationId: string }) {
	const { say } = useWords();
	const reached = useDeliveryState(mutationId);
	const shown = {
		pending: { tone: "plain", word: "pay.saved" },
		acknowledged: { tone: "money", word: "pay.sent" },
		rejected: { tone: "danger", word: "pay.refused" },
		discarded: { tone: "danger", word: "pay.refused" },
	} as const;
	const { tone, word } = shown[reached];
	return (
		<div role="status">
			<Tag tone={tone}>{say(word)}</Tag>
		</div>
	);
}

function useDeliveryState(mutationId: string): OutboxState {
	const { shop } = useShop();
	const standing = usePageStatus();
	const [state, setState] = useState<OutboxState>("pending");
	// biome-ignore lint/correctness/useExhaustiveDependencies: looked up again whenever the outbox moves.
	useEffect(() => {
		let isOld = false;
		void shop.stateOf(mutationId).then((found) => {
			if (found && !isOld) setState(found);
		});
		return () => {
			isOld = true;
		};
	}, [shop, mutationId, standing]);
	return state;
}
