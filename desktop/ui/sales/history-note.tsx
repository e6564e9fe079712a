import { Alert } from "../components/alert.tsx";
import { useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Says on a till that has just joined that lists and figures still lack older sales. */
export function HistoryNote() {
	const { say } = useWords();
	const hasHistory = useStatus("hasHistory");
	return hasHistory ? null : (
		<Alert tone="plain">{say("sales.arriving")}</Alert>
	);
}
