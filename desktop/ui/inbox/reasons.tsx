import { useState } from "react";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { useWords } from "../words/index.ts";

const reasonMax = 200;

/** Asks why nothing is left to do. A known reason is taken at once, another one is typed. */
export function Reasons({
	isBusy,
	onReason,
}: {
	isBusy: boolean;
	onReason(reason: string): void;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState<string>();
	return (
		<fieldset className="reasons">
			<legend className="text-s strong">{say("inbox.why")}</legend>
			<div className="reasons-known">
				{(["right", "corrected"] as const).map((reason) => (
					<Button
						key={reason}
						size="s"
						isBusy={isBusy}
						onClick={() => onReason(reason)}
					>
						{say(`inbox.because.${reason}`)}
					</Button>
				))}
				<Button
					size="s"
					aria-expanded={typed !== undefined}
					onClick={() => setTyped(typed ?? "")}
				>
					{say("inbox.otherReason")}
				</Button>
			</div>
			{typed !== undefined && (
				<form
					className="reasons-typed"
					onSubmit={(event) => {
						event.preventDefault();
						if (typed.trim()) onReason(typed.trim());
					}}
				>
					<TextField
						label={say("inbox.reason")}
						value={typed}
						onChange={setTyped}
						maxLength={reasonMax}
					/>
					<Button
						kind="ink"
						type="submit"
						isBusy={isBusy}
						disabled={!typed.trim()}
					>
						{say("inbox.sortedOut")}
					</Button>
				</form>
			)}
		</fieldset>
	);
}
