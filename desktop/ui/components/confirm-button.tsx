import { useState } from "react";
import { useWords } from "../words/index.ts";
import { Button } from "./button.tsx";

/** A button for an action that can't be undone: it asks for confirmation in its place. */
export function ConfirmButton({
	label,
	name = label,
	question,
	onConfirm,
	...button
}: Omit<
	Parameters<typeof Button>[0],
	"children" | "aria-label" | "onClick" | "name"
> & {
	label: string;
	/** Tells several such buttons on a page apart. */
	name?: string;
	question: string;
	onConfirm(): void;
}) {
	const { say } = useWords();
	const [isAsking, setAsking] = useState(false);
	if (!isAsking)
		return (
			<Button {...button} aria-label={name} onClick={() => setAsking(true)}>
				{label}
			</Button>
		);
	return (
		// biome-ignore lint/a11y/useSemanticElements: a question among other buttons, not a set of fields.
		<div className="row-flex" role="group" aria-label={question}>
			<span className="grow">{question}</span>
			<Button
				isDanger
				disabled={button.disabled || button.isBusy}
				aria-label={name}
				onClick={() => {
					setAsking(false);
					onConfirm();
				}}
			>
				{label}
			</Button>
			<Button data-autofocus autoFocus onClick={() => setAsking(false)}>
				{say("app.cancel")}
			</Button>
		</div>
	);
}
