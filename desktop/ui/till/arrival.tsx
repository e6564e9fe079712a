import { Badge } from "@mantine/core";
import { useArrival } from "../shop/till-window.ts";
import { useWords } from "../words/index.ts";

/** How far has come what was made here: saved here, then on the server. */
export function Arrival({ mutationId }: { mutationId: string }) {
	const { say } = useWords();
	const reached = useArrival(mutationId);
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
