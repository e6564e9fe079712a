import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useWords } from "../words/index.ts";

/** As many as a sale's notes hold. */
const noteMax = 2_000;

/** A note on the sale, kept with each letter typed. */
export function NoteSheet({
	note,
	onNote,
	onClose,
}: {
	note: string;
	onNote(note: string): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState(note);
	return (
		<Sheet place="goods" title={say("till.note")} onClose={onClose}>
			<textarea
				className="input"
				aria-label={say("till.note")}
				data-autofocus
				rows={4}
				maxLength={noteMax}
				value={typed}
				onChange={({ currentTarget: { value } }) => {
					setTyped(value);
					onNote(value);
				}}
			/>
			<div className="sheet-foot">
				<Button kind="ink" onClick={onClose}>
					{say("till.noteDone")}
				</Button>
			</div>
		</Sheet>
	);
}
