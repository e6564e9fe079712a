import { Minus, Plus } from "lucide-react";
import { useState } from "react";
import { amountMax } from "../../../sync/entities/money.ts";
import { Button, IconButton } from "../components/button.tsx";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";
import { useWords } from "../words/index.ts";
import "../components/stepper.css";

/** Asks how many there really are. An empty field is not 0. */
export function CountForm({
	name,
	isBusy,
	onCount,
}: {
	name: string;
	isBusy: boolean;
	onCount(counted: number): void;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState("");
	const counted = decimalOf(typed);
	const isValid = counted !== undefined && counted <= amountMax;
	const step = (by: number) =>
		setTyped(cleanDecimal(String(Math.max(0, (counted ?? 0) + by))));
	return (
		<form
			className="count-form"
			onSubmit={(event) => {
				event.preventDefault();
				if (isValid) onCount(counted);
			}}
		>
			<span className="text-s strong" aria-hidden>
				{say("inbox.thereAre")}
			</span>
			<div className="stepper">
				<IconButton
					label={`${say("till.less")}: ${name}`}
					onClick={() => step(-1)}
				>
					<Minus size={18} aria-hidden />
				</IconButton>
				<input
					inputMode="decimal"
					autoComplete="off"
					aria-label={`${say("inbox.thereAre")}: ${name}`}
					aria-invalid={typed !== "" && !isValid ? true : undefined}
					value={typed}
					onChange={(event) =>
						setTyped(cleanDecimal(event.currentTarget.value))
					}
				/>
				<IconButton
					label={`${say("till.more")}: ${name}`}
					onClick={() => step(1)}
				>
					<Plus size={18} aria-hidden />
				</IconButton>
			</div>
			<Button kind="ink" type="submit" isBusy={isBusy} disabled={!isValid}>
				{say("inbox.setCount")}
			</Button>
		</form>
	);
}
