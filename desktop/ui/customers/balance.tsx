import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** What a customer owes, or what is theirs. */
export function Balance({ balance }: { balance: number }) {
	const { say } = useWords();
	const format = useFormat();
	if (balance === 0)
		return <span className="muted">{say("customers.even")}</span>;
	return (
		<span className={balance > 0 ? "strong owes" : "strong saved"}>
			{say(balance > 0 ? "customers.owes" : "customers.has", {
				amount: format.figure(Math.abs(balance)),
			})}
		</span>
	);
}
