import { useDebouncedValue } from "@mantine/hooks";
import type { Customer } from "../../../sync/entities/customer.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { Balance } from "./balance.tsx";
import "./customers.css";

/** Finds a customer by name or phone; Enter chooses the first. */
export function CustomerChoice({
	label,
	typed,
	exceptId,
	onType,
	onChoose,
}: {
	label: string;
	typed: string;
	/** Who is not offered. */
	exceptId?: string;
	onType(text: string): void;
	onChoose(customer: Customer): void;
}) {
	const [search] = useDebouncedValue(typed.trim(), 120);
	const { rows, isPlaceholderData } = useRows(
		"customer.list",
		search === "" ? {} : { search },
	);
	const offered = rows.filter(({ id }) => id !== exceptId).slice(0, 6);
	return (
		<>
			<TextField
				label={label}
				isLarge
				value={typed}
				maxLength={200}
				onChange={onType}
				onKeyDown={(event) => {
					if (event.key !== "Enter") return;
					event.preventDefault();
					// Until the answer comes, the first is one of the last search.
					const isFound = search === typed.trim() && !isPlaceholderData;
					if (isFound && offered[0]) onChoose(offered[0]);
				}}
				autoFocus
				data-autofocus
			/>
			<div className="picker-list">
				{offered.map((customer) => (
					<Button key={customer.id} isWide onClick={() => onChoose(customer)}>
						<span className="grow picker-name">
							<b>{customer.name}</b>
							<span className="muted text-s">{customer.phone}</span>
						</span>
						<Balance balance={customer.balance} />
					</Button>
				))}
			</div>
		</>
	);
}
