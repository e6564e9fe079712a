import { Alert } from "@mantine/core";
import { ApiError } from "../api.ts";
import type { Word } from "../words/en.ts";
import { useWords } from "../words/index.ts";

/** Why something could not be read from the server: that it can't be reached, or what it says. */
export function Unread({
	error,
	offline = "app.offline",
}: {
	error: Error | null;
	offline?: Word;
}) {
	const { say } = useWords();
	if (!error) return null;
	const isOffline = error instanceof ApiError && error.isOffline;
	const isSessions = error instanceof ApiError && error.isSessions;
	return (
		<Alert color={isOffline || isSessions ? "gray" : "red"} mb="sm">
			{isOffline
				? say(offline)
				: isSessions
					? say("login.needed")
					: error.message}
		</Alert>
	);
}
