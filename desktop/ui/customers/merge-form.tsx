import { useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { CustomerChoice } from "./customer-choice.tsx";

/** Merges another customer into this one, who remains. */
export function MergeForm({
	customer: { id: intoId, name },
	onDone,
}: {
	customer: Customer;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const [typed, setTyped] = useState("");
	const [other, setOther] = useState<Customer>();
	const { attempt, problem, isBusy } = useAttempt();

	async function merge(fromId: string): Promise<void> {
		const args = { fromId, intoId };
		if (await attempt(() => shop.mutate("customer.merge", args))) onDone();
	}

	if (!other)
		return (
			<div className="column-flex picker">
				<CustomerChoice
					label={say("customers.mergeWith")}
					typed={typed}
					exceptId={intoId}
					onType={setTyped}
					onChoose={setOther}
				/>
			</div>
		);
	return (
		<div className="column-flex">
			{problem}
			<p>{say("customers.mergeAsked", { other: other.name, name })}</p>
			<div className="sheet-foot">
				<Button size="l" onClick={() => setOther(undefined)} data-autofocus>
					{say("app.cancel")}
				</Button>
				<Button
					kind="ink"
					size="l"
					isBusy={isBusy}
					onClick={() => merge(other.id)}
				>
					{say("customers.merge")}
				</Button>
			</div>
		</div>
	);
}
