import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** What the shop owes a supplier, or has paid ahead. */
export function Owed({ balance }: { balance: number }) {
	const { say } = useWords();
	const format = useFormat();
	if (balance === 0)
		return <span className="muted">{say("suppliers.even")}</span>;
	return (
		<span className={balance > 0 ? "strong owes" : "strong saved"}>
			{say(balance > 0 ? "suppliers.owed" : "suppliers.ahead", {
				amount: format.figure(Math.abs(balance)),
			})}
		</span>
	);
}
