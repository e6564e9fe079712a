import { type FormEvent, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import {
	type CashCategory,
	cashCategories,
} from "../../../sync/entities/cash-categories.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { openDrawer } from "../receipts/print.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const kinds = ["out", "in", "opened"] as const;

/** Takes cash out of the drawer or puts some in, or just opens it: each is recorded with its reason. */
export function CashForm({ onDone }: { onDone(): void }) {
	const { say } = useWords();
	const { shop } = useShop();
	const [kind, setKind] = useState<(typeof kinds)[number]>("out");
	const [typed, setTyped] = useState("");
	const [category, setCategory] = useState<CashCategory>("expense");
	const [reason, setReason] = useState("");
	const { attempt, problem, isBusy } = useAttempt();
	/** A retry records the same. */
	const id = useRef(newId());
	const moved = decimalOf(typed) ?? 0;
	const isMoving = kind !== "opened";

	async function record(event: FormEvent): Promise<void> {
		event.preventDefault();
		const said = { id: id.current, reason: reason.trim() };
		const amount = kind === "out" ? -moved : moved;
		const isDone = await attempt(async () => {
			if (isMoving)
				await shop.mutate(
					"cash.move",
					{ ...said, amount, category },
					{ id: id.current },
				);
			else await shop.mutate("drawer.open", said, { id: id.current });
			await openDrawer();
		});
		if (isDone) onDone();
	}

	return (
		<form className="column-flex" onSubmit={record}>
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
