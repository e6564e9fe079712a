import { Alert } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { ApiError } from "../api.ts";
import { useWords } from "../words/index.ts";
import { hindranceOf, whyOf } from "./why.ts";

/** What is done sooner needs no sign that it is being done. */
const patienceMs = 150;

/**
 * Does one thing at a time, and shows why it could not be done until it is tried again. What is asked for meanwhile, by a
 * second click or Enter, is not done.
 */
export function useAttempt(): {
	attempt(work: () => Promise<unknown>): Promise<boolean>;
	problem: ReactNode;
	isBusy: boolean;
} {
	const { say } = useWords();
	const [message, setMessage] = useState<string>();
	const [isBusy, setBusy] = useState(false);
	// A second click comes before the page is drawn anew.
	const isAtWork = useRef(false);
	function reasonOf(error: unknown): string {
		// A wrong password is a 401 too, and says so itself.
		const isPasswords =
			error instanceof ApiError &&
			error.status === 401 &&
			error.message !== "Unauthorized";
		const hindrance = isPasswords ? undefined : hindranceOf(error);
		if (!hindrance) return whyOf(error);
		return say(hindrance === "offline" ? "app.unreachable" : "login.needed");
	}

	return {
		isBusy,
		problem: message && (
			<Alert color="red" role="alert" mb="sm">
				{message}
			</Alert>
		),
		async attempt(work) {
			if (isAtWork.current) return false;
			isAtWork.current = true;
			setMessage(undefined);
			const timer = setTimeout(() => setBusy(true), patienceMs);
			try {
				await work();
				return true;
			} catch (error) {
				setMessage(reasonOf(error));
				return false;
			} finally {
				clearTimeout(timer);
				isAtWork.current = false;
				setBusy(false);
			}
		},
	};
}
