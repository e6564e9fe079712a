import { type FormEvent, useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { Button } from "../components/button.tsx";
import { DayField } from "../components/day-field.tsx";
import { Money } from "../components/money.tsx";
import { Sheet } from "../components/sheet.tsx";
import { CustomerPicker } from "../customers/customer-picker.tsx";
import { useFact } from "../shop/use-fact.ts";
import { type Cart, totalOf } from "../till/cart.ts";
import { itemsOf } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import { LayawaySheet } from "./layaway-sheet.tsx";
import "../till/payment.css";

/** Keeps a cart's goods for a customer, and then takes the first deposit. */
export default function KeepSheet({
	cart,
	onKeep,
	onKept,
	onClose,
}: {
	cart: Cart;
	onKeep(keep: (cart: Cart) => Promise<void>): void;
	/** The cart is free for the next sale. */
	onKept(): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const [customer, setCustomer] = useState<Customer>();
	const [dueDay, setDueDay] = useState("");
	const [keptId, setKeptId] = useState<string>();
	const { id, record, problem, isBusy } = useFact(() => {
		setKeptId(id);
		onKept();
	});

	function keep(event: FormEvent): void {
		event.preventDefault();
		if (!customer) return;
		onKeep(async (now) => {
			await record("layaway.create", {
				...{ customerId: customer.id, items: itemsOf(now) },
				dueDay: dueDay || null,
			});
		});
	}

	if (keptId !== undefined)
		return <LayawaySheet id={keptId} firstPart="deposit" onClose={onClose} />;
	return (
		<Sheet
			place="goods"
			title={say("layaways.keep")}
			aside={<Money value={totalOf(cart)} />}
			mayCloseByTap={false}
			onClose={onClose}
		>
			<form className="column-flex" onSubmit={keep}>
				{problem}
				<CustomerPicker
					label={say("layaways.who")}
					chosen={customer}
					onChoose={setCustomer}
				/>
				<DayField
					label={say("layaways.due")}
					value={dueDay}
					onChange={setDueDay}
				/>
				{cart.note.trim() && (
					<p className="attention">
						{say("layaways.noNote", { note: cart.note })}
					</p>
				)}
				<div className="sheet-foot">
					<Button
						type="submit"
						kind="pay"
						size="l"
						isBusy={isBusy}
						disabled={!customer}
					>
						{say("layaways.keep")}
					</Button>
				</div>
			</form>
		</Sheet>
	);
}
