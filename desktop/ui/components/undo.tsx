import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import { useWords } from "../words/index.ts";

/** Time to read the message and find the button; the countdown stops while it has the pointer or the focus. */
const shownMs = 10_000;

/** Shows what was just done, with a button to undo it. */
type OfferUndo = (message: string, undo: () => unknown) => void;

export function useUndo(): OfferUndo {
	const { say } = useWords();
	return useCallback(
		(message, undo) => {
			let isUndone = false;
			const id = notifications.show({
				autoClose: shownMs,
				role: "status",
				closeButtonProps: { "aria-label": say("app.close"), size: 44 },
				message: (
					<Group justify="space-between" wrap="nowrap">
						{message}
						<Button
							variant="light"
							h={44}
							flex="none"
							onClick={() => {
								notifications.hide(id);
								// The button can still be pressed while it fades out.
								if (!isUndone) void undo();
								isUndone = true;
							}}
						>
							{say("app.undo")}
						</Button>
					</Group>
				),
			});
		},
		[say],
	);
}
