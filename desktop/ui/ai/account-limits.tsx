import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useWords } from "../words/index.ts";

export interface AccountLimits {
	id: string;
	name: string;
	monthlyBudget: number | null;
	requestsPerMinute: number | null;
}

/** What is no number stays as it is typed, for the server to refuse. */
export const numberOrNull = (typed: string) =>
	typed === "" ? null : ((decimalOf(typed) ?? typed) as number);

/** Sets the limits of a key or a member. */
export function SetLimits({
	of,
	rateLabel,
}: {
	of: AccountLimits;
	rateLabel: "ai.rate" | "ai.rateOrAll";
}) {
	const { say } = useWords();
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<Button
				aria-label={`${say("ai.setLimits")}: ${of.name}`}
				onClick={() => setOpen(true)}
			>
				{say("ai.setLimits")}
			</Button>
			{isOpen && (
				<Sheet title={of.name} onClose={() => setOpen(false)}>
					<LimitsForm
						of={of}
						rateLabel={rateLabel}
						onSaved={() => setOpen(false)}
					/>
				</Sheet>
			)}
		</>
	);
}

function LimitsForm({
	of: { id, monthlyBudget, requestsPerMinute },
	rateLabel,
	onSaved,
}: {
	of: AccountLimits;
	rateLabel: "ai.rate" | "ai.rateOrAll";
	onSaved(): void;
}) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [budget, setBudget] = useState(String(monthlyBudget ?? ""));
	const [rate, setRate] = useState(String(requestsPerMinute ?? ""));

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const isSaved = await attempt(async () => {
			await ask("PATCH", `/api/ai/limits/${id}`, {
				monthlyBudget: numberOrNull(budget),
				requestsPerMinute: numberOrNull(rate),
			});
			await Promise.all(
				["keys", "aiLimits"].map((name) =>
					queries.invalidateQueries({ queryKey: [name] }),
				),
			);
		});
		if (isSaved) onSaved();
	}

	return (
		<form className="column-flex" onSubmit={save}>
			{problem}
			<DecimalField
				label={say("ai.budget")}
				value={budget}
				onChange={setBudget}
				data-autofocus
			/>
			<DecimalField label={say(rateLabel)} value={rate} onChange={setRate} />
			<Button type="submit" isBusy={isBusy} isWide>
				{say("app.save")}
			</Button>
		</form>
	);
}
