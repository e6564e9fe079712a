import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** What a customer owes or has, or what the shop owes a supplier or has paid ahead. */
export function Balance({
	balance,
	of = "customers",
}: {
	balance: number;
	of?: "customers" | "suppliers";
}) {
	const { say } = useWords();
	const format = useFormat();
	if (balance === 0) return <span className="muted">{say(`${of}.even`)}</span>;
	return (
		<span className={balance > 0 ? "strong owes" : "strong saved"}>
			{say(`${of}.${balance > 0 ? "owes" : "has"}`, {
				amount: format.figure(Math.abs(balance)),
			})}
		</span>
	);
}
