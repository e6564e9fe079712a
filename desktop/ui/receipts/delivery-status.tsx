import { Badge } from "@mantine/core";
import { useEffect, useState } from "react";
import type { OutboxState } from "../../../sync/protocol/till-api.ts";
import { useShop } from "../session.tsx";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Shows whether a mutation is only saved here or already on the server. */
export function DeliveryStatus({ mutationId }: { mutationId: string }) {
	const { say } = useWords();
	const reached = useDeliveryState(mutationId);
	const shown = {
		pending: { color: "gray", word: "pay.saved" },
		acknowledged: { color: "leaf", word: "pay.sent" },
		rejected: { color: "red", word: "pay.refused" },
		discarded: { color: "red", word: "pay.refused" },
	} as const;
	return (
		<Badge
			size="lg"
			tt="none"
			color={shown[reached].color}
			variant={reached === "pending" ? "outline" : "filled"}
			role="status"
		>
			{say(shown[reached].word)}
		</Badge>
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
