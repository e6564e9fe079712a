import { useDebouncedValue } from "@mantine/hooks";
import type { Customer } from "../../../sync/entities/customer.ts";
import { Button } from "../components/button.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Offers a customer who has the phone number that is typed for a new one. */
export function SamePhone({
	phone,
	onChoose,
}: {
	phone: string;
	onChoose(customer: Customer): void;
}) {
	const { say } = useWords();
	const [asked] = useDebouncedValue(phone.trim(), 120);
	const { data } = useAnswer("customer.byPhone", { phone: asked });
	const [found] = data?.rows ?? [];
	if (!found || phone.trim() !== asked) return null;
	const { name } = found;
	return (
		<div className="row-flex" role="status">
			<span className="grow">{say("customers.samePhone", { name })}</span>
			<Button onClick={() => onChoose(found)}>
				{say("customers.takeFound", { name })}
			</Button>
		</div>
	);
}
