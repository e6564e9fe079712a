import { type FormEvent, useState } from "react";
import {
	type CashCategory,
	cashCategories,
} from "../../../sync/entities/cash-categories.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { openDrawer, tryDrawer } from "../receipts/print.ts";
import { useFact } from "../shop/use-fact.ts";
import { useWords } from "../words/index.ts";

const kinds = ["out", "in", "opened"] as const;

/** Takes cash out of the drawer or puts some in, or just opens it: each is recorded with its reason. */
export function CashForm({ onDone }: { onDone(): void }) {
	const { say } = useWords();
	const [kind, setKind] = useState<(typeof kinds)[number]>("out");
	const [typed, setTyped] = useState("");
	const [category, setCategory] = useState<CashCategory>("expense");
	const [reason, setReason] = useState("");
	const { record, problem, isBusy } = useFact(onDone);
	const moved = decimalOf(typed) ?? 0;
	const isMoving = kind !== "opened";

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const said = { reason: reason.trim() };
		const amount = kind === "out" ? -moved : moved;
		if (isMoving)
			await record("cash.move", { ...said, amount, category }, tryDrawer);
		else await record("drawer.open", said, openDrawer);
	}

	return (
		<form className="column-flex" onSubmit={save}>
			{problem}
			<Chips
				label={say("shifts.cash")}
				value={kind}
				onChange={(chosen) => setKind(chosen)}
				choices={kinds.map((value) => ({
					value,
					label: say(`shifts.${value}`),
				}))}
			/>
			{isMoving && (
				<>
					<DecimalField
						label={say("pay.amount")}
						isLarge
						value={typed}
						onChange={setTyped}
						data-autofocus
					/>
					<SelectField
						label={say("shifts.category")}
						value={category}
						onChange={(value) => setCategory(value as CashCategory)}
						options={cashCategories.map((value) => ({
							value,
							label: say(`shifts.category.${value}`),
						}))}
					/>
				</>
			)}
			<TextField
				label={say("shifts.reason")}
				value={reason}
				maxLength={500}
				onChange={setReason}
			/>
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={reason.trim() === "" || (isMoving && moved <= 0)}
				>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}
