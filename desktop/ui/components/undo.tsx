import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import { useWords } from "../words/index.ts";

/** Long enough to read it and to find the button; it waits while a pointer or the focus is on it. */
const shownMs = 10_000;

/** Says what was just done, with a button that takes it back. */
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
								// It can still be pressed while it fades away.
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
