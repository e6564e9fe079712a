import { type ReactNode, useRef, useState } from "react";
import { ApiError } from "../api.ts";
import { useWords } from "../words/index.ts";
import { Alert } from "./alert.tsx";
import { failureKindOf, messageOf } from "./error-message.ts";

/** Faster actions show no busy state. */
const patienceMs = 150;

/**
 * Runs one action at a time and shows why it failed until the next attempt. Ignores a second click or Enter while one runs.
 */
export function useAttempt(): {
	attempt(work: () => Promise<unknown>): Promise<boolean>;
	problem: ReactNode;
	isBusy: boolean;
} {
	const { say } = useWords();
	const [message, setMessage] = useState<string>();
	const [isBusy, setBusy] = useState(false);
	// A second click can arrive before React renders again.
	const isAtWork = useRef(false);
	function reasonOf(error: unknown): string {
		// A wrong password is a 401 with its own code.
		const isPasswords =
			error instanceof ApiError &&
			error.status === 401 &&
			error.code !== undefined;
		const failureKind = isPasswords ? undefined : failureKindOf(error);
		if (!failureKind) return messageOf(error);
		return say(failureKind === "offline" ? "app.unreachable" : "login.needed");
	}

	return {
		isBusy,
		problem: message && <Alert role="alert">{message}</Alert>,
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
