import { Alert } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { ApiError } from "../api.ts";
import { useWords } from "../words/index.ts";
import { whyOf } from "./why.ts";

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
		if (error instanceof ApiError && error.isOffline)
			return say("app.unreachable");
		// A wrong password is a 401 too, and says so itself.
		if (error instanceof ApiError && error.message === "Unauthorized")
			return say("login.needed");
		if (error instanceof ApiError && error.isOtherShops)
			return say("login.needed");
		return whyOf(error);
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
			setBusy(true);
			try {
				await work();
				return true;
			} catch (error) {
				setMessage(reasonOf(error));
				return false;
			} finally {
				isAtWork.current = false;
				setBusy(false);
			}
		},
	};
}
