import { Button, type ButtonProps, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../words/index.ts";

/** A button for an action that can't be undone: it asks for confirmation in its place. */
export function ConfirmButton({
	label,
	name = label,
	question,
	onConfirm,
	...button
}: ButtonProps & {
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
		<Group gap="xs" role="group" aria-label={question}>
			<Text>{question}</Text>
			<Button
				color="red"
				aria-label={name}
				onClick={() => {
					setAsking(false);
					onConfirm();
				}}
			>
				{label}
			</Button>
			<Button
				variant="default"
				data-autofocus
				autoFocus
				onClick={() => setAsking(false)}
			>
				{say("app.cancel")}
			</Button>
		</Group>
	);
}
